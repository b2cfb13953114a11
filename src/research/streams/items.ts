import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { isTheCompany, namesDomain } from '../../providers/company-proof.ts'
import { STREAMS, streamsOn } from '../../providers/streams/index.ts'
import type { CompanyRef, Lead, ProviderParts } from '../../providers/types.ts'
import { forProviders } from '../../providers/types.ts'
import type { SourcedDocument } from '../../resources/documents/store.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import { readStreams } from './read.ts'
import {
  listFeeds,
  listItemsNamed,
  listLeadItems,
  type MatchingAccount,
  type StoredItem,
  saveOpenedItem,
} from './store.ts'

/** Of one stream. */
const MAX_ITEMS = 10
/** As long as other sources may take at most. */
const OPENING_MS = 2 * 60_000

/** What streams told of a company since a day, before it was an account or since. */
export async function findStreamDocuments(
  deps: Deps,
  company: CompanyRef,
  since: string,
  signal: AbortSignal,
): Promise<{ documents: SourcedDocument[]; sources: SourceReport[] }> {
  const streams = streamsOn(deps.config).flatMap(({ name, isAskable }) => (isAskable ? [] : [name]))
  const deadline = deadlineAfter(OPENING_MS, signal)
  const documents: SourcedDocument[] = []
  for (const item of await listItemsNamed(deps.db, streams, company.name, since, MAX_ITEMS)) {
    const opened = deadline.aborted ? 'later' : await openItem(deps, item, deadline).catch(orLater)
    // What cannot be opened now is told by its summary, which is true as well where it proves whose it is.
    const told = opened === 'later' ? item : opened
    if (told !== 'dropped' && isAboutAccount(told, { ...company, is_subject: true })) {
      documents.push({ ...told.document, source: item.stream })
    }
  }
  signal.throwIfAborted()
  const given = new Map([...Map.groupBy(documents, ({ source }) => source)].map(([name, { length }]) => [name, length]))
  // Those that were never read belong to the next scan, and are no failure of this one.
  const sources = (await reportStreams(deps.db, given, streams)).filter(({ reason }) => reason !== NOT_READ)
  return { documents, sources }

  function orLater(error: unknown): 'later' {
    if (!deadline.aborted) throw error
    return 'later'
  }
}

/** A stream that the installation has not come to yet. */
export const NOT_READ = 'It was not read yet.'

/** How streams fare, with how much each gave to the work at hand. One of which every feed fails has failed. */
export async function reportStreams(
  db: Db,
  given: ReadonlyMap<string, number>,
  streams: readonly string[],
): Promise<SourceReport[]> {
  const feeds = Map.groupBy(await listFeeds(db, streams), ({ stream }) => stream)
  return streams.map((name) => {
    const all = feeds.get(name) ?? []
    const failing = all.filter(({ failure }) => failure !== null)
    const items = given.get(name) ?? 0
    const reason = reasonOf(failing.length, all.length, failing[0]?.failure ?? null)
    if (items > 0) return { name, outcome: 'items', items, reason }
    // Taken up and never read to the end is not read either.
    if (all.every(({ read_at, failure }) => read_at === null && failure === null)) {
      return { name, outcome: 'failed', items, reason: NOT_READ }
    }
    return { name, outcome: failing.length === all.length ? 'failed' : 'nothing', items, reason }
  })
}

function reasonOf(failing: number, all: number, first: string | null): string | null {
  if (first === null || failing === all) return first
  return `${failing} of ${all} feeds could not be read. ${first}`
}

type Parts = Pick<Deps, 'db'> & ProviderParts

/** On an installation that has read nothing yet, discovery waits so long for the streams. */
const FIRST_READING_MS = 2 * 60_000
/** Each costs a page. */
const MAX_LEADS = 40

/** Companies, known or not, of which streams told since a day that they likely show one of the signals. */
export async function findStreamLeads(
  parts: Parts,
  signalIds: readonly string[],
  since: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ leads: (Lead & { source: string })[]; sources: SourceReport[] }> {
  const { db, config } = parts
  const read = streamsOn(config).filter(({ isAskable }) => !isAskable)
  if (read.length === 0) return { leads: [], sources: [] }
  const streams = read.map(({ name }) => name)
  await readStreams(parts, signal, { streams: read, onlyNew: true, deadline: deadlineAfter(FIRST_READING_MS, signal) })
  const items = await listLeadItems(db, streams, signalIds, since, Math.min(limit, MAX_LEADS))
  const opened = await openAll(parts, items, signal)
  const leads = opened.flatMap(({ stream, company, document, about, hints }) => {
    const signal_id = about.find((id) => signalIds.includes(id))
    return signal_id ? [{ company, signal_id, document, source: stream, ...(hints && { hints }) }] : []
  })
  const given = new Map([...Map.groupBy(leads, ({ source }) => source)].map(([name, { length }]) => [name, length]))
  return { leads, sources: await reportStreams(db, given, streams) }
}

/** With their texts, in their order. What cannot be opened in time proves nothing, unless its kind does. */
async function openAll(parts: Parts, items: readonly StoredItem[], signal: AbortSignal): Promise<StoredItem[]> {
  const deadline = deadlineAfter(OPENING_MS, signal)
  const found = new Map<number, StoredItem>()
  const waiting = items.values()
  const lane = async () => {
    for (const item of waiting) {
      const opened = deadline.aborted ? 'later' : await openItem(parts, item, deadline).catch(orLater)
      if (opened === 'later' && item.document.tells?.length) found.set(item.id, item)
      else if (typeof opened === 'object') found.set(item.id, opened)
    }
  }
  const orLater = (error: unknown) => {
    if (!deadline.aborted) throw error
    return 'later' as const
  }
  await Promise.all(Array.from({ length: parts.config.DISCOVERY_CONCURRENCY }, lane))
  signal.throwIfAborted()
  return items.flatMap(({ id }) => found.get(id) ?? [])
}

/** The item with its whole text, which is fetched once and kept for everybody. */
export async function openItem(
  parts: Pick<Deps, 'db'> & ProviderParts,
  item: StoredItem,
  signal: AbortSignal,
): Promise<StoredItem | 'dropped' | 'later'> {
  const stream = STREAMS.get(item.stream)
  if (item.is_whole || !stream?.open) return item
  const opened = await stream.open(forProviders(parts, signal), item)
  if (opened.outcome === 'failed') return 'later'
  await saveOpenedItem(parts.db, item.id, opened)
  if (opened.outcome === 'dropped') return 'dropped'
  return { ...item, document: opened.document, hints: opened.hints, is_whole: true, is_opened: true }
}

/**
 * Whether an item is about the account, and not about a namesake. What could not be opened might have named another site: then a
 * name is proof only of what a public body has on record.
 */
export function isAboutAccount(
  item: StoredItem,
  { name, domain, is_subject }: Pick<MatchingAccount, 'name' | 'domain' | 'is_subject'>,
) {
  const { company, document, hints } = item
  const named = [...(company.domain ? [company.domain] : []), ...(hints?.named ?? [])]
  const text = `${document.title ?? ''}\n${document.text}`
  const isNamed = namesDomain({ name, domain }, named, text)
  if (!is_subject || (!item.is_opened && !document.tells?.length)) return isNamed
  return isNamed || isTheCompany({ name, domain }, { name: company.name, named, text })
}
