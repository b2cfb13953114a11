/** A place in a sentence and what stands there. */
export type Span = { text: string; start: number; end: number }

export function spanOf({ text }: { text: string }, start: number, end: number): Span {
  return { text: text.slice(start, end), start, end }
}
