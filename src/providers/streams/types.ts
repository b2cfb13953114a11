import type { Config } from '../../config/config.ts'
import type { CompanyRef, FoundDocument, ProviderDeps, SiteHints } from '../types.ts'

// A stream tells of companies as they come: releases, filings, awards, notices. It is read once for all accounts of all
// workspaces, and what it tells is matched with them afterwards, so its cost does not grow with their number.

/** What a stream tells of one company. */
export type StreamItem = {
  /** Its name within the stream: the same item again has the same. */
  key: string
  /** As the stream writes it; the domain only where the stream itself gives it. */
  company: CompanyRef
  document: FoundDocument
  /** The signals it is likely about: whoever looks for companies with one of them takes it for a lead. */
  about: readonly string[]
  /** What may prove whose it is: domains and witnesses that the item names. */
  hints?: SiteHints
  /** What the stream itself needs to open it. */
  ref?: JsonValue
}

export type JsonValue = { readonly [key: string]: unknown }

/** What a feed is asked for: the days since, and what the last reading left behind for this one. */
export type FeedState = { since: string; state: JsonValue | null }

/** How a reading went; `state` is for the next one. A reading that failed in part gives what it has, and says the rest. */
export type FeedResult =
  | { outcome: 'items'; items: StreamItem[]; state: JsonValue | null; reason?: string }
  | { outcome: 'nothing'; state: JsonValue | null }
  | { outcome: 'failed'; reason: string }

/** A whole document in place of its summary. */
export type OpenItemResult =
  | { outcome: 'read'; document: FoundDocument; hints: SiteHints }
  /** It turned out to be about nobody that anything is sold to. */
  | { outcome: 'dropped' }
  | { outcome: 'failed'; reason: string }

export type Stream = {
  /** As people know it; how it fares is reported under it. */
  name: string
  /** Its name in SOURCES. */
  source: string
  /** Whether it can be read beyond being named in SOURCES. */
  isOn?: (config: Config) => boolean
  /** Whether what it tells of one company, or of a signal, can be asked for as well: then scans and discovery ask. */
  isSearchable?: true
  /** Whether each of its feeds is a source of its own, and says how it fares under its own name. */
  reportsHealthPerFeed?: true
  /** What it consists of: subjects, states, forms. Each is read on its own. */
  feeds: readonly string[]
  /** How often each is read. */
  everyMinutes: number
  /** How far back the first reading goes. */
  firstDays: number
  read: (deps: ProviderDeps, feed: string, known: FeedState) => Promise<FeedResult>
  /** Opens an item that is of interest, where it is a summary only. */
  open?: (deps: ProviderDeps, item: StreamItem) => Promise<OpenItemResult>
}

/** A feed may hold any number of items; a reading takes the newest up to so many. */
export const MAX_ITEMS = 2_000
