// The wordings of signals' records, made ready for matching.
import { BUILTIN_SIGNALS, type FrameRow, type Side, type SignalId } from '../signals/index.ts'
import { GROUPS } from './groups.ts'
import { type CompiledFrame, compileFrame } from './match.ts'

/** How the events of a signal are worded from one side. */
export type Wording = Pick<Side, 'role' | 'predicate'> & {
  frames: readonly CompiledFrame[]
  tails: readonly CompiledFrame[]
}

export const compileFrames = (rows: readonly FrameRow[]): readonly CompiledFrame[] =>
  rows.map(([subject, words, says]) => compileFrame({ subject, words, ...(says !== undefined && { says }) }, GROUPS))

const WORDINGS = new Map(
  BUILTIN_SIGNALS.map(({ id, sides }): [SignalId, readonly Wording[]] => [
    id,
    sides.map(({ frames, tails = [], ...side }) => ({
      ...side,
      frames: compileFrames(frames),
      tails: compileFrames(tails),
    })),
  ]),
)

/** The wordings of every side; the first is said where the side is not known. */
export function wordingsOf(signal: SignalId): readonly Wording[] {
  return WORDINGS.get(signal) ?? []
}

/** People with their positions, in any sentence. */
export const PEOPLE = compileFrames([
  ['anyone', '{position} , {person}'],
  ['anyone', '{person} , {position} {over}'],
  ['anyone', '{person} as|to {position} {over}'],
])
