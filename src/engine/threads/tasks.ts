// The tasks of the parser threads: all parsing of bytes and texts from outside. Plain data in, plain data out.
import { gunzipSync } from 'node:zlib'
import type { DocumentClassifier } from '../classifier/index.ts'
import { DocumentJudge, type ScoreWindows } from '../classifier/judge.ts'
import { loadModelCard } from '../classifier/weights.ts'
import type { CompanyIdentity } from '../companies/company-names.ts'
import { type ComparedContent, comparePage, type PageChange } from '../content/compare.ts'
import { parseContent, type RawDocument, type ReadContent } from '../content/read.ts'
import { adjustClassifier, type DescribedSignal } from '../custom-signals/adjust-classifier.ts'
import { compileCustomSignals } from '../detect/custom-signal.ts'
import { type DetectInput, type DetectResult, detect } from '../detect/index.ts'
import { type PreviewMatch, previewSignalOnText } from '../detect/preview.ts'
import { describeCompany, draftSections, type ProfilePage, type SectionDraft } from '../draft/profile.ts'
import { rankSitemaps, readSitemap, type Sitemap, type SitemapEntry } from '../feed/sitemap.ts'
import { type FormD, parseFormD } from '../filings/form-d.ts'
import { type Officer, parseOfficers } from '../filings/officers.ts'
import type { SerializedList } from '../json/serialized-list.ts'
import { findNamedPeople, type NamedPeople, type NamedText } from '../named-people/index.ts'
import { findFormerEmployer, findReportedMoves, type ReportedMove } from '../named-people/moves.ts'
import { isArticleUrl } from '../page/article-links.ts'
import { readTableRows, type TableColumns, type TableRow } from '../page/html-table.ts'
import { readWebPage, type WebPage } from '../page/index.ts'
import { type FactPage, showsKnownFact } from '../page/known-facts.ts'
import { findPassages, redactItems } from '../redact/index.ts'
import { parseRobotsFile, type RobotsFile } from '../robots/rules.ts'
import { buildRoster, type Roster, type RosterTask } from '../roster/index.ts'
import { mergePeoplePages } from '../roster/people-pages.ts'
import type { FoundPerson } from '../roster/types.ts'
import { decodeText } from '../text/decode.ts'
import { registrableDomain } from '../text/web-address.ts'
import { type GdeltResult, type GdeltTask, parseGdeltFiles } from '../vendors/gdelt.ts'
import { type JobBoardResult, type JobBoardTask, parseJobBoard } from '../vendors/job-boards.ts'
import { type JsonResult, type JsonTask, parseJsonResponse } from '../vendors/json-response.ts'
import { parseIncidents, type StatusPageResult, type StatusPageTask } from '../vendors/status-page.ts'

/** Options of a detection. */
export type DetectionTaskOptions = {
  /** The version of the classifier's weights. */
  version: string
  today?: string
  windowDays?: number
  /** Include findings in doubt, for a second reader. */
  doubts?: boolean
  builtins: boolean
  /** Signals described in words; compiled in the thread, because only plain data can be cloned. */
  described: readonly DescribedSignal[]
}

type SitemapTask = RawDocument & {
  /** Registrable domains of the pages to keep. */
  domains: readonly string[]
  /** Keep only articles published or changed since then; null keeps all pages. */
  since: string | null
  most: number
  /** The most files of an index that are returned, the most promising first. */
  files: number
}

type FormerTask = { text: NamedText; full_name: string; is_only_one: boolean; companies: CompanyIdentity[] }

/** Maximum decompressed size of a sitemap. */
const MAX_SITEMAP_BYTES = 20 * 1024 * 1024

export const PARSER_TASKS = {
  page: (input: Parameters<typeof parseContent>[0]): ReadContent => parseContent(input),

  /** A document known to be HTML. */
  html: ({ url, body, contentType }: RawDocument): WebPage => readWebPage({ url, html: decodeText(body, contentType) }),

  /** The rows of a table with these columns; null when the page has none. */
  rows: ({ body, contentType, columns }: RawDocument & { columns: TableColumns }): TableRow[] | null =>
    readTableRows(decodeText(body, contentType), columns),

  notice({ body, contentType }: RawDocument): { form: FormD; officers: Officer[] } {
    const xml = decodeText(body, contentType)
    return { form: parseFormD(xml), officers: parseOfficers(xml) }
  },

  /** Null for a document that is no sitemap, is broken or is too large. */
  sitemap({ url, body, contentType, domains, since, most, files }: SitemapTask): Sitemap | null {
    const found = sitemapIn(url, body, contentType)
    if (!found) return null
    const isOwn = (entry: SitemapEntry) => domains.includes(registrableDomain(entry.url) ?? '')
    const pages = found.pages.filter((page) => isOwn(page) && (since === null || isRecentArticle(page, since)))
    if (since !== null) pages.sort((a, b) => dayOf(b).localeCompare(dayOf(a)))
    return { pages: pages.slice(0, most), sitemaps: rankSitemaps(found.sitemaps.filter(isOwn), since).slice(0, files) }
  },

  robots: ({ body, contentType }: RawDocument): RobotsFile | null => parseRobotsFile(decodeText(body, contentType)),

  compare: ({ kind, read, known }: { kind: string; read: ComparedContent; known: string[] }): PageChange =>
    comparePage(kind, read, new Set(known)),

  people: ({ text, company, words }: { text: NamedText; company: CompanyIdentity; words: string[] }): NamedPeople =>
    findNamedPeople(text, company, new Set(words)),

  moves: ({ text, company, day }: { text: NamedText; company: CompanyIdentity; day: string | null }): ReportedMove[] =>
    findReportedMoves(text, company, day),

  /** For each company the sentence that states that the person worked there before; null if there is none. */
  former: ({ text, full_name, is_only_one, companies }: FormerTask): (string | null)[] =>
    companies.map((company) => findFormerEmployer(text, full_name, is_only_one, company)),

  witness: ({ page, witnesses }: { page: FactPage; witnesses: string[] }): boolean => showsKnownFact(page, witnesses),

  json: (input: JsonTask): JsonResult => parseJsonResponse(input),

  incidents: (input: StatusPageTask): StatusPageResult => parseIncidents(input),

  board: (input: JobBoardTask): JobBoardResult => parseJobBoard(input),

  gdelt: (input: GdeltTask): Promise<GdeltResult> => parseGdeltFiles(input),

  /** All people named on the pages of a company. */
  mentions: (input: Parameters<typeof mergePeoplePages>[0]): SerializedList<FoundPerson> => mergePeoplePages(input),

  roster: (input: RosterTask): Roster => buildRoster(input),

  profile({ company, pages }: { company: Parameters<typeof describeCompany>[0]; pages: ProfilePage[] }): {
    context: string | null
    drafts: SectionDraft[]
  } {
    return { context: describeCompany(company, pages), drafts: draftSections(company, pages) }
  },

  /** Removes erased people from texts. */
  redact: redactItems,

  /** Passages of texts about one person. */
  passages: findPassages,

  async detect(
    { input, options: { version, described, ...rest } }: { input: DetectInput; options: DetectionTaskOptions },
    score: ScoreWindows,
  ): Promise<DetectResult> {
    const customSignals = compileCustomSignals(described)
    const classifier = adjustClassifier(classifierOf(version, score), described)
    const [result] = await detect([input], { classifier, ...rest, customSignals })
    return result as DetectResult
  },

  async preview(
    { signal, text, version }: { signal: DescribedSignal; text: PreviewText; version: string },
    score: ScoreWindows,
  ): Promise<{ judged_by: string; matches: PreviewMatch[] }> {
    const [custom] = compileCustomSignals([signal])
    if (!custom) throw new Error('The description names nothing.')
    return previewSignalOnText(adjustClassifier(classifierOf(version, score), [signal]), custom, text)
  },
}

export type TaskName = keyof typeof PARSER_TASKS
export type TaskInput<N extends TaskName> = Parameters<(typeof PARSER_TASKS)[N]>[0]
export type TaskOutput<N extends TaskName> = Awaited<ReturnType<(typeof PARSER_TASKS)[N]>>

type PreviewText = Parameters<typeof previewSignalOnText>[2]

let judge: DocumentJudge | null = null

/** The classifier of this thread: windows are scored on another thread. */
function classifierOf(version: string, score: ScoreWindows): DocumentClassifier {
  return {
    version,
    judge: (questions) => {
      judge ??= new DocumentJudge(loadModelCard())
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
