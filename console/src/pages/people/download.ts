import { ApiError, api } from '../../api/client.ts'
import { saveFile } from '../../lib/save-file.ts'
import type { peopleFilters } from './search.ts'

/** Downloads all people that match the filters as CSV. */
export async function downloadCsv(filters: ReturnType<typeof peopleFilters>): Promise<void> {
  const { data } = await api.GET('/v1/people', {
    params: { query: filters },
    headers: { accept: 'text/csv' },
    parseAs: 'blob',
  })
  if (data) saveFile(data as unknown as Blob, 'people.csv')
}

/** Guards against an endless loop; no real export is this long. */
const MAX_PARTS = 1_000

/** Downloads all data about a person as one JSON file. */
export async function downloadPerson(id: string, name: string): Promise<void> {
  const parts: unknown[] = []
  for (let page = 1; page <= MAX_PARTS; page++) {
    const { data } = await api.GET('/v1/people/{id}/export', { params: { path: { id }, query: { page } } })
    if (!data) throw new ApiError(500, {})
    parts.push(data.data)
    if (!data.data.has_more) break
  }
  const text = JSON.stringify(parts.length === 1 ? parts[0] : parts, null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.json`)
}
