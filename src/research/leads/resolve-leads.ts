import type { Deps } from '../../deps/deps.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import { resolveDomain } from '../../providers/firmographics/wikidata.ts'
import {
  type Lead,
  type ProviderDeps,
  type ProviderParts,
  type SiteHints,
  toProviderDeps,
} from '../../providers/types.ts'
import { createPageReader, findNamedSites, findOwnSite, type PageReader } from '../../providers/web/own-site.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { findCompaniesByName, type NewCandidate } from './company-store.ts'

export type SourcedLead = Lead & { source: string }

type Parts = Pick<Deps, 'db'> & ProviderParts

export type ResolvedLeads = {
  /** By domain. */
  candidates: Map<string, NewCandidate>
  /** Companies whose domain nobody could tell. */
  unresolved: number
  /** What could not be had. */
  reports: SourceReport[]
}

const MAX_TITLE_CHARS = 1_000
const MAX_TEXT_CHARS = 200_000
/** Stories about one company in which its site is looked for. */
const MAX_STORIES = 3

/**
 * The domain of each company the leads name: its own where the story is on its site, else that of the universe's only
 * company of the name, else the site that the story or filing leads to and that proves itself, else Wikidata's. A name
 * alone is nobody's domain. Those that are not looked for before the deadline count as unresolved, and a report says so.
 */
export async function resolveLeads(
  parts: Parts,
  workspaceId: string,
  leads: readonly SourcedLead[],
  signal: AbortSignal,
  deadline: AbortSignal,
): Promise<ResolvedLeads> {
  const { db, config } = parts
  const deps = toProviderDeps(parts, AbortSignal.any([signal, deadline]))
  const byName = Map.groupBy(leads, ({ company }) => companyKey(company.name))
  const universe = new Map(
    (await findCompaniesByName(db, workspaceId, [...byName.keys()])).map(({ name_key, domain }) => [name_key, domain]),
  )
  const domains = new Map<string, string | null>()
  const wikidata = { asked: 0, failures: [] as string[] }

  async function resolve(told: readonly SourcedLead[]): Promise<string | null> {
    const { name } = (told[0] as SourcedLead).company
    const proven = config.SOURCES.has('website') ? await provenSite(deps, name, told) : null
    if (proven || !config.SOURCES.has('wikidata')) return proven
    wikidata.asked++
    const found = await resolveDomain(deps, name)
    deps.signal.throwIfAborted()
    if (found.outcome === 'failed') wikidata.failures.push(found.reason)
    return found.outcome === 'items' ? (found.items[0] ?? null) : null
  }

  const unknown: [key: string, told: SourcedLead[]][] = []
  for (const [key, told] of byName) {
    const own = told.map(({ company }) => company.domain).find((domain) => domain !== null)
    const known = (own ? normalizeDomain(own) : null) ?? universe.get(key)
    if (known) domains.set(key, known)
    else unknown.push([key, told])
  }
  // Each is a few requests to sites of others: several at once, as candidates are looked into.
  const waiting = unknown.values()
  const lane = async () => {
    for (const [key, told] of waiting) {
      if (deadline.aborted) return
      const domain = await resolve(told).catch((error) => {
        if (!deadline.aborted) throw error
        return null
      })
      signal.throwIfAborted()
      // What the deadline has cut short says nothing about the company.
      if (domain || !deadline.aborted) domains.set(key, domain)
    }
  }
  await Promise.all(Array.from({ length: config.DISCOVERY_CONCURRENCY }, lane))
  signal.throwIfAborted()

  const candidates = new Map<string, NewCandidate>()
  let unresolved = 0
  // In the order of the leads, not in that of the answers.
  for (const [key, told] of byName) {
    const domain = domains.get(key)
    if (domain) addCandidate(candidates, domain, told)
    else unresolved++
  }
  const late = byName.size - domains.size
  return { candidates, unresolved, reports: [...wikidataReport(wikidata), ...lateReport(late, candidates.size)] }
}

/** The site that one of the leads leads to. */
async function provenSite(deps: ProviderDeps, name: string, told: readonly SourcedLead[]): Promise<string | null> {
  const reader = createPageReader(deps)
  // What a filing tells of the site need not be fetched first.
  const best = told.toSorted((a, b) => Number(!a.hints) - Number(!b.hints)).slice(0, MAX_STORIES)
  for (const { hints, document } of best) {
    const proven = await findOwnSite(reader, name, hints ?? (await hintsIn(reader, name, document.url)))
    if (proven) return proven
  }
  return null
}

/** What the page of a story gives as the company's site. */
async function hintsIn(reader: PageReader, name: string, url: string): Promise<SiteHints> {
  const story = await reader.read(url)
  return { named: story ? findNamedSites(name, story.page) : [], witnesses: [] }
}

function addCandidate(candidates: Map<string, NewCandidate>, domain: string, told: readonly SourcedLead[]): void {
  const [first] = told as [SourcedLead]
  const documents = told.map(({ document, source }) => ({
    ...document,
    source,
    title: document.title && cutText(toStorable(document.title), MAX_TITLE_CHARS),
    text: cutText(toStorable(document.text), MAX_TEXT_CHARS),
  }))
  const earlier = candidates.get(domain)?.documents ?? []
  candidates.set(domain, {
    domain,
    name: cutText(toStorable(first.company.name), 300),
    source: first.source,
    documents: [...earlier, ...documents],
  })
}

function wikidataReport({ asked, failures }: { asked: number; failures: string[] }): SourceReport[] {
  if (failures.length === 0) return []
  const outcome = failures.length === asked ? 'failed' : 'nothing'
  const reason = `It failed for ${failures.length} of ${asked} companies. ${failures[0]}`
  return [{ name: 'Wikidata', outcome, items: 0, reason }]
}

function lateReport(late: number, resolved: number): SourceReport[] {
  if (late === 0) return []
  const reason = `There was no time to find out the domains of ${late} companies.`
  return [{ name: 'company domains', outcome: resolved > 0 ? 'items' : 'failed', items: resolved, reason }]
}
