import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { textAt } from '../../engine/json/fields.ts'
import { registrableDomain } from '../../engine/text/web-address.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { isSameCompany, mentionsCompanyDomain } from '../../providers/company-proof.ts'
import { isOtherLegalName } from '../../providers/registers/legal-name.ts'
import { enabledStreams, STREAMS } from '../../providers/streams/index.ts'
import type { Lead, ProviderParts } from '../../providers/types.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { type AccountIdentity, identityNames } from '../../resources/account-relations/identity-store.ts'
import type { SourcedDocument } from '../../resources/documents/store.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import type { MatchingAccount } from './match-store.ts'
import { readStreams } from './read.ts'
import { listFeeds, listItemsNamed, listLeadItems, type StoredItem, saveOpenedItem } from './store.ts'

/** The limit per stream. */
const MAX_ITEMS = 10
/** The same limit as for other sources. */
const OPENING_MS = 2 * 60_000

/**
 * The documents about a company that streams have published since a day, including the time before it was an account.
 */
export async function findStreamDocuments(
  deps: Deps,
  company: AccountIdentity,
  since: string,
  signal: AbortSignal,
): Promise<{ documents: SourcedDocument[]; sources: SourceReport[] }> {
  const streams = enabledStreams(deps.config).flatMap(({ name, isSearchable }) => (isSearchable ? [] : [name]))
  const deadline = deadlineAfter(OPENING_MS, signal)
  const documents: SourcedDocument[] = []
  const names = identityNames(company)
  const asked = names.map(({ name }) => name)
  for (const item of await listItemsNamed(deps.db, streams, asked, since, MAX_ITEMS)) {
    const opened = deadline.aborted ? 'later' : await openItem(deps, item, deadline).catch(orLater)
    // An item that cannot be opened now is used with its summary, if that proves which company it is about.
    const usable = opened === 'later' ? item : opened
    if (usable === 'dropped') continue
    const stated = names.filter(({ name }) => companyKey(name) === companyKey(usable.company.name))
    if (stated.some((name) => isAboutAccount(usable, { ...name, is_subject: true }))) {
      documents.push({ ...usable.document, source: item.stream })
    }
  }
  signal.throwIfAborted()
  const given = new Map([...Map.groupBy(documents, ({ source }) => source)].map(([name, { length }]) => [name, length]))
  // Streams that were never read are left to the next scan and are not a failure of this one.
  const sources = (await reportStreams(deps.db, given, streams)).filter(({ reason }) => reason !== NOT_READ)
  return { documents, sources }

  function orLater(error: unknown): 'later' {
    if (!deadline.aborted) throw error
    return 'later'
  }
}

/** The reason of a stream that the installation has not read yet. */
const NOT_READ = 'It was not read yet.'

/**
 * The state of streams, with the number of items that each contributed. A stream has failed when all its feeds fail.
 */
async function reportStreams(
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
    // A feed that was claimed but never read completely has not been read.
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

/** The time limit for the first read of the streams, on an installation that has read none. */
const FIRST_READING_MS = 2 * 60_000
/** Opening each one costs a request. */
const MAX_LEADS = 40

/** Companies, whether or not they are accounts, for which streams have reported one of the signals since a day. */
export async function findStreamLeads(
  parts: Parts,
  signalIds: readonly string[],
  since: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ leads: (Lead & { source: string })[]; sources: SourceReport[] }> {
  const { db, config } = parts
  const read = enabledStreams(config).filter(({ isSearchable }) => !isSearchable)
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

/** Opens items, in their order. One that cannot be opened in time is left out, unless its kind proves a signal. */
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

/** The item with its full text, which is fetched once and stored for all workspaces. */
export async function openItem(
  parts: Pick<Deps, 'db'> & ProviderParts,
  item: StoredItem,
  signal: AbortSignal,
): Promise<StoredItem | 'dropped' | 'later'> {
  const stream = STREAMS.get(item.stream)
  if (item.is_whole || !stream?.open) return item
  const opened = await stream.open(toProviderDeps(parts, signal), item)
  if (opened.outcome === 'failed') return 'later'
  await saveOpenedItem(parts.db, item.id, opened)
  if (opened.outcome === 'dropped') return 'dropped'
  return { ...item, document: opened.document, hints: opened.hints, is_whole: true, is_opened: true }
}

/**
 * Whether an item is about the account, and not about another company of the same name. An item that could not be
 * opened might name another site, so its name is proof only in a public record. A name with another legal form than the
 * account's is that of another company. An item of a register is about the account that has the record.
 */
export function isAboutAccount(
  item: StoredItem,
  account: Pick<MatchingAccount, 'name' | 'domains' | 'legal_names' | 'records' | 'is_subject'>,
) {
  const { name, domains, legal_names, records, is_subject } = account
  const { company, document, hints, ref } = item
  const record = textAt(ref, 'register_id')
  if (record !== null) return records.includes(record)
  const named = [...(company.domain ? [company.domain] : []), ...(hints?.named ?? [])]
  const text = `${document.title ?? ''}\n${document.text}`
  const isRead = item.is_opened || (document.tells?.length ?? 0) > 0
  // An article by others proves nothing unless it could be read, whatever its listing says.
  if (document.kind === 'mention' && !isRead) return false
  const isNamed = domains.some(
    (domain) =>
      (document.kind === 'mention' && isOnSite(document.url, domain)) ||
      mentionsCompanyDomain({ name, domain }, named, text),
  )
  if (!is_subject || !isRead || isOtherLegalName(company.name, legal_names)) return isNamed
  const sites = domains.length > 0 ? domains : [null]
  return isNamed || sites.some((domain) => isSameCompany({ name, domain }, { name: company.name, named, text }))
}

const isOnSite = (url: string, domain: string) => registrableDomain(url) === (registrableDomain(domain) ?? domain)
