import type { Deps } from '../../deps/deps.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { enabledStreams } from '../../providers/streams/index.ts'
import type { Lead, ProviderParts } from '../../providers/types.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import { type KeptItem, listLeadItems } from './item-store.ts'
import { openItem } from './match.ts'
import { readStreams } from './read.ts'
import { reportStreams } from './report.ts'

type Parts = Pick<Deps, 'db'> & ProviderParts

/** On an installation that has read nothing yet, discovery waits so long for the streams. */
const FIRST_READING_MS = 2 * 60_000
const OPENING_MS = 2 * 60_000
/** Each costs a page. */
const MAX_LEADS = 40

/** Companies, known or not, of which streams told since a day that they likely show one of the signals. */
export async function streamLeads(
  parts: Parts,
  signalIds: readonly string[],
  since: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ leads: (Lead & { source: string })[]; sources: SourceReport[] }> {
  const { db, config } = parts
  const read = enabledStreams(config).filter(({ isSearchable: isAskable }) => !isAskable)
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
async function openAll(parts: Parts, items: readonly KeptItem[], signal: AbortSignal): Promise<KeptItem[]> {
  const deadline = deadlineAfter(OPENING_MS, signal)
  const found = new Map<number, KeptItem>()
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
