// The evidence of a draft. In stored texts a marker replaces the name of an erased person; drafts describe the event without
// that person and are never addressed to the marker.
import type { EventDetails } from '../claim/index.ts'
import { findBuiltinSignal } from '../signals/index.ts'

export type DraftEvidence = {
  claim: string
  /** The sentence of the source that proves the claim; the claim holds it when left out. */
  quote?: string | null
  /** What the sentence names; each value occurs in the sentence. */
  details?: EventDetails | null
  source_url?: string | null
  published_date?: string | null
}

/** Replaces the name of an erased person in stored texts. */
export const ERASED = '[erased]'

export const mentionsErased = (text: string) => text.includes(ERASED)

const REWORDINGS: readonly (readonly [claim: RegExp, replacement: string])[] = [
  [/ (?:names|appoints) \[erased\] to (?:its|the) (?:[\p{L}-]+ ){0,2}board\b.*$/iu, ' has a new board member'],
  [/ (name|appoint) \[erased\] to (?:its|the) (?:[\p{L}-]+ ){0,2}board\b.*$/iu, ' $1 a new board member'],
  [
    / (?:names|appoints) \[erased\],? (?:as )?(?:an? |its |the )?(?:new )?(?!to |and |or |of )(?=\p{L})/u,
    ' has a new ',
  ],
  [/ (name|appoint) \[erased\],? (?:as )?(?:an? |its |the )?(?:new )?(?!to |and |or |of )(?=\p{L})/u, ' $1 a new '],
  [/( (?:loses|plans to lose|agrees to lose|is to lose) (?:its|the) .+?),? \[erased\]/, '$1'],
]

/** Removes erased people from claim and details; the quote stays as the source has it. */
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
  for (const [pattern, replacement] of REWORDINGS) {
    const rest = claim.replace(pattern, replacement)
    if (!mentionsErased(rest)) return rest
  }
  // Fall back to the general statement that such an event happened.
  const signal = findBuiltinSignal(signalId)
  return signal && claim.startsWith(`${account} `) ? `${account} ${signal.sides[0].predicate}` : claim
}
