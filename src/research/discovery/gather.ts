import type { Deps } from '../../deps/deps.ts'
import { type ProviderParts, toProviderDeps } from '../../providers/types.ts'
import { findBrandDomains } from '../../resources/account-relations/store.ts'
import { findCustomerDomains } from '../../resources/accounts/crm-store.ts'
import { findAccountsByDomain, listLeastScanned } from '../../resources/accounts/store.ts'
import { type Company, findCompanies, markResearched } from '../../resources/companies/store.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import {
  loadOwnCompany,
  type OwnCompany,
  resolveLeads,
  type SourcedLead,
  type UnresolvedLead,
} from '../resolve-leads.ts'
import { leadSources } from '../sources.ts'
import { findStreamLeads } from '../streams/items.ts'
import { ACTIVE_ACCOUNTS, type NewCandidate } from './candidate-store.ts'
import {
  buildDiscoveryFilter,
  type DiscoveryFilter,
  type DiscoverySpec,
  filterMismatch,
  isNarrowRule,
  MAX_DAYS,
  recencyDays,
} from './rule.ts'

export type GatheredCandidates = {
  candidates: NewCandidate[]
  /** Companies in the news whose domain could not be resolved. */
  unresolved: UnresolvedLead[]
  sources: SourceReport[]
}

type Parts = Pick<Deps, 'db'> & ProviderParts

/** The time limit for resolving domains: well below the timeout of the job, which would gather all candidates again. */
const RESOLVE_MS = 4 * 60_000
const PAGE = 500
/** The universe is filtered by country; for a state or a city, larger pages are read and filtered here. */
const WIDE_PAGE = 5_000
/** The limit of consecutive pages of the universe without a new company. */
const MAX_IDLE_PAGES = 200

/** Collects the companies that a run researches: active accounts, new companies, or both. */
export async function gatherCandidates(
  parts: Parts,
  workspaceId: string,
  mode: 'discovery' | 'monitor' | 'both',
  spec: DiscoverySpec,
  signal: AbortSignal,
): Promise<GatheredCandidates> {
  const { db, config } = parts
  const active = mode === 'discovery' ? [] : await listLeastScanned(db, workspaceId, config.DISCOVERY_MAX_CANDIDATES)
  const accounts = active.map(({ domain, name }) => ({ domain, name, source: ACTIVE_ACCOUNTS, documents: null }))
  if (mode === 'monitor') return { candidates: accounts, unresolved: [], sources: [] }
  const { candidates, ...rest } = await gatherNew(parts, workspaceId, spec, signal)
  // Accounts first, so that one that a source also names is researched once.
  return { candidates: [...accounts, ...candidates], ...rest }
}

/** The companies that news and filings name, and those of the universe that match. */
async function gatherNew(
  parts: Parts,
  workspaceId: string,
  spec: DiscoverySpec,
  signal: AbortSignal,
): Promise<GatheredCandidates> {
  const { db, config } = parts
  const budget = config.DISCOVERY_MAX_CANDIDATES
  const own = await loadOwnCompany(parts, workspaceId)
  const { leads: all, sources } = await readLeads(parts, spec, signal)
  const leads = all.filter(({ company }) => !own.hasName(company.name))
  const resolved = await resolveLeads(parts, workspaceId, leads, signal, AbortSignal.timeout(RESOLVE_MS))
  sources.push(...resolved.reports)
  const named = [...resolved.candidates.values()].filter(({ domain }) => !own.hasDomain(domain))
  const known = await knownDomains(
    parts,
    workspaceId,
    named.map(({ domain }) => domain),
  )
  const universe = await fromUniverse(db, workspaceId, buildDiscoveryFilter(spec), budget, own, signal)
  if (universe.report) sources.push(universe.report)
  // News names companies of any kind, the universe returns those that match the filter: each gets a share of the limit.
  const share = Math.max(Math.ceil(budget / 2), budget - universe.fresh.length)
  const fresh = named.filter(({ domain }) => !known.has(domain)).slice(0, share)
  const chosen = new Map<string, NewCandidate>(fresh.map((candidate) => [candidate.domain, candidate]))
  for (const company of universe.fresh) {
    if (chosen.size >= budget) break
    if (!chosen.has(company.domain)) chosen.set(company.domain, ofUniverse(company))
  }
  // Existing accounts are not researched, only counted.
  const existing = [
    ...named.filter(({ domain }) => known.has(domain)),
    ...universe.existing.slice(0, budget).map(ofUniverse),
  ]
  return { candidates: [...chosen.values(), ...existing], unresolved: resolved.unresolved, sources }
}

const ofUniverse = ({ domain, name }: Company): NewCandidate => ({ domain, name, source: 'universe', documents: null })

async function readLeads(parts: Parts, spec: DiscoverySpec, signal: AbortSignal) {
  const { config, now } = parts
  const deps = toProviderDeps(parts, signal)
  const { any_of, must_have } = spec.signals
  const signalIds = [...new Set([...must_have, ...any_of])]
  const days = Math.min(recencyDays(spec) ?? MAX_DAYS, MAX_DAYS)
  const since = daysBefore(isoDate(now()), days)
  const limit = config.DISCOVERY_MAX_CANDIDATES
  const [streams, ...answers] = await Promise.all([
    findStreamLeads(parts, signalIds, since, limit, signal),
    ...leadSources(config).map(async (source) => ({
      name: source.name,
      found: await source.leads(deps, signalIds, since, limit),
    })),
  ])
  signal.throwIfAborted()
  const sources: SourceReport[] = answers.map(({ name, found }) => ({
    name,
    outcome: found.outcome,
    items: found.outcome === 'items' ? found.items.length : 0,
    reason: found.outcome === 'nothing' ? null : (found.reason ?? null),
  }))
  const leads: SourcedLead[] = answers.flatMap(({ name, found }) =>
    found.outcome === 'items' ? found.items.map((lead) => ({ ...lead, source: name })) : [],
  )
  return { leads: [...streams.leads, ...leads], sources: [...streams.sources, ...sources] }
}

/** Companies of the universe that match, up to the limit, without the workspace's own and without existing accounts. */
async function fromUniverse(
  db: Deps['db'],
  workspaceId: string,
  filter: DiscoveryFilter,
  limit: number,
  own: OwnCompany,
  signal: AbortSignal,
): Promise<{ fresh: Company[]; existing: Company[]; report: SourceReport | null }> {
  const fresh: Company[] = []
  const existing: Company[] = []
  let idle = 0
  let total = 0
  let after: Company | undefined
  while (fresh.length < limit && idle < MAX_IDLE_PAGES) {
    signal.throwIfAborted()
    const size = isNarrowRule(filter) ? WIDE_PAGE : Math.min(PAGE, limit)
    const read = await findCompanies(db, workspaceId, filter, size, after)
    const page = isNarrowRule(filter)
      ? read.filter((company) => !filterMismatch(filter, company, { final: true }))
      : read
    const known = await knownDomains(
      { db },
      workspaceId,
      page.map(({ domain }) => domain),
    )
    const unknown = page.filter(({ domain }) => !known.has(domain) && !own.hasDomain(domain))
    fresh.push(...unknown)
    existing.push(...page.filter(({ domain }) => known.has(domain)))
    // At the end of the order, so that the next run does not read them first.
    await markResearched(db, workspaceId, [...known])
    idle = unknown.length === 0 ? idle + 1 : 0
    after = read.at(-1)
    total += read.length
    if (read.length < size) return { fresh: fresh.slice(0, limit), existing, report: null }
  }
  return {
    fresh: fresh.slice(0, limit),
    existing,
    report: idle < MAX_IDLE_PAGES ? null : leftOff(fresh.length, total),
  }
}

/** More matching companies may follow after the limit of pages. */
function leftOff(found: number, total: number): SourceReport {
  const reason = `${total} companies were read. The last ${MAX_IDLE_PAGES} pages contained no new match, so the remaining ones were not read.`
  return { name: 'universe', outcome: found > 0 ? 'items' : 'nothing', items: found, reason }
}

/** The domains that need no discovery: those of accounts and their brands, and those of customers in the CRM. */
async function knownDomains({ db }: Pick<Deps, 'db'>, workspaceId: string, domains: string[]) {
  const [accounts, customers, brands] = await Promise.all([
    findAccountsByDomain(db, workspaceId, domains),
    findCustomerDomains(db, workspaceId, domains),
    findBrandDomains(db, workspaceId, domains),
  ])
  return new Set([...accounts.flatMap(({ domain }) => domain ?? []), ...customers, ...brands])
}
