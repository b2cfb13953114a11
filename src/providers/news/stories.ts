import { getDomain } from 'tldts'
import { companyKey, findCompanyMentions } from '../../engine/companies/company-names.ts'
import { findHeadlineSubject } from '../../engine/companies/headline.ts'
import { documentPublication } from '../../engine/page/index.ts'
import { findBuiltinSignal } from '../../engine/signals/index.ts'
import { cutText } from '../../engine/text/storable.ts'
import { tokenize } from '../../engine/text/tokens.ts'
import { isoDate } from '../../shared/days.ts'
import { failedResult } from '../request.ts'
import {
  type CompanyRef,
  type FoundDocument,
  itemsResult,
  type Lead,
  mergeResults,
  type ProviderDeps,
  type SourceResult,
} from '../types.ts'
import { type FetchedContent, fetchPage } from '../web/fetch-page.ts'

const TIMEOUTS = { headers: 10_000, body: 10_000, total: 15_000 }
const MAX_BYTES = 3 * 1024 * 1024
const MAX_TEXT_CHARS = 60_000

type Article = Pick<FoundDocument, 'title' | 'text' | 'published_date' | 'published_by' | 'language'>

type ReadPage = (FetchedContent & { type: 'page' })['page']
type ArticlePage =
  | ({ outcome: 'read'; page: ReadPage } & ReturnType<typeof documentPublication>)
  | { outcome: 'gone' }
  | { outcome: 'failed'; reason: string }

/** The page of a news article. */
export async function fetchArticle(deps: ProviderDeps, url: string): Promise<ArticlePage> {
  const fetched = await fetchPage(deps, url, null, { timeouts: TIMEOUTS, maxBytes: MAX_BYTES })
  if (fetched.outcome === 'gone') return { outcome: 'gone' }
  if (fetched.outcome === 'failed') return failedResult(fetched.reason)
  if (fetched.outcome !== 'read' || fetched.type !== 'page' || fetched.page.text === '')
    return failedResult('The page contains no text.')
  return { outcome: 'read', page: fetched.page, ...documentPublication(fetched.page) }
}

/** The article on the page of a story; null when it cannot be read. */
async function readArticle(deps: ProviderDeps, url: string): Promise<Article | null> {
  const fetched = await fetchArticle(deps, url)
  if (fetched.outcome !== 'read') return null
  const { page, published_date, published_by } = fetched
  const { title, text, language } = page
  return { title, text: cutText(text, MAX_TEXT_CHARS), published_date, published_by, language }
}

/** A story in the results of a news source, with the date it was found. */
export type Story = { url: string; title: string; published_date: string }

export const MAX_TITLE_CHARS = 300

/** Articles opened in one search. */
const MAX_OPENED = 10

/**
 * Fetches the articles of stories as documents, since a search result proves nothing about a page. Fails when none of
 * the articles could be read, because that is not the same as no articles.
 */
export async function fetchMentions(
  deps: ProviderDeps,
  source: string,
  stories: readonly Story[],
): Promise<SourceResult<FoundDocument>> {
  const opened = await Promise.all(stories.slice(0, MAX_OPENED).map((story) => openStory(deps, story)))
  const documents = opened.filter((document) => document !== null)
  if (opened.length > 0 && documents.length === 0) {
    return failedResult(`${source} lists stories about the company, but none of the articles opened could be read.`)
  }
  return itemsResult(documents)
}

async function openStory(deps: ProviderDeps, story: Story): Promise<FoundDocument | null> {
  const article = await readArticle(deps, story.url)
  return (
    article && {
      url: story.url,
      kind: 'mention',
      title: containsTitle(article, story.title) ? story.title : article.title,
      text: article.text,
      published_date: publicationDate(article.published_date, story.published_date),
      published_by: dateSource(article, story),
      language: article.language ?? null,
    }
  )
}

/** Whether the page contains the listed title, which lacks the name of the newspaper and is preferred. */
const containsTitle = ({ title, text }: Article, listed: string) =>
  `${title ?? ''}\n${text}`.toLowerCase().includes(listed.toLowerCase())

/** A lead's document with its text: a search result is opened; null when that fails. */
export async function openLead<D extends FoundDocument>(deps: ProviderDeps, document: D): Promise<D | null> {
  if (document.text !== '') return document
  const { url, title, published_date } = document
  const opened = await openStory(deps, {
    url,
    title: title ?? '',
    published_date: published_date ?? isoDate(deps.now()),
  })
  return opened && { ...document, ...opened }
}

const dateSource = ({ published_date, published_by = null }: Article, { published_date: listed }: Story) =>
  published_date !== null && published_date <= listed ? published_by : null

/** A story linked today may be years old, so an article without a date has an unknown one. */
export function publicationDate(written: string | null, listed: string): string | null {
  return written !== null && written > listed ? listed : written
}

/** "How we lost our data (2019) [pdf]": a year in the title marks an old story. */
const YEAR_IN_TITLE = /\(((?:19|20)\d{2})\)(?: ?\[[\w ]{1,20}\])?$/

/** The date of a story; null when its title shows that it is older. */
export function listedDay({ title, published_date }: Pick<Story, 'title' | 'published_date'>): string | null {
  const year = YEAR_IN_TITLE.exec(title)?.[1]
  return year === undefined || published_date.startsWith(year) ? published_date : null
}

/** Whether a headline mentions the company, and not a namesake with a longer name. */
export function headlineNamesCompany(title: string, company: CompanyRef): boolean {
  const tokens = tokenize(title)
  // In a headline in title case, capitals do not distinguish names.
  const titleEnd = isCapitalisedThroughout(title) ? title.length : 0
  return findCompanyMentions(tokens, title.toLowerCase(), { name: company.name }, titleEnd).mentions.length > 0
}

function isCapitalisedThroughout(title: string): boolean {
  const words = title.match(/\p{L}{4,}/gu) ?? []
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2
}

/** Finds leads for each signal; `search` returns the stories whose headline contains one of the phrases. */
export async function findLeadsBySignal(
  signalIds: readonly string[],
  limit: number,
  search: (phrases: readonly string[]) => Promise<SourceResult<Story>>,
): Promise<SourceResult<Lead>> {
  const results: SourceResult<Lead>[] = []
  for (const signalId of signalIds) {
    const phrases = findBuiltinSignal(signalId)?.headline.phrases
    if (!phrases) continue
    const found = await search(phrases)
    results.push(found.outcome === 'items' ? itemsResult(leadsInStories(found.items, signalId)) : found)
    if (found.outcome === 'nothing' || found.reason === undefined) continue
    // The next search would fail as well.
    results.push(failedResult(found.reason))
    break
  }
  return mergeResults(results, limit)
}

/** Leads in stories found for a signal: those whose headline identifies the company, each company once. */
function leadsInStories(stories: readonly Story[], signalId: string): Lead[] {
  const leads = new Map<string, Lead>()
  for (const story of stories) {
    const { url, title } = story
    const published_date = listedDay(story)
    const name = findHeadlineSubject(title, signalId)
    if (!published_date || !name || leads.has(companyKey(name))) continue
    leads.set(companyKey(name), {
      company: { name, domain: findStoryDomain(url, name) },
      signal_id: signalId,
      // The text is fetched when the company is researched.
      document: { url, kind: 'mention', title, text: '', published_date },
    })
  }
  return [...leads.values()]
}

/** A story on acme-robotics.com about Acme Robotics is on the company's website. */
export function findStoryDomain(url: string, name: string): string | null {
  const domain = getDomain(url)
  const label = domain?.split('.')[0]?.replaceAll('-', '')
  return domain && label === companyKey(name).replaceAll(' ', '') ? domain : null
}
