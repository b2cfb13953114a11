import { cutText } from '../../engine/text/storable.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { type FetchedContent, fetchPage, type PreviousFetch } from '../web/fetch-page.ts'
import { findNamedSites } from '../web/own-site.ts'
import type { FeedResult, FeedState, OpenItemResult, Stream, StreamItem } from './types.ts'

const TIMEOUTS = { headers: 15_000, body: 15_000, total: 30_000 }
const MAX_TEXT_CHARS = 60_000
const MAX_TITLE_CHARS = 500

/** Subjects of releases that are not news by the company itself. */
const OTHERS_NEWS = /^(?:class action|law (?:and|&) legal issues|market research reports?|.*\blaw firm\b.*)$/i

type WireFeed = {
  url: string
  /** Signals that releases with this subject are likely about. */
  about: readonly string[]
}

type Wire = Pick<Stream, 'name' | 'source'> & {
  feeds: Readonly<Record<string, WireFeed>>
  /** Whether the wire responds to an unknown URL with another feed, which has no title. */
  isNamed?: boolean
}

/** A press release service with a feed per subject and the issuing company in each item. */
export function createWireStream({ name, source, feeds, isNamed = false }: Wire): Stream {
  return {
    name,
    source,
    feeds: Object.keys(feeds),
    everyMinutes: 10,
    firstDays: 30,
    async read(deps, feed, { since, state }) {
      const { url, about } = feeds[feed] as WireFeed
      const found = await fetchPage(deps, url, previousFetchOf(state), { timeouts: TIMEOUTS })
      if (found.outcome === 'unchanged') {
        await deps.health.report(name, null)
        return { outcome: 'nothing', state }
      }
      if (found.outcome === 'failed' && found.unreadable) return reportUnexpectedFormat(deps, name)
      if (found.outcome !== 'read') return unavailable(deps, name, found.reason)
      // A subject always has releases, so a feed without any is the wrong one.
      const releases = found.type === 'feed' ? found.feed.items.filter(({ release }) => release) : []
      const isOther = found.type === 'feed' && isNamed && !found.feed.title
      const isIncomplete = releases.every(({ url, title, published_date }) => !url || !title || !published_date)
      if (isIncomplete || isOther) return reportUnexpectedFormat(deps, name)
      await deps.health.report(name, null)
      const items = releases
        .flatMap((item) => itemOf(item, about))
        .filter(({ document }) => (document.published_date as string) >= since)
        // Translations of a release share a key; the English one comes first and is used.
        .sort((a, b) => Number(isEnglish(b)) - Number(isEnglish(a)))
      const next = stateOf(found)
      return items.length > 0 ? { outcome: 'items', items, state: next } : { outcome: 'nothing', state: next }
    },
    open: openRelease,
  }
}

type Item = (FetchedContent & { type: 'feed' })['feed']['items'][number]

const isEnglish = ({ document }: StreamItem) => (document.language ?? 'en').startsWith('en')

function itemOf({ url, title, published_date, text, release }: Item, about: readonly string[]): StreamItem[] {
  if (!release || !url || !title || !published_date) return []
  const { company, key, language, subjects } = release
  if (subjects.some((subject) => OTHERS_NEWS.test(subject))) return []
  return [
    {
      key: key ?? url,
      company: { name: company, domain: null },
      document: {
        url,
        kind: 'article',
        title: cutText(title, MAX_TITLE_CHARS),
        text: text === '' ? title : cutText(text, MAX_TEXT_CHARS),
        published_date,
        language: language?.slice(0, 2) ?? null,
      },
      about,
    },
  ]
}

/** Fetches the page of a release, with the websites it attributes to the company. */
async function openRelease(deps: ProviderDeps, { company, document }: StreamItem): Promise<OpenItemResult> {
  const found = await fetchPage(deps, document.url, null, { timeouts: TIMEOUTS })
  if (found.outcome !== 'read') {
    return { outcome: 'failed', reason: found.outcome === 'unchanged' ? 'The page is empty.' : found.reason }
  }
  if (found.type !== 'page' || found.page.text === '')
    return { outcome: 'failed', reason: 'The page contains no text.' }
  const { page } = found
  return {
    outcome: 'read',
    document: {
      ...document,
      text: cutText(page.text, MAX_TEXT_CHARS),
      language: page.language ?? document.language ?? null,
    },
    hints: { named: findNamedSites(company.name, page), witnesses: [] },
  }
}

async function unavailable(deps: ProviderDeps, name: string, reason: string): Promise<FeedResult> {
  const message = `${name}: ${reason}`
  await deps.health.report(name, { kind: 'unavailable', message })
  return { outcome: 'failed', reason: message }
}

function previousFetchOf(state: FeedState['state']): PreviousFetch | null {
  const text = (field: string) => (typeof state?.[field] === 'string' ? (state[field] as string) : null)
  if (!state) return null
  const [etag, last_modified] = [text('etag'), text('last_modified')]
  return { etag, last_modified, content_hash: text('content_hash'), body_hash: text('body_hash') }
}

const stateOf = ({ etag, last_modified, content_hash, body_hash }: FetchedContent) => ({
  etag,
  last_modified,
  content_hash,
  body_hash,
})
