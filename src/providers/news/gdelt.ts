import { parseDate } from '../../engine/dates/find-dates.ts'
import { listAt, textAt, urlAt } from '../../engine/json/fields.ts'
import { cutText, parseJson, toStorable } from '../../engine/text/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { failedResult, reportUnexpectedFormat, requestProvider } from '../request.ts'
import { type DocumentSource, itemsResult, type LeadSource, type ProviderDeps, type SourceResult } from '../types.ts'
import { fetchMentions, findLeadsBySignal, headlineNamesCompany, MAX_TITLE_CHARS, type Story } from './stories.ts'

const NAME = 'GDELT'
const PACE: Pace = { kind: 'gdelt', intervalMs: 5_000, concurrency: 1 }
/** The search covers three months. */
const MAX_DAYS = 90
const MAX_RECORDS = 250

/** Articles on news sites worldwide whose headline mentions the company. */
export const gdelt: DocumentSource = {
  name: NAME,
  async find(deps, company, since) {
    const found = await articles(deps, `"${company.name.replaceAll('"', ' ').trim()}"`, since)
    if (found.outcome !== 'items') return found
    const named = found.items.filter(({ title }) => headlineNamesCompany(title, company))
    return fetchMentions(deps, NAME, named)
  },
}

/** Companies that show a signal according to headlines on news sites worldwide. */
export const gdeltLeads: LeadSource = {
  name: NAME,
  leads: (deps, signalIds, since, limit) =>
    findLeadsBySignal(signalIds, limit, (phrases) => {
      const quoted = phrases.map((phrase) => `"${phrase}"`)
      return articles(deps, quoted.length > 1 ? `(${quoted.join(' OR ')})` : quoted.join(), since)
    }),
}

async function articles(deps: ProviderDeps, query: string, since: string): Promise<SourceResult<Story>> {
  const days = Math.ceil((deps.now().getTime() - Date.parse(since)) / 86_400_000)
  const parameters = new URLSearchParams({
    query: `${query} sourcelang:english`,
    mode: 'ArtList',
    format: 'json',
    sort: 'DateDesc',
    maxrecords: String(MAX_RECORDS),
    timespan: `${Math.min(Math.max(days, 1), MAX_DAYS)}d`,
  })
  const url = `https://api.gdeltproject.org/api/v2/doc/doc?${parameters}`
  const response = await requestProvider(deps, NAME, url, { pace: PACE, maxBytes: 4 * 1024 * 1024, missing: 'failed' })
  if (response.outcome !== 'ok') return response
  const parsed = parseResponse(response.value.text())
  if (parsed.outcome === 'failed') return parsed
  // Without matches the response is an empty object.
  const isEmpty = typeof parsed.value === 'object' && parsed.value !== null && Object.keys(parsed.value).length === 0
  const listed = isEmpty ? [] : listAt(parsed.value, 'articles')
  const stories = (listed ?? []).flatMap(read)
  if (!listed || (listed.length > 0 && stories.length === 0)) return reportUnexpectedFormat(deps, NAME)
  return itemsResult(stories.filter((story) => story.published_date >= since))
}

/** An error is a plain sentence, often with status 200. */
function parseResponse(text: string): { outcome: 'ok'; value: unknown } | { outcome: 'failed'; reason: string } {
  try {
    return { outcome: 'ok', value: parseJson(text) }
  } catch {
    const said = cutText(toStorable(text).replaceAll(/\s+/g, ' ').trim(), 200)
    return failedResult(said === '' ? `${NAME} answered nothing.` : `${NAME} refused: ${said}`)
  }
}

function read(article: unknown): Story[] {
  const [url, title] = [urlAt(article, 'url'), textAt(article, 'title')]
  const seen = parseDate(textAt(article, 'seendate'))
  if (!url || !title || !seen) return []
  return [{ url, title: tidy(cutText(title, MAX_TITLE_CHARS)), published_date: seen }]
}

/** Removes the spaces that GDELT puts around punctuation. */
function tidy(title: string): string {
  return title
    .replaceAll(/ +([,.:;!?%)’'])/g, '$1')
    .replaceAll(/([$€£(]) +/g, '$1')
    .replaceAll(/ +/g, ' ')
}
