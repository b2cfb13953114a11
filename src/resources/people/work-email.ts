import { getDomain } from 'tldts'
import { emailCandidates, isFreeAddress, isRoleAddress, type KnownAddress } from '../../engine/email-patterns.ts'
import { searchFold } from '../../search-text.ts'

/** Every question about somebody who is not there looks like guessing to a mail server. */
const MAX_CANDIDATES = 8
/** A pattern with a smaller share of trust is a guess among many. */
const MIN_WEIGHT = 0.02
/** Patterns without the whole surname: in all but small companies such an address is as likely another's. */
const SHORT = new Set(['first', 'last', 'firstl', 'first.l', 'lastf', 'last.f'])
const SMALL_COMPANY = 50

/** What is asked about at a mail server; quoted and exotic forms are nobody's work email. */
const ADDRESS = /^[a-z0-9](?:[a-z0-9._%+'-]{0,62}[a-z0-9])?@[a-z0-9.-]{4,253}$/

/** Whether an address can be somebody's own at a company: at its domain, and neither a role's nor a free provider's. */
export function isWorkAddress(email: string, domain: string): boolean {
  if (!ADDRESS.test(email)) return false
  const host = email.split('@')[1] ?? ''
  const site = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const isOwn = host === domain || (getDomain(host, { allowPrivateDomains: true }) ?? host) === site
  return isOwn && !isRoleAddress(email) && !isFreeAddress(email)
}

/** Whether an address carries a person's name: `ada.pike@`, `apike@`, `ap@`. One in their card may be their office's. */
export function carriesName(email: string, fullName: string): boolean {
  const local = searchFold(email.split('@')[0] ?? '').replace(/[^a-z]/g, '')
  const words = wordsOf(fullName)
  if (words.some((word) => word.length > 2 && local.includes(word))) return true
  if (local.length > 1 && local === words.map((word) => word.charAt(0)).join('')) return true
  return emailCandidates(fullName, email.split('@')[1] ?? '').some((candidate) => candidate.email === email)
}

export type Colleague = { full_name: string; addresses: readonly string[] }

type Question = {
  full_name: string
  domain: string
  employees: number | null
  /** Addresses that a source gives for them, best first. */
  given: readonly string[]
  /** The others at the company, as far as they are known. */
  colleagues: readonly Colleague[]
}

/**
 * Addresses a person may have, likeliest first: those a source gives, then the patterns of the domain, learnt from the
 * colleagues. An address that a colleague has or might as well have is left out: that it exists would prove nothing.
 */
export function workEmailCandidates({ full_name, domain, employees, given, colleagues }: Question): string[] {
  const known: KnownAddress[] = colleagues.flatMap(({ full_name: name, addresses }) =>
    addresses.map((email) => ({ email, full_name: name })),
  )
  const taken = new Set(known.map(({ email }) => email))
  const words = new Set(wordsOf(full_name))
  for (const { full_name: name } of colleagues) {
    if (!wordsOf(name).some((word) => words.has(word))) continue
    for (const { email } of emailCandidates(name, domain, known)) taken.add(email)
  }
  const learnt = new Set(
    known.flatMap(({ email, full_name: name }) => {
      const shown = emailCandidates(name ?? '', domain).find((candidate) => candidate.email === email)
      return shown ? [shown.pattern] : []
    }),
  )
  const isSmall = employees !== null && employees <= SMALL_COMPANY
  const guessed = emailCandidates(full_name, domain, known)
    .filter(({ weight, pattern }) => weight >= MIN_WEIGHT && (isSmall || learnt.has(pattern) || !SHORT.has(pattern)))
    .map(({ email }) => email)
  const own = given.filter((email) => isWorkAddress(email, domain))
  return [...new Set([...own, ...guessed.filter((email) => !taken.has(email))])].slice(0, MAX_CANDIDATES)
}

function wordsOf(fullName: string): string[] {
  return searchFold(fullName)
    .split(/[^a-z]+/)
    .filter(Boolean)
}
