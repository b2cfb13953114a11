// The wordings of signals' records, made ready for matching.
import { BUILTIN_SIGNALS, type FrameRow, type SignalId, type SignalSide } from '../signals/index.ts'
import { type CompiledFrame, compileFrame } from './frames.ts'
import { WORD_GROUPS } from './word-groups.ts'

/** How the events of a signal are worded from one side. */
export type SideFrames = Pick<SignalSide, 'role' | 'predicate'> & {
  frames: readonly CompiledFrame[]
  tails: readonly CompiledFrame[]
}

export const compileFrames = (rows: readonly FrameRow[]): readonly CompiledFrame[] =>
  rows.map(([subject, words, says]) =>
    compileFrame({ subject, words, ...(says !== undefined && { says }) }, WORD_GROUPS),
  )

const FRAMES_BY_SIGNAL = new Map(
  BUILTIN_SIGNALS.map(({ id, sides }): [SignalId, readonly SideFrames[]] => [
    id,
    sides.map(({ frames, tails = [], ...side }) => ({
      ...side,
      frames: compileFrames(frames),
      tails: compileFrames(tails),
    })),
  ]),
)

/** The wordings of every side; the first is said where the side is not known. */
export function framesOfSignal(signal: SignalId): readonly SideFrames[] {
  return FRAMES_BY_SIGNAL.get(signal) ?? []
}

/** People with their positions, in any sentence. */
export const PERSON_FRAMES = compileFrames([
  ['anyone', '{position} , {person}'],
  ['anyone', '{person} , {position} {over}'],
  ['anyone', '{person} as|to {position} {over}'],
])
