import type { Span } from './span.ts'
import type { Statement } from './statement.ts'

export type SlotMatch = {
  /** Index of the word behind. */
  next: number
  /** What was read; the readers of kinds ("a plant") give none. */
  spans: Span[]
  /** How a claim says it. */
  phrase: string
}

/** Reads one thing at one place of a sentence; null when it is not there: rather nothing than half a name. */
export type SlotParser = (statement: Statement, at: number) => SlotMatch | null
