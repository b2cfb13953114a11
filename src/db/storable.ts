/** A text as PostgreSQL takes it: without NUL characters and halves of a pair, at most so long. */
export function storable(text: string, most = Number.POSITIVE_INFINITY): string {
  return text.replaceAll('\0', ' ').slice(0, most).toWellFormed()
}
