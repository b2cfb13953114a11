import { getDomain } from 'tldts'
import { companyKey, findCompanyMentions } from '../../engine/companies/company-names.ts'
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
import { fetchPage } from '../web/fetch-page.ts'
import { findHeadlineSubject } from './headline.ts'

const TIMEOUTS = { headers: 10_000, body: 10_000, total: 15_000 }
const MAX_BYTES = 3 * 1024 * 1024
const MAX_TEXT_CHARS = 60_000

type Article = Pick<FoundDocument, 'title' | 'text' | 'published_date' | 'published_by' | 'language'>

/** What the page of a story says, as far as its site lets it be read; null otherwise. */
async function readArticle(deps: ProviderDeps, url: string): Promise<Article | null> {
  const seen = await fetchPage(deps, url, null, { timeouts: TIMEOUTS, maxBytes: MAX_BYTES })
  if (seen.outcome !== 'read' || seen.type !== 'page' || seen.page.text === '') return null
  const { title, text, language } = seen.page
  return { title, text: cutText(text, MAX_TEXT_CHARS), ...documentPublication(seen.page), language }
}

/** A story as a news source lists it: its address, its headline, the day it was seen. */
export type Story = { url: string; title: string; published_date: string }

export const MAX_TITLE_CHARS = 300

/** Articles opened in one look. */
const MAX_OPENED = 10

/**
 * Stories of a source as documents, as far as their articles can be read: how a search calls a page proves nothing of it. Where
 * none can be read, what they tell is not known, which is not the same as nothing.
 */
export async function fetchMentions(
  deps: ProviderDeps,
  source: string,
  stories: readonly Story[],
): Promise<SourceResult<FoundDocument>> {
  const opened = await Promise.all(stories.slice(0, MAX_OPENED).map((story) => openStory(deps, story)))
  const documents = opened.filter((document) => document !== null)
  if (opened.length > 0 && documents.length === 0) {
    return failedResult(`${source} lists stories about the company, but none of those tried could be read.`)
  }
  return itemsResult(documents)
}

async function openStory(deps: ProviderDeps, story: Story): Promise<FoundDocument | null> {
  const article = await readArticle(deps, story.url)
  return (
    article && {
      url: story.url,
      kind: 'mention',
      title: saysTitle(article, story.title) ? story.title : article.title,
      text: article.text,
      published_date: earlier(article.published_date, story.published_date),
      published_by: byArticle(article, story),
      language: article.language ?? null,
    }
  )
}

/** Whether the page says the title itself: without the name of the paper, as a search lists it, it reads better. */
const saysTitle = ({ title, text }: Article, listed: string) =>
  `${title ?? ''}\n${text}`.toLowerCase().includes(listed.toLowerCase())

/** A lead's document with its text: what a search named is opened, and null where that cannot be read. */
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

const byArticle = ({ published_date, published_by = null }: Article, { published_date: listed }: Story) =>
  published_date !== null && published_date <= listed ? published_by : null

/** What was linked today may be years old: of an article that says no day nobody knows when it was written. */
function earlier(written: string | null, listed: string): string | null {
  return written !== null && written > listed ? listed : written
}

/** "How we lost our data (2019) [pdf]": readers mark what is not of this year. */
const OF_A_YEAR = /\(((?:19|20)\d{2})\)(?: ?\[[\w ]{1,20}\])?$/

/** The day a story was listed, as far as it can be the day of the story. */
function listedDay({ title, published_date }: Story): string | null {
  const year = OF_A_YEAR.exec(title)?.[1]
  return year === undefined || published_date.startsWith(year) ? published_date : null
}

/** Whether a headline names the company, and not only a namesake with a longer name. */
export function headlineNamesCompany(title: string, company: CompanyRef): boolean {
  const tokens = tokenize(title)
  // Where all words have capitals they tell no names from other words.
  const titleEnd = isCapitalisedThroughout(title) ? title.length : 0
  return findCompanyMentions(tokens, title.toLowerCase(), { name: company.name }, titleEnd).mentions.length > 0
}

function isCapitalisedThroughout(title: string): boolean {
  const words = title.match(/\p{L}{4,}/gu) ?? []
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2
}

/** Leads for one signal after the other; `search` gives the stories whose headline has one of the phrases. */
export async function findLeadsBySignal(
  signalIds: readonly string[],
  limit: number,
  search: (phrases: readonly string[]) => Promise<SourceResult<Story>>,
): Promise<SourceResult<Lead>> {
  const looks: SourceResult<Lead>[] = []
  for (const signalId of signalIds) {
    const phrases = findBuiltinSignal(signalId)?.headline.phrases
    if (!phrases) continue
    const found = await search(phrases)
    looks.push(found.outcome === 'items' ? itemsResult(leadsAmong(found.items, signalId)) : found)
    if (found.outcome === 'nothing' || found.reason === undefined) continue
    // The next question would only fail as well.
    looks.push(failedResult(found.reason))
    break
  }
  return mergeResults(looks, limit)
}

/** Leads among stories found for a signal: those whose headline says which company does it now, each company once. */
function leadsAmong(stories: readonly Story[], signalId: string): Lead[] {
  const leads = new Map<string, Lead>()
  for (const story of stories) {
    const { url, title } = story
    const published_date = listedDay(story)
    const name = findHeadlineSubject(title, signalId)
    if (!published_date || !name || leads.has(companyKey(name))) continue
    leads.set(companyKey(name), {
      company: { name, domain: ownDomain(url, name) },
      signal_id: signalId,
      // Its text is read when the company is looked into.
      document: { url, kind: 'mention', title, text: '', published_date },
    })
  }
  return [...leads.values()]
}

/** A story on acme-robotics.com about Acme Robotics is on the company's own site. */
function ownDomain(url: string, name: string): string | null {
  const domain = getDomain(url)
  const label = domain?.split('.')[0]?.replaceAll('-', '')
  return domain && label === companyKey(name).replaceAll(' ', '') ? domain : null
}
