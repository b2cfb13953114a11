import type { Deps } from '../../deps/deps.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { enabledStreams } from '../../providers/streams/index.ts'
import type { CompanyRef } from '../../providers/types.ts'
import type { SourcedDocument } from '../../resources/documents/store.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import { listItemsNamed } from './item-store.ts'
import { isAbout, openItem } from './match.ts'
import { NOT_READ, reportStreams } from './report.ts'

/** Of one stream. */
const MAX_ITEMS = 10
/** As long as other sources may take at most. */
const OPENING_MS = 2 * 60_000

/** What streams told of a company since a day, before it was an account or since. */
export async function toldOfCompany(
  deps: Deps,
  company: CompanyRef,
  since: string,
  signal: AbortSignal,
): Promise<{ documents: SourcedDocument[]; sources: SourceReport[] }> {
  const streams = enabledStreams(deps.config).flatMap(({ name, isSearchable: isAskable }) => (isAskable ? [] : [name]))
  const deadline = deadlineAfter(OPENING_MS, signal)
  const documents: SourcedDocument[] = []
  for (const item of await listItemsNamed(deps.db, streams, company.name, since, MAX_ITEMS)) {
    const opened = deadline.aborted ? 'later' : await openItem(deps, item, deadline).catch(orLater)
    // What cannot be opened now is told by its summary, which is true as well where it proves whose it is.
    const told = opened === 'later' ? item : opened
    if (told !== 'dropped' && isAbout(told, { ...company, is_subject: true })) {
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
