import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { type SerializedList, serializeList } from '../engine/json/serialized-list.ts'
import type { FoundPerson } from '../engine/roster/types.ts'
import type { ParserPool } from '../engine/threads/pool.ts'
import type { JobPosting } from '../engine/vendors/job-boards.ts'
import type { Outbound } from '../outbound/client.ts'
import type { ProviderHealth } from './health.ts'
import type { RobotsCache } from './robots-cache.ts'

/** The dependencies of every provider. */
export type ProviderParts = {
  config: Config
  outbound: Outbound
  log: Logger
  robots: RobotsCache
  health: ProviderHealth
  /** Parses external content, which never happens on the thread that serves requests. */
  parserPool: ParserPool
  now: () => Date
}

/** The dependencies for one operation; the signal aborts its requests. */
export type ProviderDeps = ProviderParts & { signal: AbortSignal }

export function toProviderDeps(parts: ProviderParts, signal: AbortSignal): ProviderDeps {
  const { config, outbound, log, robots, health, parserPool, now } = parts
  return { config, outbound, log, robots, health, parserPool, now, signal }
}

/**
 * The result of querying a source: items, nothing, or a failure; the three are never mixed up. `reason` is a sentence
 * for users; next to items it states which part is missing. `empty` means that the requested resource exists and is
 * empty; without it, the resource may not exist.
 */
export type SourceResult<T> =
  | { outcome: 'items'; items: T[]; reason?: string }
  | { outcome: 'nothing'; empty?: true }
  | { outcome: 'failed'; reason: string }

export type CompanyRef = { name: string; domain: string | null }

export type DocumentKind = 'page' | 'article' | 'posting' | 'filing' | 'mention'

/** A signal that the type of a document proves regardless of its text: a contract award, a layoff notice. */
export type AssertedSignal = { signal_id: string; claim: string }

/** A document by a company or about it. Dates are `YYYY-MM-DD`. */
export type FoundDocument = {
  url: string
  kind: DocumentKind
  title: string | null
  text: string
  published_date: string | null
  /** How the date was determined, when it was extracted from the document. */
  published_by?: string | null
  /** ISO 639-1 code. */
  language?: string | null
  tells?: readonly AssertedSignal[] | null
}

/** Facts about a company from one source; unknown ones are absent. */
export type FoundFirmographics = {
  name?: string
  employees?: number
  industry?: string
  location?: string
  /** The country's English name. */
  country?: string
  network_url?: string
  short_description?: string
  logo_url?: string
  founded_year?: number
  technologies?: string[]
}

/** Hints for finding a company's website by its name; the website itself has to confirm them. */
export type SiteHints = {
  /** Domains that a source attributes to the company. */
  named: string[]
  /** Facts that the website would show: names of officers, the address in several spellings, the phone number. */
  witnesses: string[]
  /** The ISO 3166 code of the company's country. */
  country?: string
}

/**
 * A company that, according to a story or a filing, shows a signal. Without hints, the document itself is searched for
 * them.
 */
export type Lead = { company: CompanyRef; signal_id: string; document: FoundDocument; hints?: SiteHints }

/** Finds news and filings about one company since a day. */
export type DocumentSource = {
  name: string
  find: (deps: ProviderDeps, company: CompanyRef, since: string) => Promise<SourceResult<FoundDocument>>
}

/** Finds companies, known or unknown, that show one of the signals in recent news or filings. */
export type LeadSource = {
  name: string
  leads: (deps: ProviderDeps, signalIds: readonly string[], since: string, limit: number) => Promise<SourceResult<Lead>>
}

export type FirmographicsSource = {
  name: string
  fetchFirmographics: (deps: ProviderDeps, company: CompanyRef) => Promise<SourceResult<FoundFirmographics>>
}

/** A job board vendor; `token` identifies the company's board. */
export type JobBoardSource = {
  name: string
  /** A public board of the vendor or from its documentation, to check the source with; null where none is known. */
  example: string | null
  postings: (deps: ProviderDeps, token: string) => Promise<SourceResult<JobPosting>>
}

/**
 * The people of a company according to one source. `pages` lists the pages read when the source was read completely: a
 * person who was on one of them before and is on none of them now has left. Without `pages`, no departures are derived.
 */
export type RosterResult =
  | { outcome: 'items'; people: SerializedList<FoundPerson>; reason?: string; pages?: readonly string[] }
  | Exclude<SourceResult<never>, { outcome: 'items' }>

/** Finds the people of a company. */
export type PeopleSource = {
  name: string
  /** Published by the company itself, so that its content counts as evidence. */
  own: boolean
  isOn: (config: Config) => boolean
  roster: (deps: ProviderDeps, company: CompanyRef) => Promise<RosterResult>
}

/** A role to find a person for. */
export type RoleQuery = {
  /** Job titles for the role, the best match first. */
  titles: readonly string[]
  /** The words of these titles, in lower case. */
  words: ReadonlySet<string>
  /** Whether a job title matches the role. */
  fits: (title: string) => boolean
  /** Identifies `fits`: roles with equal keys are equal. */
  key: string
}

/** Finds people with a role at a company who are not on its roster. */
export type RoleSource = {
  name: string
  /** Published by the company itself. */
  own: boolean
  isOn: (config: Config) => boolean
  /**
   * Whether a roster with this many people from the same vendor is complete, so that another query would find nothing
   * new.
   */
  isInRoster?: (config: Config, people: number) => boolean
  find: (deps: ProviderDeps, company: CompanyRef, role: RoleQuery) => Promise<RosterResult>
}

/** The result of verifying addresses at one domain. */
export type EmailFinding = {
  /** The first address that has a mailbox for certain. */
  verified: string | null
  /** Addresses that have no mailbox for certain. */
  refused: string[]
  /** Why the other addresses are undecided, as a sentence for users; null when all are decided. */
  undecided: string | null
  /** The reason applies to every address of the domain. */
  whole_domain: boolean
  /** The verifier itself failed, so the result says nothing about the addresses. */
  failed: boolean
  /** The mail server deferred the check (greylisting), and may decide on a retry. */
  later: boolean
}

export const EMPTY_EMAIL_FINDING: Readonly<EmailFinding> = {
  verified: null,
  refused: [],
  undecided: null,
  whole_domain: false,
  failed: false,
  later: false,
}

/** Verifies addresses at one domain, given in order of likelihood. */
export type EmailVerifier = {
  name: 'smtp' | 'zerobounce'
  isOn: (config: Config) => boolean
  verify: (deps: ProviderDeps, domain: string, addresses: readonly string[]) => Promise<EmailFinding>
}

/** A person to find phone numbers for. */
export type PersonRef = { full_name: string; network_url: string | null; company: CompanyRef }

/** A source's data about one person: phone numbers as it spells them, and the day the person left the company. */
export type PhoneFinding = { phones: string[]; left_on: string | null }

export type PhoneSource = {
  name: string
  isOn: (config: Config) => boolean
  find: (deps: ProviderDeps, person: PersonRef) => Promise<SourceResult<PhoneFinding>>
}

export function itemsResult<T>(found: T[]): SourceResult<T> {
  return found.length > 0 ? { outcome: 'items', items: found } : { outcome: 'nothing' }
}

/** The result for the people that a source lists. Lists from web pages arrive already serialized by a parser thread. */
export function rosterResult(
  people: SerializedList<FoundPerson> | readonly FoundPerson[],
  reason?: string,
): RosterResult {
  const closed = 'batches' in people ? people : serializeList(people)
  if (closed.size > 0) return { outcome: 'items', people: closed, ...(reason === undefined ? {} : { reason }) }
  return reason === undefined ? { outcome: 'nothing' } : { outcome: 'failed', reason }
}

/**
 * Merges several results into one, alternating between their items up to the limit. Items count even when another
 * result failed, whose reason is then included; without items the failure is returned.
 */
export function mergeResults<T>(
  results: readonly SourceResult<T>[],
  limit = Number.POSITIVE_INFINITY,
): SourceResult<T> {
  const lists = results.flatMap((result) => (result.outcome === 'items' ? [result.items] : []))
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const found = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
  const failure = results.find((result) => result.outcome === 'failed')
  const partial = results.find((result) => result.outcome === 'items' && result.reason !== undefined)
  if (found.length === 0) return failure ?? { outcome: 'nothing' }
  const reason = failure?.reason ?? (partial?.outcome === 'items' ? partial.reason : undefined)
  return { outcome: 'items', items: found.slice(0, limit), ...(reason !== undefined && { reason }) }
}
