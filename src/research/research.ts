import type { ServiceLinks } from '../engine/page/service-links.ts'
import { excludeOwnProducts, type TechnologySnapshot } from '../engine/technologies/index.ts'
import type { JobPosting } from '../engine/vendors/job-boards.ts'
import { JOB_BOARDS } from '../providers/job-boards/index.ts'
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
import type { SitePage } from '../providers/web/site.ts'
import { type SiteSurvey, surveySite } from '../providers/web/survey.ts'
import type { SourcedDocument } from '../resources/documents/store.ts'
import type { SourceReport } from '../resources/runs/store.ts'
import { isoDate } from '../shared/days.ts'
import type { Board, Foreign, Unread } from './find-signals.ts'
import { firmographicsOf } from './organization.ts'
import { documentSources, firmographicsSources } from './sources.ts'

/** What a job board, by its vendor and its name there, lists; null where it was not read whole. */
export type Listing = { board: string; postings: JobPosting[] | null }

/** All that the sources say about a company. */
export type Research = {
  documents: SourcedDocument[]
  boards: Board[]
  listings: Listing[]
  /** What each source says, the most trusted first. */
  firmographics: FoundFirmographics[]
  /** Pages of the company's own site, to keep watch on. */
  pages: SitePage[]
  /** What its pages and its name records show it uses. */
  technologies: TechnologySnapshot[]
  /** How each source fared. */
  sources: SourceReport[]
}

type Scope = {
  /** `YYYY-MM-DD`; older news is not asked for. */
  since: string
  maxPages?: number
  /** Leave out what only says how large the company is, or only what it published. */
  only?: 'news' | 'profile'
  /** Sources that are left alone although they are on. */
  without?: readonly string[]
  /** How long one source may take before it counts as failed. */
  sourceMs?: number
  /** Told of each document as soon as it is there; all of them are in the answer, too. */
  onDocument?: (document: SourcedDocument) => void
}

const SOURCE_MS = 5 * 60_000

/**
 * Asks every source that is switched on about a company, all at once. A source that fails, or takes too long, is reported
 * and holds up nobody. Throws only when the signal ends the work.
 */
export async function researchCompany(
  parts: ProviderParts,
  company: CompanyRef,
  { since, maxPages = parts.config.CRAWL_MAX_PAGES, only, without = [], sourceMs = SOURCE_MS, onDocument }: Scope,
  signal: AbortSignal,
): Promise<Research> {
  const { config, now } = parts
  const research: Research = {
    documents: [],
    boards: [],
    listings: [],
    firmographics: [],
    pages: [],
    technologies: [],
    sources: [],
  }
  const isOn = (name: string) => config.SOURCES.has(name) && !without.includes(name)

  /** Asks a source within its time and reports how it fared. */
  async function ask<T extends SourceResult<unknown> | SiteSurvey>(
    name: string,
    call: (deps: ProviderDeps) => Promise<T>,
    profile_only = false,
  ): Promise<Extract<T, { outcome: 'items' }> | null> {
    const late = AbortSignal.timeout(sourceMs)
    let found: T | { outcome: 'failed'; reason: string }
    try {
      found = await call(toProviderDeps(parts, AbortSignal.any([signal, late])))
    } catch (error) {
      if (signal.aborted || !late.aborted) throw error
      found = { outcome: 'failed', reason: 'It took too long.' }
    }
    research.sources.push({ ...report(name, found), ...(profile_only ? { profile_only } : {}) })
    return found.outcome === 'items' ? (found as Extract<T, { outcome: 'items' }>) : null
  }

  /** The very same object, so that whoever was told of it knows it again. */
  function sourced(document: FoundDocument, source: string): SourcedDocument {
    return Object.assign(document, { source })
  }

  function take(found: { items: FoundDocument[] } | null, source: string): void {
    for (const item of found?.items ?? []) {
      const document = sourced(item, source)
      research.documents.push(document)
      onDocument?.(document)
    }
  }

  async function readSite(domain: string): Promise<void> {
    const along: Promise<void>[] = []
    const begin = (read: Promise<void>) => {
      // It is awaited below; until then its failure would be nobody's.
      read.catch(() => {})
      along.push(read)
    }
    if (only !== 'profile' && isDnsAvailable(parts)) begin(readRecords(domain))
    const site = await ask('website', (deps) =>
      surveySite(deps, domain, {
        since,
        maxPages,
        onDocument: (document) => onDocument?.(sourced(document, 'website')),
        onBoard: (board) => {
          if (only === 'profile' || !isOn('job-boards')) return
          begin(readBoard(board))
        },
        onServices: (links) => {
          if (only !== 'profile') begin(readServices(links))
        },
      }),
    )
    await Promise.all(along)
    if (!site) return
    const { documents, pages, organization, openings, technologies } = site
    research.documents.push(...documents.map((document) => sourced(document, 'website')))
    research.pages.push(...pages)
    research.technologies.push(...technologies)
    const today = isoDate(now())
    for (const { url, openings: listed } of openings) {
      const positions = listed.filter(({ valid_through }) => valid_through === null || valid_through >= today)
      research.boards.push({ url, positions })
    }
    if (organization) research.firmographics.unshift(firmographicsOf(organization))
  }

  async function readBoard({ vendor, token, url }: { vendor: keyof typeof JOB_BOARDS; token: string; url: string }) {
    let answer: SourceResult<JobPosting> | null = null
    const found = await ask(vendor, async (deps) => {
      answer = await JOB_BOARDS[vendor].postings(deps, token)
      return answer
    })
    if (found) research.boards.push({ url, positions: found.items })
    research.listings.push({ board: `${vendor}:${token}`, postings: wholeList(answer) })
  }

  /** What the company writes elsewhere: its source code, and what it tells of outages. */
  async function readServices({ github, status_pages: [statusPage] }: ServiceLinks): Promise<void> {
    // Together: the failure of one that is not awaited yet would be nobody's.
    const [code, incidents] = await Promise.all([
      isOn('github') && github.length > 0
        ? ask('github', (deps) => fetchGithubActivity(deps, company, github, since))
        : null,
      isOn('status-pages') && statusPage
        ? ask('status-pages', (deps) => fetchIncidents(deps, company, statusPage, since))
        : null,
    ])
    take(code, 'github')
    take(incidents, 'status-pages')
  }

  async function readRecords(domain: string): Promise<void> {
    const found = await ask(DNS_RECORDS, (deps) => fetchDnsTechnologies(deps, domain), true)
    const answered = research.sources.some(({ name, outcome }) => name === DNS_RECORDS && outcome !== 'failed')
    if (!answered) return
    research.technologies.push({
      place: `dns:${domain}`,
      url: null,
      seen: excludeOwnProducts(found?.items ?? [], domain),
    })
  }

  const news = only === 'profile' ? [] : documentSources(config)
  const profiles = only === 'news' ? [] : firmographicsSources(config)
  await Promise.all([
    company.domain && isOn('website') ? readSite(company.domain) : null,
    ...news.map(async (source) => {
      take(await ask(source.name, (deps) => source.find(deps, company, since)), source.name)
    }),
    ...profiles.map(async (source) => {
      const found = await ask(source.name, (deps) => source.fetchFirmographics(deps, company), true)
      research.firmographics.push(...(found?.items ?? []))
    }),
  ])
  research.sources.sort((a, b) => (a.name < b.name ? -1 : 1))
  return research
}

/** All that a board lists; null where it failed, was cut, or may not be there any more: that says nothing of what is open. */
function wholeList(answer: SourceResult<JobPosting> | null): JobPosting[] | null {
  if (answer?.outcome === 'items') return answer.reason === undefined ? answer.items : null
  return answer?.outcome === 'nothing' && answer.empty ? [] : null
}

function report(name: string, found: SourceResult<unknown> | SiteSurvey): SourceReport {
  const { outcome } = found
  if (outcome === 'failed') return { name, outcome, items: 0, reason: found.reason }
  if (outcome === 'nothing') return { name, outcome, items: 0, reason: null }
  if ('items' in found) return { name, outcome, items: found.items.length, reason: found.reason ?? null }
  // A site that was read with some pages missing says which.
  const { failures, pages } = found
  const [first] = failures
  const reason = first ? `${failures.length} pages could not be read, such as ${first.url}: ${first.reason}` : null
  return { name, outcome, items: pages.length, reason }
}

/**
 * The same reports, with what could not be looked through told by the sources it is from. One of which nothing could be
 * looked through has failed: it may have told anything.
 */
export function withUnread(
  sources: readonly SourceReport[],
  documents: readonly SourcedDocument[],
  unread: readonly Unread[],
  foreign: readonly Foreign[] = [],
): SourceReport[] {
  return sources.map((given) => {
    const own = documents.filter((document) => document.source === given.name)
    const ofOwn = <T extends { url: string }>(list: readonly T[]) =>
      list.filter(({ url }) => own.some((document) => document.url === url))
    const lost = ofOwn(unread)
    const source = withForeign(given, own.length, ofOwn(foreign), lost)
    const [first] = lost
    if (!first) return source
    const example = first.shown === undefined ? first.url : `one of ${first.shown}`
    const told = `${lost.length} of ${own.length} documents could not be looked through, such as ${example}: ${first.reason}`
    const reason = source.reason === null ? told : `${source.reason} ${told}`
    return lost.length === own.length ? { ...source, outcome: 'failed', items: 0, reason } : { ...source, reason }
  })
}

/** Not read is not failed: nothing went wrong, and asking again would change nothing. */
function withForeign(
  source: SourceReport,
  documents: number,
  foreign: readonly Foreign[],
  lost: readonly Unread[],
): SourceReport {
  const languagesOf = (list: readonly { language?: string }[]) =>
    [...new Set(list.flatMap(({ language }) => language ?? []))].sort()
  const not_read = languagesOf([...foreign, ...lost])
  const known = not_read.length > 0 ? { ...source, not_read } : source
  if (foreign.length === 0) return known
  const told = `${foreign.length} of ${documents} documents were not read: ${languagesOf(foreign).join(', ')}.`
  return { ...known, reason: source.reason === null ? told : `${source.reason} ${told}` }
}

/** Why nothing is known: every source that could say something failed. Null when at least one answered. */
export function whyNothing(sources: readonly SourceReport[]): string | null {
  const ofEvents = sources.filter(({ profile_only }) => !profile_only)
  const asked = ofEvents.length > 0 ? ofEvents : sources
  if (asked.length === 0) return 'No source is switched on that can research this account. See SOURCES.'
  if (asked.some(({ outcome }) => outcome !== 'failed')) return null
  return `No source could be read. ${describeFailures(asked)}`
}

/** Why a pass that found nothing says nothing of its signals: the company's own site could not be read. Null when it could. */
export function whyBlind(sources: readonly SourceReport[]): string | null {
  const failed = sources.filter(({ name, outcome }) => name === 'website' && outcome === 'failed')
  if (failed.length === 0) return null
  return `The company's own site could not be read, and the other sources tell of nothing. ${describeFailures(failed)}`
}

/** Why sources failed, each by its name; some say it themselves. */
export function describeFailures(sources: readonly SourceReport[]): string {
  return sources
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name, reason }) => (reason?.startsWith(name) ? reason : `${name}: ${reason}`))
    .join(' ')
}

/**
 * Of the signals, those the sources would have shown: none when the company's own site could not be read or some of it is in
 * a language that is not, and no hiring when a job board could not.
 */
export function visibleSignals({ sources }: Pick<Research, 'sources'>, signalIds: readonly string[]): string[] {
  const failed = sources.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  if (failed.includes('website')) return []
  // What was not read may tell of anything.
  if (sources.some(({ name, not_read }) => name === 'website' && not_read)) return []
  const isBlind = failed.some((name) => name in JOB_BOARDS)
  return signalIds.filter((id) => id !== 'hiring' || !isBlind)
}
