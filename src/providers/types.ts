import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { type SerializedList, serializeList } from '../engine/json/serialized-list.ts'
import type { FoundPerson } from '../engine/roster/types.ts'
import type { ParserPool } from '../engine/threads/pool.ts'
import type { JobPosting } from '../engine/vendors/job-boards.ts'
import type { Outbound } from '../outbound/client.ts'
import type { ProviderHealth } from './health.ts'
import type { RobotsMemory } from './robots/memory.ts'

/** What every provider works with, of what main.ts builds. */
export type ProviderParts = {
  config: Config
  outbound: Outbound
  log: Logger
  robots: RobotsMemory
  health: ProviderHealth
  /** Where what others wrote is read: nothing of it is parsed on the thread that answers requests. */
  parserPool: ParserPool
  now: () => Date
}

/** The same for one piece of work; the signal ends its calls. */
export type ProviderDeps = ProviderParts & { signal: AbortSignal }

export function forProviders(parts: ProviderParts, signal: AbortSignal): ProviderDeps {
  const { config, outbound, log, robots, health, parserPool, now } = parts
  return { config, outbound, log, robots, health, parserPool, now, signal }
}

/**
 * Asking a source gives items, nothing, or fails; the three are never confused. `reason` is a sentence for a person;
 * beside items it says what else could not be had. `empty` says that what was asked for is there and holds nothing; without
 * it, it may not be there at all.
 */
export type Found<T> =
  | { outcome: 'items'; items: T[]; reason?: string }
  | { outcome: 'nothing'; empty?: true }
  | { outcome: 'failed'; reason: string }

export type CompanyRef = { name: string; domain: string | null }

export type DocumentKind = 'page' | 'article' | 'posting' | 'filing' | 'mention'

/** A signal that a document proves by its kind, whatever its words: a contract that was awarded, a notice of layoffs. */
export type AssertedSignal = { signal_id: string; claim: string }

/** Something a company published, or that was published about it. Dates are `YYYY-MM-DD`. */
export type FoundDocument = {
  url: string
  kind: DocumentKind
  title: string | null
  text: string
  published_date: string | null
  /** How the day was found, where the document itself had to be asked. */
  published_by?: string | null
  /** Of two letters. */
  language?: string | null
  tells?: readonly AssertedSignal[] | null
}

/** What a source says about a company; what it does not say is absent. */
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

/** What may lead from a company's name to its own site, once the site proves it. */
export type SiteHints = {
  /** Domains that a source gives as the company's. */
  named: string[]
  /** What its own site would show: names of its officers, its street, its phone number. */
  witnesses: string[]
}

/** A company that a story or a filing says shows a signal. Without hints the document itself is to be looked through. */
export type Lead = { company: CompanyRef; signal_id: string; document: FoundDocument; hints?: SiteHints }

/** News and filings about one company since a day. */
export type DocumentSource = {
  name: string
  find: (deps: ProviderDeps, company: CompanyRef, since: string) => Promise<Found<FoundDocument>>
}

/** Companies, known or not, that news or filings of the days since say show one of the signals. */
export type LeadSource = {
  name: string
  leads: (deps: ProviderDeps, signalIds: readonly string[], since: string, limit: number) => Promise<Found<Lead>>
}

export type FirmographicsSource = {
  name: string
  fetchFirmographics: (deps: ProviderDeps, company: CompanyRef) => Promise<Found<FoundFirmographics>>
}

/** A vendor of job boards; `token` names the company's board there. */
export type JobBoardSource = {
  name: string
  postings: (deps: ProviderDeps, token: string) => Promise<Found<JobPosting>>
}

/**
 * Who works at a company, as one source shows it. `pages`: those that were read, where the source was read in full; whom one
 * of them showed before, and none shows now, it shows gone. Absent, nobody is.
 */
export type FoundRoster =
  | { outcome: 'items'; people: SerializedList<FoundPerson>; reason?: string; pages?: readonly string[] }
  | Exclude<Found<never>, { outcome: 'items' }>

/** Who works at a company. */
export type PeopleSource = {
  name: string
  /** The company itself speaks: what it publishes about its people counts as evidence. */
  own: boolean
  isOn: (config: Config) => boolean
  roster: (deps: ProviderDeps, company: CompanyRef) => Promise<FoundRoster>
}

/** A role that somebody is wanted for. */
export type RoleQuery = {
  /** How it is called, the closest first. */
  titles: readonly string[]
  /** The words of these titles, in small letters. */
  words: ReadonlySet<string>
  /** Whether somebody with a title has it. */
  fits: (title: string) => boolean
  /** All that `fits` rests on: roles with the same are the same. */
  key: string
}

/** Finds who has a role at a company, beyond its roster. */
export type RoleSource = {
  name: string
  /** The company itself speaks. */
  own: boolean
  isOn: (config: Config) => boolean
  /** Whether a roster that the same vendor brought holds everybody it has, so that asking again tells nothing. */
  isInRoster?: (config: Config, people: number) => boolean
  find: (deps: ProviderDeps, company: CompanyRef, role: RoleQuery) => Promise<FoundRoster>
}

/** What could be learnt about addresses at one domain. */
export type EmailFinding = {
  /** The first that has a mailbox for certain. */
  verified: string | null
  /** Those that have none for certain. */
  refused: string[]
  /** Why the others could not be decided, for a person; null when all were. */
  undecided: string | null
  /** The reason holds for every address of the domain. */
  whole_domain: boolean
  /** The verifier itself did not work, so nothing was learnt. */
  failed: boolean
  /** The mail server asked to come back, and may tell then. */
  later: boolean
}

export const NOTHING_LEARNT: Readonly<EmailFinding> = {
  verified: null,
  refused: [],
  undecided: null,
  whole_domain: false,
  failed: false,
  later: false,
}

/** Says which of some addresses at one domain, likeliest first, is real. */
export type EmailVerifier = {
  name: 'smtp' | 'zerobounce'
  isOn: (config: Config) => boolean
  verify: (deps: ProviderDeps, domain: string, addresses: readonly string[]) => Promise<EmailFinding>
}

/** Whoever is looked for when a phone number is wanted. */
export type PersonRef = { full_name: string; network_url: string | null; company: CompanyRef }

/** What a source knows about one person: numbers as it writes them, and since when they are gone from the company. */
export type PhoneFinding = { phones: string[]; left_on: string | null }

export type PhoneSource = {
  name: string
  isOn: (config: Config) => boolean
  find: (deps: ProviderDeps, person: PersonRef) => Promise<Found<PhoneFinding>>
}

export function items<T>(found: T[]): Found<T> {
  return found.length > 0 ? { outcome: 'items', items: found } : { outcome: 'nothing' }
}

/** The people that a source shows, where it is known how many they can be: those of pages are closed in a reading thread. */
export function found(people: SerializedList<FoundPerson> | readonly FoundPerson[], reason?: string): FoundRoster {
  const closed = 'batches' in people ? people : serializeList(people)
  if (closed.size > 0) return { outcome: 'items', people: closed, ...(reason === undefined ? {} : { reason }) }
  return reason === undefined ? { outcome: 'nothing' } : { outcome: 'failed', reason }
}

/**
 * Several looks as one, each taking its turn up to the limit. What was found counts, and the failure of the rest is told;
 * without anything found a failure is not passed off as nothing.
 */
export function together<T>(looks: readonly Found<T>[], limit = Number.POSITIVE_INFINITY): Found<T> {
  const lists = looks.flatMap((look) => (look.outcome === 'items' ? [look.items] : []))
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const found = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
  const failure = looks.find((look) => look.outcome === 'failed')
  const partial = looks.find((look) => look.outcome === 'items' && look.reason !== undefined)
  if (found.length === 0) return failure ?? { outcome: 'nothing' }
  const reason = failure?.reason ?? (partial?.outcome === 'items' ? partial.reason : undefined)
  return { outcome: 'items', items: found.slice(0, limit), ...(reason !== undefined && { reason }) }
}
