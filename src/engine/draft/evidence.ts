// Somebody who was erased stands in stored texts as a marker. What happened stays and is told without them; nobody writes to
// a marker.
import type { EventDetails } from '../claim/index.ts'
import { findBuiltinSignal } from '../signals/index.ts'

export type DraftEvidence = {
  claim: string
  /** The sentence of the source that proves the claim; the claim holds it when left out. */
  quote?: string | null
  /** What the sentence names; each stands in it. */
  details?: EventDetails | null
  source_url?: string | null
  published_date?: string | null
}

/** What stands in the place of somebody who was erased. */
export const ERASED = '[erased]'

export const mentionsErased = (text: string) => text.includes(ERASED)

const TOLD: readonly (readonly [claim: RegExp, told: string])[] = [
  [/ (?:names|appoints) \[erased\] to (?:its|the) (?:[\p{L}-]+ ){0,2}board\b.*$/iu, ' has a new board member'],
  [/ (name|appoint) \[erased\] to (?:its|the) (?:[\p{L}-]+ ){0,2}board\b.*$/iu, ' $1 a new board member'],
  [
    / (?:names|appoints) \[erased\],? (?:as )?(?:an? |its |the )?(?:new )?(?!to |and |or |of )(?=\p{L})/u,
    ' has a new ',
  ],
  [/ (name|appoint) \[erased\],? (?:as )?(?:an? |its |the )?(?:new )?(?!to |and |or |of )(?=\p{L})/u, ' $1 a new '],
  [/( (?:loses|plans to lose|agrees to lose|is to lose) (?:its|the) .+?),? \[erased\]/, '$1'],
]

/** What a proof tells once nobody who was erased is in it; its quote stays the source's. */
export function removeErasedPeople<P extends DraftEvidence>(proof: P, account: string, signalId: string): P {
  const { claim, details } = proof
  const people = details?.people.filter(({ text }) => !mentionsErased(text))
  return {
    ...proof,
    claim: mentionsErased(claim) ? claimWithout(claim, account, signalId) : claim,
    ...(details && people ? { details: { ...details, people } } : {}),
  }
}

function claimWithout(claim: string, account: string, signalId: string): string {
  for (const [pattern, told] of TOLD) {
    const rest = claim.replace(pattern, told)
    if (!mentionsErased(rest)) return rest
  }
  // That there was such an event is all that is left to say.
  const signal = findBuiltinSignal(signalId)
  return signal && claim.startsWith(`${account} `) ? `${account} ${signal.sides[0].predicate}` : claim
}
