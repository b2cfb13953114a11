import {
  emailCandidates,
  givenNameForms,
  type KnownAddress,
  matchPatterns,
  possibleLocalParts,
} from '../../engine/email-patterns/index.ts'
import { asciiNameWords, isWorkAddress } from '../../engine/email-patterns/work-address.ts'

/** A mail server treats many requests for unknown addresses as address guessing. */
const MAX_CANDIDATES = 8
/** Patterns with a lower probability are not tried. */
const MIN_WEIGHT = 0.02
/** Patterns without the whole surname: except in small companies, such an address is as likely a colleague's. */
const SHORT = new Set(['first', 'last', 'firstl', 'first.l', 'lastf', 'last.f'])
const SMALL_COMPANY = 50

export type Colleague = { full_name: string; addresses: readonly string[] }

type CandidateQuery = {
  full_name: string
  domain: string
  employees: number | null
  /** The address that the company publishes for the person by name. */
  published: string | null
  /** Addresses from other sources, best first. */
  given: readonly string[]
  /** The other stored people at the company. */
  colleagues: readonly Colleague[]
}

/**
 * Returns the possible addresses of a person, most likely first: those from sources, then the patterns of the domain, learnt
 * from colleagues. An address that is stored for a colleague is left out. So is one that a colleague's name also fits, unless
 * the company publishes it, because its existence would prove nothing.
 */
export function workEmailCandidates(question: CandidateQuery): string[] {
  const { full_name, domain, employees, published, given, colleagues } = question
  const known = colleagues.flatMap(({ full_name: name, addresses }) =>
    addresses.map((email): Required<KnownAddress> => ({ email, full_name: name })),
  )
  const held = new Set(known.map(({ email }) => email))
  const forms = emailCandidates(full_name, domain, known)
  const shared = sharedLocals(full_name, colleagues)
  const isFree = (email: string) => !held.has(email) && !shared.has(email.split('@')[0] ?? '')
  const isSmall = employees !== null && employees <= SMALL_COMPANY
  const learnt = new Set(
    known
      .filter(({ email }) => email.endsWith(`@${domain}`))
      .flatMap(({ email, full_name: name }) => matchPatterns(email.split('@')[0] ?? '', name)),
  )
  const guessed = forms
    .filter(({ weight, pattern }) => weight >= MIN_WEIGHT && (isSmall || learnt.has(pattern) || !SHORT.has(pattern)))
    .map(({ email }) => email)
  const own = published !== null && !held.has(published) ? [published] : []
  const all = [...own, ...[...given, ...guessed].filter(isFree)]
  return [...new Set(all)].filter((email) => isWorkAddress(email, domain)).slice(0, MAX_CANDIDATES)
}

/**
 * Returns the local parts of a name that also fit a colleague, by a name, a surname, an initial or a short form. Computed
 * only for colleagues who can share one, because all forms of thousands of names would block the event loop.
 */
function sharedLocals(fullName: string, colleagues: readonly Colleague[]): Set<string> {
  const own = possibleLocalParts(fullName)
  const words = asciiNameWords(fullName)
  // Bob and Rob may both be robert@, so short forms of short forms count too.
  const related = new Set([...words, ...words.flatMap(givenNameForms).flatMap(givenNameForms)])
  const shared = new Set<string>()
  for (const { full_name } of colleagues) {
    const isPlain = /^[\x20-\x7e]*$/.test(full_name)
    // An ü may be written as u or ue, so such names are always compared in full.
    if (isPlain && !asciiNameWords(full_name).some((word) => related.has(word))) continue
    for (const local of possibleLocalParts(full_name)) if (own.has(local)) shared.add(local)
  }
  return shared
}
