import { createHash } from 'node:crypto'
import { companyKey } from '../../engine/companies/company-names.ts'
import type { ListedArchive } from '../../engine/content/zip.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { cutText } from '../../engine/text/storable.ts'
import { LimitExceeded, prepareTransfer } from '../../engine/threads/pool.ts'
import type { GdeltArticle, GdeltResult } from '../../engine/vendors/gdelt.ts'
import { fetchArticle, findStoryDomain, headlineNamesCompany, listedDay, publicationDate } from '../news/stories.ts'
import { failedResult, reportUnexpectedFormat } from '../request.ts'
import type { CompanyRef, ProviderDeps } from '../types.ts'
import { findNamedSites } from '../web/own-site.ts'
import { fetchFile, fetchLatest, fetchRecent, type GdeltPeriod, NAME } from './gdelt-files.ts'
import {
  type AccountLookup,
  type FeedResult,
  type FeedState,
  MAX_ITEMS,
  type OpenItemResult,
  type Stream,
  type StreamItem,
} from './types.ts'

const PERIOD_MS = 15 * 60_000
/** Files that are older were missed for good: a day of them has up to a gigabyte. */
const MAX_PERIODS = 96
/** A damaged file may have been read while it was written; after this many attempts it is skipped. */
const MAX_ATTEMPTS = 3
/** A file that cannot be fetched, although the list of files was, is skipped after two hours. */
const MAX_FETCHES = 12

/** Articles about accounts that are kept of a day. */
const MAX_A_DAY = 5_000
/** The share of a day's articles that is available at once, so that the first hours do not use up the whole day. */
const AHEAD_PERIODS = 8
/** Leads that are kept of a period, those that most sites report. */
const MAX_LEADS = 10
/** Articles of one period about one company, those that most sites report. */
const MAX_PER_COMPANY = 5
const MAX_COMPANIES_PER_ARTICLE = 3

/**
 * News articles of the whole world in English, as the GDELT Project lists them: the Global Knowledge Graph and the mentions
 * of events. A run reads the files of one period. Rows are not stored unless they name an account or are a lead.
 */
export const gdelt: Stream = {
  name: NAME,
  source: 'gdelt',
  feeds: ['articles'],
  everyMinutes: 10,
  firstDays: 1,
  async read(deps, _feed, { since, state, accounts }) {
    const latest = await fetchLatest(deps)
    if (latest.outcome !== 'ok') return latest
    const position = positionOf(state)
    const oldest = oldestStamp(latest.value.stamp, since)
    const after = position.file !== null && position.file > oldest ? position.file : oldest
    if (after >= latest.value.stamp) return { outcome: 'nothing', state }
    const next = await nextPeriod(deps, after, latest.value)
    if (next.outcome !== 'ok') return next
    const gap = gapBetween(position.file, after, next.value.stamp)
    const read = await readPeriod(deps, next.value, position, accounts)
    return withReason(read.isDone === false ? read : { ...read, more: next.value.stamp < latest.value.stamp }, gap)
  },
  open: openArticle,
}

/** `kept`: articles about accounts that are kept of the day. */
type Position = { file: string | null; attempts: number; day: string; kept: number }

function positionOf(state: FeedState['state']): Position {
  const text = (field: string) => (typeof state?.[field] === 'string' ? (state[field] as string) : '')
  const count = (field: string) => (Number.isSafeInteger(state?.[field]) ? (state?.[field] as number) : 0)
  const file = /^\d{14}$/.test(text('file')) ? text('file') : null
  return { file, attempts: count('attempts'), day: text('day'), kept: count('kept') }
}

const timeOf = (stamp: string) => Date.parse(stamp.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z')) || 0
const stampOf = (time: number) => new Date(time).toISOString().replaceAll(/\D/g, '').slice(0, 14)
const dayOf = (stamp: string) => stamp.replace(/^(....)(..)(..).*$/, '$1-$2-$3')

/** The period before the first one to read. */
function oldestStamp(latest: string, since: string): string {
  return stampOf(Math.max(timeOf(latest) - MAX_PERIODS * PERIOD_MS, Date.parse(since) - PERIOD_MS))
}

/** The first period after a time; the list of all files is needed only for those before the newest. */
async function nextPeriod(deps: ProviderDeps, after: string, latest: GdeltPeriod) {
  if (timeOf(latest.stamp) - timeOf(after) <= PERIOD_MS) return { outcome: 'ok', value: latest } as const
  const recent = await fetchRecent(deps)
  if (recent.outcome !== 'ok') return recent
  const value = recent.value.find(({ stamp }) => stamp > after && stamp < latest.stamp) ?? latest
  return { outcome: 'ok', value } as const
}

/** Why articles between the last file and the next one are missing. */
function gapBetween(last: string | null, after: string, next: string): string | null {
  if (last === null) return null
  if (last < after) return `${NAME} was not read for a day: its files before ${shown(after)} were skipped.`
  const missing = Math.round((timeOf(next) - timeOf(after)) / PERIOD_MS) - 1
  return missing > 0 ? `${NAME} lists no files for ${missing} periods of 15 minutes before ${shown(next)}.` : null
}

const shown = (stamp: string) => `${new Date(timeOf(stamp)).toISOString().slice(0, 16).replace('T', ' ')} UTC`

type PeriodResult = FeedResult & { isDone?: false }

function withReason(read: PeriodResult, gap: string | null): FeedResult {
  const { isDone: _, ...result } = read
  if (gap === null) return result
  if (result.outcome === 'nothing')
    return { ...failedResult(gap), state: result.state ?? {}, more: result.more ?? false }
  return { ...result, reason: result.reason === undefined ? gap : `${gap} ${result.reason}` }
}

async function readPeriod(
  deps: ProviderDeps,
  period: GdeltPeriod,
  position: Position,
  accounts: AccountLookup,
): Promise<PeriodResult> {
  const { stamp } = period
  const articles = await fetchFile(deps, period, 'gkg.csv', period.articles)
  const passed = { ...position, file: stamp, attempts: 0 }
  if (articles.outcome === 'failed') return readAgain(position, articles.reason, MAX_FETCHES, passed)
  if (articles.outcome === 'nothing') {
    return { ...failedResult(`${NAME} lists a file that does not exist: that of ${shown(stamp)}.`), state: passed }
  }
  const mentions = period.mentions && (await fetchFile(deps, period, 'mentions.CSV', period.mentions))
  const read = await parse(deps, articles.value, mentions?.outcome === 'ok' ? mentions.value : null)
  if (read.outcome !== 'read') {
    const { reason } = await reportUnreadable(deps, stamp, read)
    return readAgain(position, reason, MAX_ATTEMPTS, passed)
  }
  const { items, day, kept, leftOut } = await itemsOf(read.articles, stamp, passed, accounts)
  const reasons = [
    ...(mentions?.outcome === 'ok' && read.mentions === 'read' ? [] : [unorderedReason(stamp)]),
    ...(leftOut > 0
      ? [`${NAME} has more articles than are kept of a day: ${leftOut} of ${shown(stamp)} were left out.`]
      : []),
  ]
  const state: Position = { ...passed, day, kept }
  const reason = reasons.join(' ')
  if (items.length > 0) return { outcome: 'items', items, state, ...(reason !== '' && { reason }) }
  return reason === '' ? { outcome: 'nothing', state } : { ...failedResult(reason), state }
}

/** Reads a file again, up to a number of attempts, so that it does not delay the following ones for ever. */
function readAgain(position: Position, reason: string, most: number, passed: Position): PeriodResult {
  const attempts = position.attempts + 1
  if (attempts >= most) return { ...failedResult(`${reason} It was skipped.`), state: passed }
  return { ...failedResult(reason), state: { ...position, attempts }, isDone: false }
}

const unorderedReason = (stamp: string) =>
  `The mentions of events in ${NAME} of ${shown(stamp)} could not be read: articles were chosen without them.`

async function parse(
  deps: ProviderDeps,
  articles: ListedArchive,
  mentions: ListedArchive | null,
): Promise<GdeltResult> {
  const files = [articles, mentions].map((file) => {
    if (!file) return null
    const { body, transfer } = prepareTransfer(file.body)
    return { file: { ...file, body }, transfer }
  })
  const task = { articles: files[0]?.file ?? articles, mentions: files[1]?.file ?? null }
  const transfer = files.flatMap((file) => file?.transfer ?? [])
  // Each file is blamed separately: one that is too slow to read says nothing about the next.
  const options = { from: NAME, blame: `${NAME} ${articles.md5}`, transfer, signal: deps.signal }
  const read = await deps.parserPool.run('gdelt', task, options)
  return read instanceof LimitExceeded ? { outcome: 'damaged', reason: read.reason } : read
}

async function reportUnreadable(
  deps: ProviderDeps,
  stamp: string,
  read: Exclude<GdeltResult, { outcome: 'read' }>,
): Promise<{ reason: string }> {
  if (read.outcome === 'misshapen') return reportUnexpectedFormat(deps, NAME)
  const reason = `The file of ${NAME} of ${shown(stamp)} could not be read. ${read.reason}`
  await deps.health.report(NAME, { kind: 'unreadable', message: reason })
  return { reason }
}

type Candidate = { item: StreamItem; key: string; rank: number; outlets: number }

/** The items of a period, within the limits of a day. */
async function itemsOf(
  articles: readonly GdeltArticle[],
  stamp: string,
  position: Position,
  accounts: AccountLookup,
): Promise<{ items: StreamItem[]; day: string; kept: number; leftOut: number }> {
  const day = dayOf(stamp)
  const known = await accounts.named(articles.flatMap(namesOf))
  const named: Candidate[] = []
  const leads: Candidate[] = []
  for (const article of articles) {
    if (listedDay({ title: article.title, published_date: day }) === null) continue
    const ofAccounts = candidatesOf(article, day, known)
    named.push(...ofAccounts)
    leads.push(...article.subjects.map(({ name }) => candidateOf(article, day, name)))
  }
  const before = position.day === day ? position.kept : 0
  const chosen = chooseItems(named)
  // Chosen among all articles, so that they do not show which companies are accounts.
  const anyone = chooseItems(leads).slice(0, MAX_LEADS)
  const periods = (timeOf(stamp) - Date.parse(day)) / PERIOD_MS + AHEAD_PERIODS
  const available = Math.floor(MAX_A_DAY * Math.min(1, periods / MAX_PERIODS)) - before
  const taken = chosen.slice(0, Math.max(0, Math.min(available, MAX_ITEMS - MAX_LEADS)))
  const leadKeys = new Set(anyone.map(({ key }) => key))
  const takenKeys = new Set(taken.map(({ key }) => key))
  return {
    ...{ day, kept: before + taken.length, leftOut: chosen.length - taken.length },
    items: [
      ...taken.map((item) => (leadKeys.has(item.key) ? item : { ...item, isLead: false as const })),
      ...anyone.filter(({ key }) => !takenKeys.has(key)),
    ],
  }
}

const namesOf = ({ subjects, organisations }: GdeltArticle) => [...subjects.map(({ name }) => name), ...organisations]

function candidatesOf(article: GdeltArticle, day: string, known: ReadonlySet<string>): Candidate[] {
  const names = new Map<string, string>()
  for (const name of namesOf(article)) {
    if (!known.has(name)) continue
    const key = companyKey(searchFold(name))
    // The longer spelling has the legal form, which may prove which company it is.
    if (name.length > (names.get(key)?.length ?? 0)) names.set(key, name)
  }
  return [...names.values()]
    .map((name) => candidateOf(article, day, name))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_COMPANIES_PER_ARTICLE)
}

function candidateOf({ url, title, subjects, outlets }: GdeltArticle, day: string, name: string): Candidate {
  const key = companyKey(searchFold(name))
  const about = subjects
    .filter((subject) => companyKey(searchFold(subject.name)) === key)
    .flatMap(({ signals }) => signals)
  const company: CompanyRef = { name, domain: findStoryDomain(url, name) }
  const rank = about.length > 0 ? 2 : headlineNamesCompany(title, company) ? 1 : 0
  // Pages are read over https only.
  const address = url.replace(/^http:/i, 'https:')
  const document = { url: address, kind: 'mention' as const, title, text: title, published_date: day, language: 'en' }
  return { item: { key: itemKey(key, title), company, document, about }, key, rank, outlets }
}

/** One story is on many sites under the same title. */
function itemKey(company: string, title: string): string {
  return createHash('sha256')
    .update(`${company}\n${searchFold(title)}`)
    .digest('base64url')
}

/**
 * Each story once, for each company those with its name in the title and those that most sites report, and the first ones of
 * all companies before the second ones.
 */
function chooseItems(candidates: readonly Candidate[]): StreamItem[] {
  const ranked = candidates.toSorted((a, b) => b.rank - a.rank || b.outlets - a.outlets)
  const stories = [...new Map(ranked.toReversed().map((one) => [one.item.key, one])).values()].reverse()
  const counts = new Map<string, number>()
  return stories
    .map(({ item, key }) => {
      const order = counts.get(key) ?? 0
      counts.set(key, order + 1)
      return { item, order }
    })
    .filter(({ order }) => order < MAX_PER_COMPANY)
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}

/** Fetches the article, with the websites it attributes to the company. */
async function openArticle(deps: ProviderDeps, { company, document }: StreamItem): Promise<OpenItemResult> {
  const found = await fetchArticle(deps, document.url)
  if (found.outcome !== 'read') return found.outcome === 'gone' ? { outcome: 'dropped' } : found
  const { page } = found
  const listed = document.published_date as string
  return {
    outcome: 'read',
    document: {
      ...document,
      text: cutText(page.text, MAX_TEXT_CHARS),
      // Without a date the article is as old as its listing: only new pages are listed.
      published_date: publicationDate(found.published_date, listed) ?? listed,
      language: page.language ?? null,
    },
    hints: { named: findNamedSites(company.name, page), witnesses: [] },
  }
}

const MAX_TEXT_CHARS = 60_000
