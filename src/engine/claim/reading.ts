import type { Span } from './span.ts'
import type { Statement } from './words.ts'

export type Reading = {
  /** Index of the word behind. */
  next: number
  /** What was read; the readers of kinds ("a plant") give none. */
  spans: Span[]
  /** How a claim says it. */
  said: string
}

/** Reads one thing at one place of a sentence; null when it is not there: rather nothing than half a name. */
export type Reader = (statement: Statement, at: number) => Reading | null
