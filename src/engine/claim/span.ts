/** A range of a sentence and its text. */
export type Span = { text: string; start: number; end: number }

export function spanOf({ text }: { text: string }, start: number, end: number): Span {
  return { text: text.slice(start, end), start, end }
}
