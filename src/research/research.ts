import { boardUrl, type JobBoard } from '../engine/page/links.ts'
import type { ServiceLinks } from '../engine/page/service-links.ts'
import { excludeOwnProducts, type TechnologySnapshot } from '../engine/technologies/index.ts'
import type { JobPosting } from '../engine/vendors/job-boards.ts'
import { JOB_BOARDS } from '../providers/job-boards/index.ts'
import { enabledRegisters } from '../providers/registers/index.ts'
import { type FoldedPage, foldPage } from '../providers/registers/proven-record.ts'
import { fetchGithubActivity } from '../providers/software/github.ts'
import { fetchIncidents } from '../providers/software/status-page.ts'
import {
  type CompanyRef,
  type FoundDocument,
  type FoundFirmographics,
  type ProviderDeps,
  type ProviderParts,
  type SourceResult,
  toProviderDeps,
} from '../providers/types.ts'
import { DNS_RECORDS, fetchDnsTechnologies, isDnsAvailable } from '../providers/web/dns-records.ts'
import type { PageListener, SitePage } from '../providers/web/site.ts'
import { type SiteSurvey, surveySite } from '../providers/web/survey.ts'
import type { FoundStructure } from '../resources/account-relations/store.ts'
import type { BoardChanges } from '../resources/accounts/hiring-store.ts'
import type { SourcedDocument } from '../resources/documents/store.ts'
import type { SourceReport } from '../resources/runs/store.ts'
import { isoDate } from '../shared/days.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import {
  findRegisterEntry,
  type RegisterEntry,
  registeredSeats,
  type SiteStatement,
  statementAbout,
  toStructure,
} from './company-structure.ts'
import type { PositionList } from './find-signals.ts'
import { toFirmographics } from './profile.ts'
import { documentSources, firmographicsSources } from './sources.ts'

/** The postings of a job board, identified by vendor and token; null where the list is incomplete. */
export type BoardListing = { board: string; postings: JobPosting[] | null }

/** What the sources report about a company. `D`: what the caller makes of each document. */
export type Research<D = SourcedDocument> = {
  documents: D[]
  positions: PositionList[]
  listings: BoardListing[]
  /** What became known about the company's job boards. */
  boards: BoardChanges
  /** The company's profile by source, the most trusted first. */
  firmographics: FoundFirmographics[]
  /** Pages of the company's own site, for the monitor. */
  pages: SitePage[]
  /** Products that its pages and its DNS records show. */
  technologies: TechnologySnapshot[]
  /** Its legal names and its related companies. */
  structure: FoundStructure
  /** The outcome of each source. */
  sources: SourceReport[]
}

type Scope = {
  /** `YYYY-MM-DD`; older news is not requested. */
  since: string
  maxPages?: number
  /** Restricts the sources to those of news, or to those of the company's profile. */
  only?: 'news' | 'profile'
  /** Sources to leave out although they are enabled. */
  without?: readonly string[]
  /** Records of registers that a member called wrong. */
  rejectedRecords?: readonly string[]
  /** The time limit of one source. */
  sourceMs?: number
  /** Job boards that the company's pages linked before. They are read although no page links them now. */
  knownBoards?: readonly KnownBoard[]
  /** Called with each page of the company's site. */
  onPage?: PageListener
}

type KnownBoard = Pick<JobBoard, 'vendor' | 'token'>
type AskedBoard = KnownBoard & {
  /** The page that links it; null for a board known from an earlier pass. */
  found_url: string | null
  answer: SourceResult<JobPosting> | null
}

const SOURCE_MS = 5 * 60_000

/**
 * Queries all enabled sources about a company concurrently. A source that fails or exceeds its time limit is reported and
 * does not delay the others. Throws only when the signal aborts.
 */
export function researchCompany(
  parts: ProviderParts,
  company: CompanyRef,
  scope: Scope,
  signal: AbortSignal,
): Promise<Research> {
  return streamResearch(parts, company, scope, signal, (document) => document)
}

/** Like `researchCompany`, but passes each document to `onDocument` as soon as it is found and returns the results in `documents`. */
export async function streamResearch<D>(
  parts: ProviderParts,
  company: CompanyRef,
  scope: Scope,
  signal: AbortSignal,
  onDocument: (document: SourcedDocument) => D,
): Promise<Research<D>> {
  const { config, now } = parts
  const {
    since,
    maxPages = config.CRAWL_MAX_PAGES,
    only,
    without = [],
    rejectedRecords = [],
    sourceMs = SOURCE_MS,
    onPage,
  } = scope
  const research: Research<D> = {
    documents: [],
    positions: [],
    listings: [],
    boards: { linked: [], read: [], missing: [] },
    firmographics: [],
    pages: [],
    technologies: [],
    structure: { domain: company.domain, registrations: [], relations: [], read: [] },
    sources: [],
  }
  const isOn = (name: string) => config.SOURCES.has(name) && !without.includes(name)

  /** Queries a source within its time limit and reports the outcome. */
  async function query<T extends SourceResult<unknown> | SiteSurvey>(
    name: string,
    call: (deps: ProviderDeps) => Promise<T>,
    profile_only = false,
  ): Promise<Extract<T, { outcome: 'items' }> | null> {
    const timeout = AbortSignal.timeout(sourceMs)
    let found: T | { outcome: 'failed'; reason: string }
    try {
      found = await call(toProviderDeps(parts, AbortSignal.any([signal, timeout])))
    } catch (error) {
      if (signal.aborted || !timeout.aborted) throw error
      found = { outcome: 'failed', reason: 'It took too long.' }
    }
    research.sources.push({ ...report(name, found), ...(profile_only ? { profile_only } : {}) })
    return found.outcome === 'items' ? (found as Extract<T, { outcome: 'items' }>) : null
  }

  function addDocuments(found: { items: FoundDocument[] } | null, source: string): void {
    for (const document of found?.items ?? []) research.documents.push(onDocument({ ...document, source }))
  }

  async function readSite(domain: string): Promise<SiteStatement | null> {
    const linked: Promise<void>[] = []
    const start = (reading: Promise<void>) => {
      // Avoids an unhandled rejection before the promises are awaited below.
      reading.catch(() => {})
      linked.push(reading)
    }
    if (only !== 'profile' && isDnsAvailable(parts)) start(readRecords(domain))
    const articles: { published_date: string | null; result: D }[] = []
    const site = await query('website', (deps) =>
      surveySite(deps, domain, {
        since,
        maxPages,
        ...(onPage && { onPage }),
        onDocument: (document) => {
          const { published_date } = document
          articles.push({ published_date, result: onDocument({ ...document, source: 'website' }) })
        },
        onBoard: (board, pageUrl) => {
          if (!areBoardsRead) return
          const known = asked.get(boardKey(board))
          if (known) known.found_url ??= pageUrl
          else start(readBoard(board, pageUrl))
        },
        onServices: (links) => {
          if (only !== 'profile') start(readServices(links))
        },
      }),
    )
    await Promise.all(linked)
    // Where the site failed, its articles do not count: the list is incomplete.
    if (!site) return null
    const { pages, organization, openings, technologies } = site
    articles.sort((a, b) => (b.published_date ?? '').localeCompare(a.published_date ?? ''))
    research.documents.push(...articles.map(({ result }) => result))
    research.pages.push(...pages)
    research.technologies.push(...technologies)
    const today = isoDate(now())
    for (const { url, openings: listed } of openings) {
      const positions = listed.filter(({ valid_through }) => valid_through === null || valid_through >= today)
      research.positions.push({ url, positions })
    }
    if (organization) research.firmographics.unshift(toFirmographics(organization))
    const url = pages.find(({ kind }) => kind === 'home')?.url ?? `https://${domain}/`
    return { organization, url, isComplete: site.failures.length === 0 }
  }

  /** After the site was read, because its pages prove which record of a register is the company. */
  async function readStructure(found: SiteStatement | null): Promise<RegisterEntry[]> {
    const site = statementAbout(company, found)
    const turn = yieldToEventLoop()
    const folded: FoldedPage[] = []
    for (const { kind, text } of research.pages) {
      await turn()
      if (kind !== 'feed') folded.push(foldPage(text))
    }
    const legalName = site?.organization?.legal_name ?? null
    const registers = enabledRegisters(config).filter(({ source }) => isOn(source))
    const listed = await Promise.all(
      registers.map((register) =>
        query(
          register.name,
          (deps) => findRegisterEntry(deps, register, company, legalName, folded, rejectedRecords),
          true,
        ),
      ),
    )
    const entries = listed.flatMap((one) => one?.items ?? [])
    research.structure = toStructure(company, entries, site)
    return entries
  }

  const areBoardsRead = only !== 'profile' && isOn('job-boards')
  const asked = new Map<string, AskedBoard>()

  async function readBoard({ vendor, token, url }: JobBoard, found_url: string | null): Promise<void> {
    const board: AskedBoard = { vendor, token, found_url, answer: null }
    asked.set(boardKey(board), board)
    const found = await query(vendor, async (deps) => {
      board.answer = await JOB_BOARDS[vendor].postings(deps, token)
      return board.answer
    })
    if (found) research.positions.push({ url, positions: found.items })
  }

  /** What the company publishes on other services: its source code and its incident reports. */
  async function readServices({ github, status_pages: [statusPage] }: ServiceLinks): Promise<void> {
    // Awaited together, to avoid an unhandled rejection.
    const [code, incidents] = await Promise.all([
      isOn('github') && github.length > 0
        ? query('github', (deps) => fetchGithubActivity(deps, company, github, since))
        : null,
      isOn('status-pages') && statusPage
        ? query('status-pages', (deps) => fetchIncidents(deps, company, statusPage, since))
        : null,
    ])
    addDocuments(code, 'github')
    addDocuments(incidents, 'status-pages')
  }

  async function readRecords(domain: string): Promise<void> {
    const found = await query(DNS_RECORDS, (deps) => fetchDnsTechnologies(deps, domain), true)
    const isAnswered = research.sources.some(({ name, outcome }) => name === DNS_RECORDS && outcome !== 'failed')
    if (!isAnswered) return
    research.technologies.push({
      place: `dns:${domain}`,
      url: null,
      seen: excludeOwnProducts(found?.items ?? [], domain),
    })
  }

  const knownBoards = areBoardsRead ? (scope.knownBoards ?? []) : []
  const news = only === 'profile' ? [] : documentSources(config)
  const profiles = only === 'news' ? [] : firmographicsSources(config)
  const ownSite = company.domain && isOn('website') ? readSite(company.domain) : Promise.resolve(null)
  const [entries] = await Promise.all([
    only === 'news' ? ownSite.then(() => []) : ownSite.then(readStructure),
    ...knownBoards.map(({ vendor, token }) => readBoard({ vendor, token, url: boardUrl(vendor, token) }, null)),
    ...news.map(async (source) => {
      addDocuments(await query(source.name, (deps) => source.find(deps, company, since)), source.name)
    }),
    ...profiles.map(async (source) => {
      const found = await query(source.name, (deps) => source.fetchFirmographics(deps, company), true)
      research.firmographics.push(...(found?.items ?? []))
    }),
  ])
  research.firmographics.push(...registeredSeats(entries, research.firmographics))
  research.sources.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { ...research, ...conclude([...asked.values()]) }
}

/** Boards are compared without case, because links differ in it. */
const boardKey = ({ vendor, token }: KnownBoard) => `${vendor}:${token.toLowerCase()}`

/** A board that does not exist and that no page links any more is not one of the company. */
function conclude(asked: readonly AskedBoard[]): Pick<Research, 'listings' | 'boards'> {
  const isMissing = ({ answer }: AskedBoard) => answer?.outcome === 'nothing' && !answer.empty
  const linked = asked.flatMap(({ vendor, token, found_url }) => (found_url ? [{ vendor, token, found_url }] : []))
  const [missing, existing] = [asked.filter(isMissing), asked.filter((board) => !isMissing(board))]
  const read = existing.filter(({ answer }) => answer !== null && answer.outcome !== 'failed')
  const keys = (boards: readonly AskedBoard[]) => boards.map(({ vendor, token }) => ({ vendor, token }))
  return {
    listings: asked
      .filter((board) => board.found_url !== null || !isMissing(board))
      .map(({ vendor, token, answer }) => ({ board: `${vendor}:${token}`, postings: completeList(answer) })),
    boards: { linked, read: keys(read), missing: keys(missing) },
  }
}

/** The postings of a board; null where it failed, was truncated, or may no longer exist: that says nothing about open positions. */
function completeList(answer: SourceResult<JobPosting> | null): JobPosting[] | null {
  if (answer?.outcome === 'items') return answer.reason === undefined ? answer.items : null
  return answer?.outcome === 'nothing' && answer.empty ? [] : null
}

function report(name: string, found: SourceResult<unknown> | SiteSurvey): SourceReport {
  const { outcome } = found
  if (outcome === 'failed') return { name, outcome, items: 0, reason: found.reason }
  if (outcome === 'nothing') return { name, outcome, items: 0, reason: null }
  if ('items' in found) return { name, outcome, items: found.items.length, reason: found.reason ?? null }
  const { failures, pages } = found
  const [first] = failures
  const reason = first ? `${failures.length} pages could not be read, such as ${first.url}: ${first.reason}` : null
  return { name, outcome, items: pages.length, reason }
}
