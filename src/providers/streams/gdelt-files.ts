import type { ListedArchive } from '../../engine/content/zip.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { type ProviderResponse, reportUnexpectedFormat, requestProvider } from '../request.ts'
import type { ProviderDeps } from '../types.ts'

export const NAME = 'GDELT'

/** The bucket of data.gdeltproject.org, whose own certificate may be for another name. */
const FOLDER = 'https://storage.googleapis.com/data.gdeltproject.org/gdeltv2'
/** No limit is published. */
const PACE: Pace = { kind: 'gdelt', intervalMs: 50, concurrency: 1 }
const TIMEOUTS = { headers: 15_000, body: 15_000, total: 120_000 }
/** The largest files have about 15 MB. */
const MAX_FILE_BYTES = 48 * 1024 * 1024

/** The list of all files has more than 100 MB; its end covers two days. */
const LIST_END_BYTES = 64 * 1024
const MAX_LIST_BYTES = 2 * LIST_END_BYTES

type Listed = Pick<ListedArchive, 'size' | 'md5'>

/** The files of one quarter of an hour. `stamp`: YYYYMMDDHHMMSS in UTC. */
export type GdeltPeriod = { stamp: string; articles: Listed; mentions: Listed | null }

const LINE = /^(\d{1,12}) ([0-9a-f]{32}) \S*\/gdeltv2\/(\d{14})\.(gkg|mentions)\.csv\.zip$/i

type ListResponse<T> = Exclude<ProviderResponse<T>, { outcome: 'nothing' }>

/** The newest period. */
export async function fetchLatest(deps: ProviderDeps): Promise<ListResponse<GdeltPeriod>> {
  const found = await fetchList(deps, 'lastupdate.txt', {})
  const latest = found.outcome === 'ok' ? found.value.at(-1) : undefined
  return found.outcome === 'ok' ? (latest ? { outcome: 'ok', value: latest } : unexpected(deps)) : found
}

/** The periods of about the last two days, in order. */
export async function fetchRecent(deps: ProviderDeps): Promise<ListResponse<GdeltPeriod[]>> {
  // The end of a compressed list could not be decompressed.
  const headers = { range: `bytes=-${LIST_END_BYTES}`, 'accept-encoding': 'identity' }
  const found = await fetchList(deps, 'masterfilelist.txt', headers)
  return found.outcome === 'ok' && found.value.length === 0 ? unexpected(deps) : found
}

async function fetchList(
  deps: ProviderDeps,
  name: string,
  headers: Record<string, string>,
): Promise<ListResponse<GdeltPeriod[]>> {
  const options = { pace: PACE, timeouts: TIMEOUTS, maxBytes: MAX_LIST_BYTES, missing: 'failed', headers } as const
  const response = await requestProvider(deps, NAME, `${FOLDER}/${name}`, options)
  if (response.outcome !== 'ok') return response as ListResponse<never>
  return { outcome: 'ok', value: periodsIn(response.value.text()) }
}

const unexpected = (deps: ProviderDeps) => reportUnexpectedFormat(deps, NAME)

/** Some lines of the list have no file, and the first one may be incomplete. */
function periodsIn(list: string): GdeltPeriod[] {
  const found = new Map<string, Partial<Record<'gkg' | 'mentions', Listed>>>()
  for (const line of list.split('\n')) {
    const [, size, md5 = '', stamp = '', kind = ''] = LINE.exec(line.trim()) ?? []
    if (size === undefined) continue
    found.set(stamp, { ...found.get(stamp), [kind.toLowerCase()]: { size: Number(size), md5: md5.toLowerCase() } })
  }
  return [...found]
    .flatMap(([stamp, { gkg, mentions = null }]) => (gkg ? [{ stamp, articles: gkg, mentions }] : []))
    .sort((a, b) => a.stamp.localeCompare(b.stamp))
}

/** A file of a period; `nothing` when it does not exist, which happens although it is listed. */
export async function fetchFile(
  deps: ProviderDeps,
  { stamp }: GdeltPeriod,
  kind: 'gkg.csv' | 'mentions.CSV',
  { size, md5 }: Listed,
): Promise<ProviderResponse<ListedArchive>> {
  const options = { pace: PACE, timeouts: TIMEOUTS, maxBytes: MAX_FILE_BYTES }
  const response = await requestProvider(deps, NAME, `${FOLDER}/${stamp}.${kind}.zip`, options)
  return response.outcome === 'ok' ? { outcome: 'ok', value: { body: response.value.body, size, md5 } } : response
}
