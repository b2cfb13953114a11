import type { Deps } from '../../deps.ts'
import { normalizeDomain } from '../../domains.ts'
import { companyKey } from '../../engine/company-names.ts'
import { cutText, storable } from '../../engine/storable.ts'
import { resolveDomain } from '../../providers/firmographics/wikidata.ts'
import {
  forProviders,
  type Lead,
  type ProviderDeps,
  type ProviderParts,
  type SiteHints,
} from '../../providers/types.ts'
import { fetchPage, findOwnSite, sitesNamed } from '../../providers/web/index.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import type { NewCandidate } from './candidate-store.ts'
import { findCompaniesByName } from './universe-store.ts'

export type SourcedLead = Lead & { source: string }

type Parts = Pick<Deps, 'db'> & ProviderParts

export type ResolvedLeads = {
  /** By domain. */
  candidates: Map<string, NewCandidate>
  /** Companies whose domain nobody could tell. */
  unresolved: number
  /** How Wikidata fared, where it failed. */
  report: SourceReport | null
}

const MAX_TITLE_CHARS = 1_000
const MAX_TEXT_CHARS = 200_000
const ARTICLE = { timeouts: { headers: 8_000, body: 8_000, total: 12_000 }, maxBytes: 3 * 1024 * 1024 }

/**
 * The domain of each company the leads name: its own where the story is on its site, else that of the universe's only
 * company of the name, else the site that the story or filing leads to and that proves itself, else Wikidata's. A name
 * alone is nobody's domain.
 */
export async function resolveLeads(
  parts: Parts,
  workspaceId: string,
  leads: readonly SourcedLead[],
  signal: AbortSignal,
): Promise<ResolvedLeads> {
  const { db, config } = parts
  const deps = forProviders(parts, signal)
  const byName = Map.groupBy(leads, ({ company }) => companyKey(company.name))
  const universe = new Map(
    (await findCompaniesByName(db, workspaceId, [...byName.keys()])).map(({ name_key, domain }) => [name_key, domain]),
  )
  const domains = new Map<string, string | null>()
  const wikidata = { asked: 0, failures: [] as string[] }

  async function resolve(key: string, told: readonly SourcedLead[]): Promise<string | null> {
    const own = told.map(({ company }) => company.domain).find((domain) => domain !== null)
    const known = (own ? normalizeDomain(own) : null) ?? universe.get(key)
    if (known) return known
    const { name } = (told[0] as SourcedLead).company
    const proven = config.SOURCES.has('website') ? await provenSite(deps, name, told) : null
    if (proven || !config.SOURCES.has('wikidata')) return proven
    wikidata.asked++
    const found = await resolveDomain(deps, name)
    if (found.outcome === 'failed') wikidata.failures.push(found.reason)
    return found.outcome === 'items' ? (found.items[0] ?? null) : null
  }

  // Each is a few requests to sites of others: several at once, as candidates are looked into.
  const waiting = byName.entries()
  const lane = async () => {
    for (const [key, told] of waiting) {
      signal.throwIfAborted()
      domains.set(key, await resolve(key, told))
    }
  }
  await Promise.all(Array.from({ length: config.DISCOVERY_CONCURRENCY }, lane))

  const candidates = new Map<string, NewCandidate>()
  let unresolved = 0
  // In the order of the leads, not in that of the answers.
  for (const [key, told] of byName) {
    const domain = domains.get(key)
    if (domain) addCandidate(candidates, domain, told)
    else unresolved++
  }
  return { candidates, unresolved, report: reportOf(wikidata) }
}

/** The site that one of the leads leads to. */
async function provenSite(deps: ProviderDeps, name: string, told: readonly SourcedLead[]): Promise<string | null> {
  for (const lead of told) {
    const proven = await findOwnSite(deps, name, lead.hints ?? (await hintsIn(deps, name, lead.document.url)))
    if (proven) return proven
  }
  return null
}

/** What the page of a story gives as the company's site. */
async function hintsIn(deps: ProviderDeps, name: string, url: string): Promise<SiteHints> {
  const seen = await fetchPage(deps, url, null, ARTICLE)
  const isPage = seen.outcome === 'read' && seen.type === 'page'
  return { named: isPage ? sitesNamed(name, seen.page) : [], witnesses: [] }
}

function addCandidate(candidates: Map<string, NewCandidate>, domain: string, told: readonly SourcedLead[]): void {
  const [first] = told as [SourcedLead]
  const documents = told.map(({ document, source }) => ({
    ...document,
    source,
    title: document.title && cutText(storable(document.title), MAX_TITLE_CHARS),
    text: cutText(storable(document.text), MAX_TEXT_CHARS),
  }))
  const earlier = candidates.get(domain)?.documents ?? []
  candidates.set(domain, {
    domain,
    name: cutText(storable(first.company.name), 300),
    source: first.source,
    documents: [...earlier, ...documents],
  })
}

function reportOf({ asked, failures }: { asked: number; failures: string[] }): SourceReport | null {
  if (failures.length === 0) return null
  return {
    name: 'Wikidata',
    outcome: failures.length === asked ? 'failed' : 'nothing',
    items: 0,
    reason: `It failed for ${failures.length} of ${asked} companies. ${failures[0]}`,
  }
}
