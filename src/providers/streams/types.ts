import type { Config } from '../../config/config.ts'
import type { RegisterRecord } from '../registers/types.ts'
import type { CompanyRef, FoundDocument, ProviderDeps, SiteHints } from '../types.ts'

// A stream publishes items about companies: press releases, filings, awards, notices. It is read once for all accounts
// of all workspaces and matched with them afterwards, so its cost does not grow with their number.

/** An item about one company. */
export type StreamItem = {
  /** Identifies the item within the stream; the same item always has the same key. */
  key: string
  /** As spelled by the stream; with a domain only if the stream contains it. */
  company: CompanyRef
  document: FoundDocument
  /** Signals that the item is likely about; discovery uses it as a lead for them. */
  about: readonly string[]
  /** False when the item is stored because its company is an account: as a lead, it would reveal accounts of other workspaces. */
  isLead?: false
  /** Domains and witnesses in the item that may prove which company it is about. */
  hints?: SiteHints
  /**
   * Data that the stream needs to open the item; or the `register` and `register_id` of the company, which alone prove the
   * account that the item is about.
   */
  ref?: JsonValue
}

export type JsonValue = { readonly [key: string]: unknown }

/** Which companies are active accounts of any workspace, for a stream that cannot store all of its items. */
export type AccountLookup = {
  /** Those of the names that an account has. */
  named: (companyNames: readonly string[]) => Promise<Set<string>>
  /** The legal names of the companies of active accounts with one of these ids in a public register, by id. */
  registered: (register: RegisterRecord['register'], ids: readonly string[]) => Promise<Map<string, string>>
}

/** The first day to read, the state that the previous run returned, and the accounts. */
export type FeedState = { since: string; state: JsonValue | null; accounts: AccountLookup }

/**
 * The result of a run; `state` is passed to the next one. A partly failed run returns its items and the reason. A failed
 * one returns a state if the next run must not read the same part again. `more`: there is more to read now.
 */
export type FeedResult = { more?: boolean } & (
  | { outcome: 'items'; items: StreamItem[]; state: JsonValue | null; reason?: string }
  | { outcome: 'nothing'; state: JsonValue | null; reason?: string }
  | { outcome: 'failed'; reason: string; state?: JsonValue }
)

/** The full document of an item that is a summary. */
export type OpenItemResult =
  | { outcome: 'read'; document: FoundDocument; hints: SiteHints }
  /** The item is about an organisation that is no potential customer. */
  | { outcome: 'dropped' }
  | { outcome: 'failed'; reason: string }

export type Stream = {
  /** The display name, which its health is reported under. */
  name: string
  /** Its name in SOURCES. */
  source: string
  /** Whether the rest of the configuration allows it. */
  isOn?: (config: Config) => boolean
  /** Whether it can also be searched by company or signal; scans and discovery then search it directly. */
  isSearchable?: true
  /** The names of the feeds, where each is a separate source that reports its health. */
  feedNames?: Readonly<Record<string, string>>
  /** Its parts: subjects, states, forms. Each is read separately. */
  feeds: readonly string[]
  /** The interval between two runs of a feed. */
  everyMinutes: number
  /** How many days the first run covers. */
  firstDays: number
  read: (deps: ProviderDeps, feed: string, known: FeedState) => Promise<FeedResult>
  /** Opens a relevant item that is only a summary. */
  open?: (deps: ProviderDeps, item: StreamItem) => Promise<OpenItemResult>
}

/** A feed may contain any number of items; a run takes the newest ones up to this limit. */
export const MAX_ITEMS = 2_000
