import type { Deps } from '../../deps.ts'
import type { Person } from '../../engine/page.ts'
import { JOB_BOARDS } from '../../providers/job-boards/index.ts'
import { documentSources, firmographicsSources } from '../../providers/registry.ts'
import type { CompanyRef, Firmographics, Found, ProviderDeps } from '../../providers/types.ts'
import { type SitePage, surveySite } from '../../providers/web/website.ts'
import type { Board } from '../detections/find.ts'
import type { SourcedDocument } from '../documents/store.ts'
import type { SourceReport } from '../runs/store.ts'
import { firmographicsOf } from './organization.ts'

/** All that the sources say about a company. */
export type Research = {
  documents: SourcedDocument[]
  boards: Board[]
  /** What each source says, the most trusted first. */
  firmographics: Firmographics[]
  /** Pages of the company's own site, to keep watch on. */
  pages: SitePage[]
  people: Person[]
  /** How each source fared. */
  sources: SourceReport[]
}

type Scope = {
  /** `YYYY-MM-DD`; older news is not asked for. */
  since: string
  maxPages?: number
  /** Leave out what only says how large the company is, or only what it published. */
  only?: 'news' | 'profile'
}

type Parts = Pick<Deps, 'config' | 'outbound' | 'log'>

/**
 * Asks every source that is switched on about a company, all at once. A source that fails is reported and holds up
 * nobody. Throws only when the signal ends the work.
 */
export async function researchCompany(
  { config, outbound, log }: Parts,
  company: CompanyRef,
  { since, maxPages = config.CRAWL_MAX_PAGES, only }: Scope,
  signal: AbortSignal,
): Promise<Research> {
  const deps: ProviderDeps = { config, outbound, log, signal }
  const research: Research = { documents: [], boards: [], firmographics: [], pages: [], people: [], sources: [] }
  const isOn = (name: string) => config.SOURCES.has(name)

  async function readSite(): Promise<void> {
    if (!company.domain || !isOn('website')) return
    const site = await surveySite(deps, company.domain, { since, maxPages })
    if (site.outcome !== 'items') {
      research.sources.push(report('website', site))
      return
    }
    const { documents, pages, organization, people, job_boards, openings, failures } = site
    research.documents.push(...documents.map((document) => ({ ...document, source: 'website' })))
    research.pages.push(...pages)
    research.people.push(...people)
    const today = new Date().toISOString().slice(0, 10)
    for (const { url, openings: listed } of openings) {
      const positions = listed.filter(({ valid_through }) => valid_through === null || valid_through >= today)
      research.boards.push({ url, positions })
    }
    if (organization) research.firmographics.unshift(firmographicsOf(organization))
    // A site that was read with some pages missing says which.
    const [missing] = failures
    const reason = missing
      ? `${failures.length} pages could not be read, such as ${missing.url}: ${missing.reason}`
      : null
    research.sources.push({ name: 'website', outcome: 'items', items: pages.length, reason })
    if (only !== 'profile' && isOn('job-boards')) await Promise.all(job_boards.map(readBoard))
  }

  async function readBoard({ vendor, token, url }: { vendor: keyof typeof JOB_BOARDS; token: string; url: string }) {
    const found = await JOB_BOARDS[vendor].postings(deps, token)
    research.sources.push(report(vendor, found))
    if (found.outcome === 'items') research.boards.push({ url, positions: found.items })
  }

  const news = only === 'profile' ? [] : documentSources(config)
  const profiles = only === 'news' ? [] : firmographicsSources(config)
  await Promise.all([
    readSite(),
    ...news.map(async (source) => {
      const found = await source.find(deps, company, since)
      research.sources.push(report(source.name, found))
      if (found.outcome === 'items') {
        research.documents.push(...found.items.map((document) => ({ ...document, source: source.name })))
      }
    }),
    ...profiles.map(async (source) => {
      const found = await source.look(deps, company)
      research.sources.push(report(source.name, found))
      if (found.outcome === 'items') research.firmographics.push(...found.items)
    }),
  ])
  research.sources.sort((a, b) => (a.name < b.name ? -1 : 1))
  return research
}

function report(name: string, found: Found<unknown>): SourceReport {
  return {
    name,
    outcome: found.outcome,
    items: found.outcome === 'items' ? found.items.length : 0,
    reason: found.outcome === 'nothing' ? null : (found.reason ?? null),
  }
}

/** Why nothing is known: every source failed. Null when at least one could say something. */
export function whyNothing(sources: readonly SourceReport[]): string | null {
  if (sources.length === 0) return 'No source is switched on that can research this account. See SOURCES.'
  if (sources.some(({ outcome }) => outcome !== 'failed')) return null
  return `No source could be read. ${sources.map(({ name, reason }) => `${name}: ${reason}`).join(' ')}`
}
