import { dateAt, isFieldMissing, listAt, textAt, urlAt } from '../../engine/json/fields.ts'
import { cutText } from '../../engine/text/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { reportUnexpectedFormat, requestJson } from '../request.ts'
import {
  type DocumentSource,
  itemsResult,
  type LeadSource,
  mergeResults,
  type ProviderDeps,
  type SourceResult,
} from '../types.ts'
import { fetchMentions, findLeadsBySignal, headlineNamesCompany, MAX_TITLE_CHARS, type Story } from './stories.ts'

const NAME = 'Hacker News'
/** 10,000 requests an hour per IP address. */
const PACE: Pace = { kind: 'hacker-news', intervalMs: 400, burst: 10, concurrency: 4 }
const PAGE = 100
/** Without the ids of all comments, which may be thousands. */
const FIELDS = ['hits', 'title', 'created_at', 'url', 'story_text']

/** Stories on Hacker News whose headline mentions the company. */
export const hackerNews: DocumentSource = {
  name: NAME,
  async find(deps, company, since) {
    const found = await stories(deps, company.name, since)
    if (found.outcome !== 'items') return found
    const named = found.items.filter(({ title }) => headlineNamesCompany(title, company))
    return fetchMentions(deps, NAME, named)
  },
}

/** Companies that show a signal according to headlines on Hacker News. */
export const hackerNewsLeads: LeadSource = {
  name: NAME,
  leads: (deps, signalIds, since, limit) =>
    findLeadsBySignal(signalIds, limit, async (phrases) => {
      const found: SourceResult<Story>[] = []
      for (const phrase of phrases) {
        const result = await stories(deps, phrase, since)
        found.push(result)
        // The next search would fail as well.
        if (result.outcome === 'failed') break
      }
      return mergeResults(found)
    }),
}

/** Stories whose headline contains the words, newest first. */
async function stories(deps: ProviderDeps, query: string, since: string): Promise<SourceResult<Story>> {
  const parameters = new URLSearchParams({
    query,
    tags: 'story',
    numericFilters: `created_at_i>${Math.floor(Date.parse(since) / 1000) - 1}`,
    restrictSearchableAttributes: 'title',
    typoTolerance: 'false',
    hitsPerPage: String(PAGE),
  })
  const url = `https://hn.algolia.com/api/v1/search_by_date?${parameters}`
  const options = { pace: PACE, maxBytes: 4 * 1024 * 1024, missing: 'failed', fields: FIELDS } as const
  const response = await requestJson(deps, NAME, url, options)
  if (response.outcome !== 'ok') return response
  const hits = listAt(response.value, 'hits')
  const isEmpty = (hits ?? []).length > 0 && hits?.every(hasNoContent)
  return !hits || isEmpty || isFieldMissing(hits, 'title', 'created_at')
    ? reportUnexpectedFormat(deps, NAME)
    : itemsResult(hits.flatMap(read))
}

/** A story has a URL or, as a text post by a user, a text. */
const hasNoContent = (hit: unknown) => textAt(hit, 'url') === null && textAt(hit, 'story_text') === null

function read(hit: unknown): Story[] {
  const [url, title, day] = [urlAt(hit, 'url'), textAt(hit, 'title'), dateAt(hit, 'created_at')]
  // A story without a URL is a text post by a user.
  if (!url || !title || !day) return []
  return [{ url, title: cutText(title, MAX_TITLE_CHARS), published_date: day }]
}
