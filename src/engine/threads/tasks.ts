// What the reading threads do: every look at bytes and texts of others. Plain data in, plain data out.
import { gunzipSync } from 'node:zlib'
import type { CompanyIdentity } from '../companies/company-names.ts'
import { type ComparedContent, comparePage, type PageChange } from '../content/compare.ts'
import { type Came, parseContent, type ReadContent } from '../content/read.ts'
import { type DescribedSignal, judgeDescribed } from '../custom-signals/judge-described.ts'
import { compileCustomSignals } from '../detect/custom-signal.ts'
import { type DetectInput, type DetectResult, detect } from '../detect/index.ts'
import { type PreviewMatch, previewOnText } from '../detect/preview.ts'
import { describeCompany, draftSections, type ProfilePage, type SectionDraft } from '../draft/profile.ts'
import { readSitemap, type Sitemap, type SitemapEntry } from '../feed/sitemap.ts'
import { type FormD, readFormD } from '../filings/form-d.ts'
import { type Officer, readOfficers } from '../filings/officers.ts'
import type { SerializedList } from '../json/serialized-list.ts'
import { type NamedPeople, type NamedText, readNamedPeople } from '../named-people/index.ts'
import { findFormerEmployer, readMoves, type ToldMove } from '../named-people/moves.ts'
import { isArticleUrl } from '../page/article-links.ts'
import { readTableRows, type TableColumns, type TableRow } from '../page/html-table.ts'
import { readWebPage, type WebPage } from '../page/index.ts'
import { type FactPage, showsKnownFact } from '../page/known-facts.ts'
import type { Judges } from '../reader/index.ts'
import { Judge, type Score } from '../reader/judge.ts'
import { loadCard } from '../reader/weights.ts'
import { findPassages, redact } from '../redact/index.ts'
import { parseRobotsFile, type RobotsFile } from '../robots/rules.ts'
import { buildRoster, type Roster, type RosterTask } from '../roster/index.ts'
import { mergePeoplePages } from '../roster/people-pages.ts'
import type { FoundPerson } from '../roster/types.ts'
import { decodeText } from '../text/decode.ts'
import { registrableDomain } from '../text/web-address.ts'
import { type BoardAnswer, type BoardTask, readJobBoard } from '../vendors/job-boards.ts'
import { readIncidents, type StatusPage, type StatusPageTask } from '../vendors/status-page.ts'

/** What a detection looks for, beside the text. */
export type Looking = {
  /** The version of the reader's weights. */
  version: string
  today?: string
  windowDays?: number
  /** Give also what is in doubt, for a second reader. */
  doubts?: boolean
  builtins: boolean
  /** Signals described in words; they are compiled here, so that plain data crosses. */
  described: readonly DescribedSignal[]
}

type SitemapTask = Came & {
  /** Registrable domains whose addresses count. */
  domains: readonly string[]
  /** Of the pages only articles published or changed since; all when null. */
  since: string | null
  most: number
}

type FormerTask = { text: NamedText; full_name: string; is_only_one: boolean; companies: CompanyIdentity[] }

/** The most that a sitemap unpacks to. */
const MAX_SITEMAP_BYTES = 20 * 1024 * 1024

export const TASKS = {
  page: (input: Parameters<typeof parseContent>[0]): ReadContent => parseContent(input),

  /** A document known to be HTML. */
  html: ({ url, body, contentType }: Came): WebPage => readWebPage({ url, html: decodeText(body, contentType) }),

  /** The rows of a table with these columns; null when the page has none. */
  rows: ({ body, contentType, columns }: Came & { columns: TableColumns }): TableRow[] | null =>
    readTableRows(decodeText(body, contentType), columns),

  notice({ body, contentType }: Came): { form: FormD; officers: Officer[] } {
    const xml = decodeText(body, contentType)
    return { form: readFormD(xml), officers: readOfficers(xml) }
  },

  /** Null when it is no sitemap, broken, or more than anybody should be asked to unpack. */
  sitemap({ url, body, contentType, domains, since, most }: SitemapTask): Sitemap | null {
    const found = sitemapIn(url, body, contentType)
    if (!found) return null
    const isOwn = (entry: SitemapEntry) => domains.includes(registrableDomain(entry.url) ?? '')
    const pages = found.pages.filter((page) => isOwn(page) && (since === null || isRecentArticle(page, since)))
    if (since !== null) pages.sort((a, b) => dayOf(b).localeCompare(dayOf(a)))
    return { pages: pages.slice(0, most), sitemaps: found.sitemaps.filter(isOwn).slice(0, most) }
  },

  robots: ({ body, contentType }: Came): RobotsFile | null => parseRobotsFile(decodeText(body, contentType)),

  compare: ({ kind, read, known }: { kind: string; read: ComparedContent; known: string[] }): PageChange =>
    comparePage(kind, read, new Set(known)),

  people: ({ text, company, words }: { text: NamedText; company: CompanyIdentity; words: string[] }): NamedPeople =>
    readNamedPeople(text, company, new Set(words)),

  moves: ({ text, company, day }: { text: NamedText; company: CompanyIdentity; day: string | null }): ToldMove[] =>
    readMoves(text, company, day),

  /** Which of the companies a text says somebody comes from, each with the sentence; null for the others. */
  former: ({ text, full_name, is_only_one, companies }: FormerTask): (string | null)[] =>
    companies.map((company) => findFormerEmployer(text, full_name, is_only_one, company)),

  witness: ({ page, witnesses }: { page: FactPage; witnesses: string[] }): boolean => showsKnownFact(page, witnesses),

  incidents: (input: StatusPageTask): StatusPage => readIncidents(input),

  board: (input: BoardTask): BoardAnswer => readJobBoard(input),

  /** Everybody whom the pages of a company show. */
  mentions: (input: Parameters<typeof mergePeoplePages>[0]): SerializedList<FoundPerson> => mergePeoplePages(input),

  roster: (input: RosterTask): Roster => buildRoster(input),

  profile({ company, pages }: { company: Parameters<typeof describeCompany>[0]; pages: ProfilePage[] }): {
    context: string | null
    drafts: SectionDraft[]
  } {
    return { context: describeCompany(company, pages), drafts: draftSections(company, pages) }
  },

  /** Takes erased people out of texts. */
  redact,

  /** What texts say about one person. */
  passages: findPassages,

  async detect(
    { input, looking: { version, described, ...options } }: { input: DetectInput; looking: Looking },
    score: Score,
  ): Promise<DetectResult> {
    const customSignals = compileCustomSignals(described)
    const reader = judgeDescribed(readerOf(version, score), described)
    const [result] = await detect([input], { reader, ...options, customSignals })
    return result as DetectResult
  },

  async preview(
    { signal, text, version }: { signal: DescribedSignal; text: PreviewText; version: string },
    score: Score,
  ): Promise<{ judged_by: string; matches: PreviewMatch[] }> {
    const [custom] = compileCustomSignals([signal])
    if (!custom) throw new Error('The description names nothing.')
    return previewOnText(judgeDescribed(readerOf(version, score), [signal]), custom, text)
  },
}

export type TaskName = keyof typeof TASKS
export type Input<N extends TaskName> = Parameters<(typeof TASKS)[N]>[0]
export type Output<N extends TaskName> = Awaited<ReturnType<(typeof TASKS)[N]>>

type PreviewText = Parameters<typeof previewOnText>[2]

let judge: Judge | null = null

/** The reader as far as this thread has it: its windows are scored elsewhere. */
function readerOf(version: string, score: Score): Judges {
  return {
    version,
    judge: (questions) => {
      judge ??= new Judge(loadCard())
      return judge.judge(questions, score)
    },
  }
}

function sitemapIn(url: string, body: Uint8Array, contentType: string): Sitemap | null {
  try {
    const isZipped = body[0] === 0x1f && body[1] === 0x8b
    const text = isZipped
      ? gunzipSync(body, { maxOutputLength: MAX_SITEMAP_BYTES }).toString()
      : decodeText(body, contentType)
    return readSitemap({ url, body: text })
  } catch {
    return null
  }
}

function dayOf({ published_date, modified }: SitemapEntry): string {
  return published_date ?? modified ?? ''
}

function isRecentArticle(entry: SitemapEntry, since: string): boolean {
  if (dayOf(entry) < since) return false
  return entry.published_date !== null || isArticleUrl(new URL(entry.url))
}
