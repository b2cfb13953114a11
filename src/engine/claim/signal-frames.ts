// The frames of the signal records, compiled for matching.
import { BUILTIN_SIGNALS, type FrameRow, type SignalId, type SignalSide } from '../signals/index.ts'
import { type CompiledFrame, compileFrame } from './frames.ts'
import { WORD_GROUPS } from './word-groups.ts'

/** The frames of a signal for one side of its events. */
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

/** The frames of every side; the first side is used where the role is not known. */
export function framesOfSignal(signal: SignalId): readonly SideFrames[] {
  return FRAMES_BY_SIGNAL.get(signal) ?? []
}

/** Finds people with their positions in any sentence. */
export const PERSON_FRAMES = compileFrames([
  ['anyone', '{position} , {person}'],
  ['anyone', '{person} , {position} {over}'],
  ['anyone', '{person} as|to {position} {over}'],
])
