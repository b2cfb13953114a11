import { parseDate } from '../../engine/dates/find-dates.ts'
import { listAt, textAt, urlAt } from '../../engine/json/fields.ts'
import { cutText, parseJson, toStorable } from '../../engine/text/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { ask, failed, misshapen } from '../ask.ts'
import { type DocumentSource, type Found, items, type LeadSource, type ProviderDeps } from '../types.ts'
import { leadsBySignal, MAX_TITLE_CHARS, mentions, namesCompany, type Story } from './stories.ts'

const NAME = 'GDELT'
const PACE: Pace = { kind: 'gdelt', intervalMs: 5_000, concurrency: 1 }
/** The search goes back three months. */
const MAX_DAYS = 90
const MAX_RECORDS = 250

/** Articles of the world's news sites whose headline names the company. */
export const gdelt: DocumentSource = {
  name: NAME,
  async find(deps, company, since) {
    const found = await articles(deps, `"${company.name.replaceAll('"', ' ').trim()}"`, since)
    if (found.outcome !== 'items') return found
    const named = found.items.filter(({ title }) => namesCompany(title, company))
    return mentions(deps, NAME, named)
  },
}

/** Companies that headlines of the world's news sites say show a signal. */
export const gdeltLeads: LeadSource = {
  name: NAME,
  leads: (deps, signalIds, since, limit) =>
    leadsBySignal(signalIds, limit, (phrases) => {
      const quoted = phrases.map((phrase) => `"${phrase}"`)
      return articles(deps, quoted.length > 1 ? `(${quoted.join(' OR ')})` : quoted.join(), since)
    }),
}

async function articles(deps: ProviderDeps, query: string, since: string): Promise<Found<Story>> {
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
  const asked = await ask(deps, NAME, url, { pace: PACE, maxBytes: 4 * 1024 * 1024, missing: 'failed' })
  if (asked.outcome !== 'answer') return asked
  const answer = readAnswer(asked.value.text())
  if (answer.outcome === 'failed') return answer
  // Without matches the answer is an empty object.
  const isEmpty = typeof answer.value === 'object' && answer.value !== null && Object.keys(answer.value).length === 0
  const listed = isEmpty ? [] : listAt(answer.value, 'articles')
  return listed ? items(listed.flatMap(read).filter((story) => story.published_date >= since)) : misshapen(deps, NAME)
}

/** A refusal comes as a sentence, often under status 200. */
function readAnswer(text: string): { outcome: 'answer'; value: unknown } | { outcome: 'failed'; reason: string } {
  try {
    return { outcome: 'answer', value: parseJson(text) }
  } catch {
    const said = cutText(toStorable(text).replaceAll(/\s+/g, ' ').trim(), 200)
    return failed(said === '' ? `${NAME} answered nothing.` : `${NAME} refused: ${said}`)
  }
}

function read(article: unknown): Story[] {
  const [url, title] = [urlAt(article, 'url'), textAt(article, 'title')]
  const seen = parseDate(textAt(article, 'seendate'))
  if (!url || !title || !seen) return []
  return [{ url, title: tidy(cutText(title, MAX_TITLE_CHARS)), published_date: seen }]
}

/** Headlines come with blanks around their punctuation. */
function tidy(title: string): string {
  return title
    .replaceAll(/ +([,.:;!?%)’'])/g, '$1')
    .replaceAll(/([$€£(]) +/g, '$1')
    .replaceAll(/ +/g, ' ')
}
