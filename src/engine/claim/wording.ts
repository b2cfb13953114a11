// The rows in which frames are written down, made ready for matching.

import type { DealRole } from '../signals.ts'
import { GROUPS } from './groups.ts'
import { type CompiledFrame, compileFrame, type Frame } from './match.ts'
import type { Subject } from './subject.ts'

export type Row = [subject: Subject, words: string, says?: string]

/** The words of one signal, or of one side of a deal. */
export type Wording = { frames: readonly CompiledFrame[]; tails: readonly CompiledFrame[]; role?: DealRole }

export function wording(frames: readonly Row[], tails: readonly Row[] = []): Wording {
  const compile = ([subject, words, says]: Row): CompiledFrame => {
    const frame: Frame = says === undefined ? { subject, words } : { subject, words, says }
    return compileFrame(frame, GROUPS)
  }
  return { frames: frames.map(compile), tails: tails.map(compile) }
}
