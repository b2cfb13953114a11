import type { Deps } from '../deps/deps.ts'
import { companyKey } from '../engine/companies/company-names.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { registrableDomainOrHost } from '../engine/text/web-address.ts'
import { resolveDomain } from '../providers/firmographics/wikidata.ts'
import { type Lead, type ProviderDeps, type ProviderParts, type SiteHints, toProviderDeps } from '../providers/types.ts'
import { createPageReader, findNamedSites, findOwnSite, type PageReader } from '../providers/web/own-site.ts'
import { findCompaniesByName } from '../resources/companies/store.ts'
import { listOwnDomains } from '../resources/company-profile/store.ts'
import type { SourcedDocument } from '../resources/documents/store.ts'
import type { SourceReport } from '../resources/runs/store.ts'
import { normalizeDomain } from '../shared/domains.ts'

/** A company with its domain, and the documents that led to it. */
export type ResolvedCompany = { domain: string; name: string; source: string; documents: SourcedDocument[] }

export type SourcedLead = Lead & { source: string }

type Parts = Pick<Deps, 'db'> & ProviderParts

export type ResolvedLeads = {
  /** By domain. */
  candidates: Map<string, ResolvedCompany>
  /** The number of companies whose domain was not found. */
  unresolved: number
  /** Failures of lookups. */
  reports: SourceReport[]
}

const MAX_TITLE_CHARS = 1_000
const MAX_TEXT_CHARS = 200_000
/** The limit of stories about one company in which its site is searched. */
const MAX_STORIES = 3

/**
 * Resolves the domain of each company that leads name: from the lead itself, else from the only company of the name in
 * the universe, else from a site that the story or filing leads to and that proves itself, else from Wikidata. A name
 * match alone proves nothing. Companies that are not reached before the deadline count as unresolved and are reported.
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

  async function resolve(leads: readonly SourcedLead[]): Promise<string | null> {
    const { name } = (leads[0] as SourcedLead).company
    const proven = config.SOURCES.has('website') ? await provenSite(deps, name, leads) : null
    if (proven || !config.SOURCES.has('wikidata')) return proven
    wikidata.asked++
    const found = await resolveDomain(deps, name)
    deps.signal.throwIfAborted()
    if (found.outcome === 'failed') wikidata.failures.push(found.reason)
    return found.outcome === 'items' ? (found.items[0] ?? null) : null
  }

  const unknown: [key: string, leads: SourcedLead[]][] = []
  for (const [key, leads] of byName) {
    const stated = leads.map(({ company }) => company.domain).find((domain) => domain !== null)
    const known = (stated ? normalizeDomain(stated) : null) ?? universe.get(key)
    if (known) domains.set(key, known)
    else unknown.push([key, leads])
  }
  // Each lookup sends a few requests to different sites, so several run concurrently.
  const waiting = unknown.values()
  const lane = async () => {
    for (const [key, leads] of waiting) {
      if (deadline.aborted) return
      const domain = await resolve(leads).catch((error) => {
        if (!deadline.aborted) throw error
        return null
      })
      signal.throwIfAborted()
      // A lookup that the deadline interrupted proves nothing about the company.
      if (domain || !deadline.aborted) domains.set(key, domain)
    }
  }
  await Promise.all(Array.from({ length: config.DISCOVERY_CONCURRENCY }, lane))
  signal.throwIfAborted()

  const candidates = new Map<string, ResolvedCompany>()
  let unresolved = 0
  // In the order of the leads, not in that of the lookups.
  for (const [key, leads] of byName) {
    const domain = domains.get(key)
    if (domain) addCandidate(candidates, domain, leads)
    else unresolved++
  }
  const late = byName.size - domains.size
  return { candidates, unresolved, reports: [...wikidataReport(wikidata), ...lateReport(late, candidates.size)] }
}

/** The proven site that one of the leads leads to. */
async function provenSite(deps: ProviderDeps, name: string, leads: readonly SourcedLead[]): Promise<string | null> {
  const reader = createPageReader(deps)
  // Hints of a filing first, because they need no fetch.
  const best = leads.toSorted((a, b) => Number(!a.hints) - Number(!b.hints)).slice(0, MAX_STORIES)
  for (const { hints, document } of best) {
    const proven = await findOwnSite(reader, name, hints ?? (await hintsIn(reader, name, document.url)))
    if (proven) return proven
  }
  return null
}

/** The sites that the page of a story names for the company. */
async function hintsIn(reader: PageReader, name: string, url: string): Promise<SiteHints> {
  const story = await reader.read(url)
  return { named: story ? findNamedSites(name, story.page) : [], witnesses: [] }
}

function addCandidate(candidates: Map<string, ResolvedCompany>, domain: string, leads: readonly SourcedLead[]): void {
  const [first] = leads as [SourcedLead]
  const documents = leads.map(({ document, source }) => ({
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
  const reason = `The time limit was reached before the domains of ${late} companies were resolved.`
  return [{ name: 'company domains', outcome: resolved > 0 ? 'items' : 'failed', items: resolved, reason }]
}

/** Whether a domain or URL belongs to the workspace's own company. A name match alone proves nothing. */
export type IsOwnCompany = (domainOrUrl: string) => boolean

export async function loadOwnCompanyMatcher({ db }: Pick<Deps, 'db'>, workspaceId: string): Promise<IsOwnCompany> {
  const own = new Set((await listOwnDomains(db, workspaceId)).map(registrableDomainOrHost))
  return (domainOrUrl) => own.has(registrableDomainOrHost(domainOrUrl))
}
