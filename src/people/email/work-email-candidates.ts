import {
  emailCandidates,
  givenNameForms,
  type KnownAddress,
  matchPatterns,
  possibleLocalParts,
} from '../../engine/email-patterns/index.ts'
import { asciiNameWords, isWorkAddress } from '../../engine/email-patterns/work-address.ts'

/** Every question about somebody who is not there looks like guessing to a mail server. */
const MAX_CANDIDATES = 8
/** A pattern with a smaller share of trust is a guess among many. */
const MIN_WEIGHT = 0.02
/** Patterns without the whole surname: in all but small companies such an address is as likely another's. */
const SHORT = new Set(['first', 'last', 'firstl', 'first.l', 'lastf', 'last.f'])
const SMALL_COMPANY = 50

export type Colleague = { full_name: string; addresses: readonly string[] }

type CandidateQuery = {
  full_name: string
  domain: string
  employees: number | null
  /** What the company itself gives for them by name. */
  published: string | null
  /** Addresses that other sources give for them, best first. */
  given: readonly string[]
  /** The others at the company, as far as they are known. */
  colleagues: readonly Colleague[]
}

/**
 * Addresses a person may have, likeliest first: those a source gives, then the patterns of the domain, learnt from the
 * colleagues. An address that stands with a colleague as well is nobody's; one that a colleague might as well have is
 * left out, unless the company publishes it: that it exists would prove nothing.
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
 * Those of a name's forms that are a colleague's as well, by a name, a surname, an initial or a short form. Written out
 * only for those who can share one: all forms of thousands of names would hold up the process.
 */
function sharedLocals(fullName: string, colleagues: readonly Colleague[]): Set<string> {
  const own = possibleLocalParts(fullName)
  const words = asciiNameWords(fullName)
  // Bob and Rob may both be robert@: the short forms of the short forms count too.
  const related = new Set([...words, ...words.flatMap(givenNameForms).flatMap(givenNameForms)])
  const shared = new Set<string>()
  for (const { full_name } of colleagues) {
    const isPlain = /^[\x20-\x7e]*$/.test(full_name)
    // An ü may be written as u or as ue: such names are always compared in full.
    if (isPlain && !asciiNameWords(full_name).some((word) => related.has(word))) continue
    for (const local of possibleLocalParts(full_name)) if (own.has(local)) shared.add(local)
  }
  return shared
}
