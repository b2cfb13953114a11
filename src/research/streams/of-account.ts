import type { Deps } from '../../deps.ts'
import { streamsOn } from '../../providers/streams/index.ts'
import type { CompanyRef } from '../../providers/types.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import type { SourcedDocument } from '../document-store.ts'
import { listItemsNamed } from './item-store.ts'
import { isAbout, openItem } from './match.ts'
import { NOT_READ, reportStreams } from './report.ts'

const MAX_ITEMS = 20

/** What streams told of a company since a day, before it was an account or since. */
export async function toldOfCompany(
  deps: Deps,
  company: CompanyRef,
  since: string,
  signal: AbortSignal,
): Promise<{ documents: SourcedDocument[]; sources: SourceReport[] }> {
  const streams = streamsOn(deps.config).flatMap(({ name, isAskable }) => (isAskable ? [] : [name]))
  const documents: SourcedDocument[] = []
  for (const item of await listItemsNamed(deps.db, company.name, since, MAX_ITEMS)) {
    if (!streams.includes(item.stream)) continue
    const opened = await openItem(deps, item, signal)
    // What cannot be opened now is told by its summary, which is true as well.
    const told = opened === 'later' ? item : opened
    if (told === 'dropped') continue
    if (isAbout(told, { ...company, is_subject: true })) documents.push({ ...told.document, source: item.stream })
  }
  const given = new Map([...Map.groupBy(documents, ({ source }) => source)].map(([name, { length }]) => [name, length]))
  // Those that were never read belong to the next scan, and are no failure of this one.
  const sources = (await reportStreams(deps.db, given, streams)).filter(({ reason }) => reason !== NOT_READ)
  return { documents, sources }
}
