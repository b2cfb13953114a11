import type { Deps } from '../deps/deps.ts'
import { companyKey } from '../engine/companies/company-names.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { registrableDomainOrHost } from '../engine/text/web-address.ts'
import { type Lead, type ProviderParts, toProviderDeps } from '../providers/types.ts'
import { isPublisher, type SiteSearch } from '../providers/web/own-site.ts'
import { findDomainsByAlias } from '../resources/account-relations/store.ts'
import { findCompaniesByName } from '../resources/companies/store.ts'
import { findOwnIdentity } from '../resources/company-profile/store.ts'
import type { SourcedDocument } from '../resources/documents/store.ts'
import type { SourceReport } from '../resources/runs/store.ts'
import { normalizeDomain } from '../shared/domains.ts'
import { resolveCompany } from './resolve-company.ts'

/** A company with its domain, and the documents that led to it. */
export type ResolvedCompany = { domain: string; name: string; source: string; documents: SourcedDocument[] }

export type SourcedLead = Lead & { source: string }

type Parts = Pick<Deps, 'db'> & ProviderParts

/** A company in the news whose domain was not found, and what was tried, in sentences for users. */
export type UnresolvedLead = { name: string; signal_id: string; source: string; url: string; attempts: string[] }

export type ResolvedLeads = {
  /** By domain. */
  candidates: Map<string, ResolvedCompany>
  unresolved: UnresolvedLead[]
  /** Failures of lookups. */
  reports: SourceReport[]
}

const MAX_NAME_CHARS = 300
const MAX_TITLE_CHARS = 1_000
const MAX_TEXT_CHARS = 200_000

/**
 * Resolves the domain of each company that leads name: from the lead itself, else from the account that has this name
 * among its legal names, former names and brands, else from the only company of the name in the universe, else as
 * `resolveCompany` does. A name match alone proves nothing. Companies that are not reached before the deadline count as
 * unresolved and are reported.
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
  const aliases = await findAliasDomains(db, workspaceId, leads)
  const searches = new Map<string, SiteSearch>()
  const lookups = new LookupReports()

  const unknown: [key: string, leads: SourcedLead[]][] = []
  for (const [key, leads] of byName) {
    const stated = leads.map(({ company }) => company.domain && normalizeDomain(company.domain))
    const known = stated.find((domain) => domain && !isPublisher(domain)) ?? aliases.get(key) ?? universe.get(key)
    if (known) searches.set(key, { domain: known, attempts: [] })
    else unknown.push([key, leads])
  }
  // Each lookup sends a few requests to different sites, so several run concurrently.
  const waiting = unknown.values()
  const lane = async () => {
    for (const [key, leads] of waiting) {
      if (deadline.aborted) return
      const search = await resolveCompany(deps, leads, lookups.add).catch((error) => {
        if (!deadline.aborted) throw error
        return null
      })
      signal.throwIfAborted()
      // A lookup that the deadline interrupted proves nothing about the company.
      if (search && (search.domain || !deadline.aborted)) searches.set(key, search)
    }
  }
  await Promise.all(Array.from({ length: config.DISCOVERY_CONCURRENCY }, lane))
  signal.throwIfAborted()

  const candidates = new Map<string, ResolvedCompany>()
  const unresolved: UnresolvedLead[] = []
  // In the order of the leads, not in that of the lookups.
  for (const [key, leads] of byName) {
    const { domain, attempts } = searches.get(key) ?? { domain: null, attempts: [NOT_REACHED] }
    if (domain) addCandidate(candidates, domain, leads)
    else unresolved.push(toUnresolved(leads, attempts))
  }
  const late = byName.size - searches.size
  return { candidates, unresolved, reports: [...lookups.list(), ...lateReport(late, candidates.size)] }
}

const NOT_REACHED = 'The time limit of the run was reached before its website was found.'

/** The domains of the accounts and of the own company that leads name by another of their names, by key. */
async function findAliasDomains(db: Parts['db'], workspaceId: string, leads: readonly SourcedLead[]) {
  const { domains } = await findOwnIdentity(db, workspaceId)
  const names = leads.map(({ company }) => company.name)
  const found = await findDomainsByAlias(db, workspaceId, names, domains)
  return new Map([...found].map(([name, domain]) => [companyKey(name), domain]))
}

/** Of the newest lead, because only one of them is shown. */
function toUnresolved(leads: readonly SourcedLead[], attempts: readonly string[]): UnresolvedLead {
  const newest = leads.toSorted((a, b) =>
    (b.document.published_date ?? '').localeCompare(a.document.published_date ?? ''),
  )
  const { company, signal_id, source, document } = newest[0] as SourcedLead
  const text = (written: string) => cutText(toStorable(written), MAX_TITLE_CHARS)
  const name = cutText(toStorable(company.name), MAX_NAME_CHARS)
  return { name, signal_id, source, url: text(document.url), attempts: attempts.map(text) }
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
    name: cutText(toStorable(first.company.name), MAX_NAME_CHARS),
    source: first.source,
    documents: [...earlier, ...documents],
  })
}

/** Counts the queries about companies by source. */
class LookupReports {
  readonly #sources = new Map<string, { asked: number; failures: string[] }>()

  readonly add = (source: string, failure: string | null): void => {
    const counts = this.#sources.get(source) ?? { asked: 0, failures: [] }
    counts.asked++
    if (failure !== null) counts.failures.push(failure)
    this.#sources.set(source, counts)
  }

  list(): SourceReport[] {
    return [...this.#sources].flatMap(([name, { asked, failures }]) => {
      if (failures.length === 0) return []
      const outcome = failures.length === asked ? 'failed' : 'nothing'
      return [
        { name, outcome, items: 0, reason: `It failed for ${failures.length} of ${asked} companies. ${failures[0]}` },
      ]
    })
  }
}

function lateReport(late: number, resolved: number): SourceReport[] {
  if (late === 0) return []
  const reason = `The time limit was reached before the domains of ${late} companies were resolved.`
  return [{ name: 'company domains', outcome: resolved > 0 ? 'items' : 'failed', items: resolved, reason }]
}

/** Recognises the workspace's own company, by a domain or URL and by a name. */
export type OwnCompany = { hasDomain: (domainOrUrl: string) => boolean; hasName: (name: string) => boolean }

export async function loadOwnCompany({ db }: Pick<Deps, 'db'>, workspaceId: string): Promise<OwnCompany> {
  const { domains, name } = await findOwnIdentity(db, workspaceId)
  const [own, key] = [new Set(domains.map(registrableDomainOrHost)), companyKey(name ?? '')]
  return {
    hasDomain: (domainOrUrl) => own.has(registrableDomainOrHost(domainOrUrl)),
    hasName: (name) => key !== '' && companyKey(name) === key,
  }
}
