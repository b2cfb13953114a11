import type { Deps } from '../../deps/deps.ts'
import { type ProviderParts, toProviderDeps } from '../../providers/types.ts'
import { findAccountsByDomain, listLeastScanned } from '../../resources/accounts/store.ts'
import { type Company, findCompanies, markResearched } from '../../resources/companies/store.ts'
import type { SourceReport } from '../../resources/runs/store.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import type { NewCandidate } from '../leads/company-store.ts'
import { resolveLeads, type SourcedLead } from '../leads/resolve-leads.ts'
import { type IsOwnCompany, readOwnCompany } from '../own-company.ts'
import { leadSources } from '../sources.ts'
import { streamLeads } from '../streams/leads.ts'
import { MONITORED } from './candidate-store.ts'
import {
  type DiscoveryFilter,
  type DiscoverySpec,
  filterOf,
  isNarrowRule,
  MOST_DAYS,
  outside,
  recencyDays,
} from './rule.ts'

export type Gathered = {
  candidates: NewCandidate[]
  /** Companies in the news whose domain nobody could tell. */
  unresolved: number
  sources: SourceReport[]
}

type Parts = Pick<Deps, 'db'> & ProviderParts

/** For the domains of the companies in the news: well under a job's limit, after which all would be gathered again. */
const RESOLVE_MS = 4 * 60_000
const PAGE = 500
/** The universe knows countries; for a state or a city more of it is read, and looked through here. */
const WIDE_PAGE = 5_000
/** Pages of the universe without anybody new before giving up on it. */
const MAX_IDLE_PAGES = 200

/** Collects what a run looks into: active accounts, new companies, or both. */
export async function gather(
  parts: Parts,
  workspaceId: string,
  mode: 'discovery' | 'monitor' | 'both',
  spec: DiscoverySpec,
  signal: AbortSignal,
): Promise<Gathered> {
  const { db, config } = parts
  const active = mode === 'discovery' ? [] : await listLeastScanned(db, workspaceId, config.DISCOVERY_MAX_CANDIDATES)
  const accounts = active.map(({ domain, name }) => ({ domain, name, source: MONITORED, documents: null }))
  if (mode === 'monitor') return { candidates: accounts, unresolved: 0, sources: [] }
  const { candidates, ...rest } = await gatherNew(parts, workspaceId, spec, signal)
  // The accounts first: one that a source names as well is looked at once.
  return { candidates: [...accounts, ...candidates], ...rest }
}

/** The companies that news and filings name, and those of the universe that match. */
async function gatherNew(
  parts: Parts,
  workspaceId: string,
  spec: DiscoverySpec,
  signal: AbortSignal,
): Promise<Gathered> {
  const { db, config } = parts
  const budget = config.DISCOVERY_MAX_CANDIDATES
  const isOwn = await readOwnCompany(parts, workspaceId)
  const { leads, sources } = await readLeads(parts, spec, signal)
  const resolved = await resolveLeads(parts, workspaceId, leads, signal, AbortSignal.timeout(RESOLVE_MS))
  sources.push(...resolved.reports)
  const named = [...resolved.candidates.values()].filter(({ domain }) => !isOwn(domain))
  const known = await domainsOfAccounts(
    parts,
    workspaceId,
    named.map(({ domain }) => domain),
  )
  const universe = await fromUniverse(db, workspaceId, filterOf(spec), budget, isOwn, signal)
  if (universe.report) sources.push(universe.report)
  // News is about companies of any kind, the universe about those that were asked for: neither crowds out the other.
  const share = Math.max(Math.ceil(budget / 2), budget - universe.fresh.length)
  const fresh = named.filter(({ domain }) => !known.has(domain)).slice(0, share)
  const chosen = new Map(fresh.map((candidate) => [candidate.domain, candidate]))
  for (const company of universe.fresh) {
    if (chosen.size >= budget) break
    if (!chosen.has(company.domain)) chosen.set(company.domain, ofUniverse(company))
  }
  // Accounts are not looked into, only counted.
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
  const days = Math.min(recencyDays(spec) ?? MOST_DAYS, MOST_DAYS)
  const since = daysBefore(isoDate(now()), days)
  const limit = config.DISCOVERY_MAX_CANDIDATES
  const [told, ...looks] = await Promise.all([
    streamLeads(parts, signalIds, since, limit, signal),
    ...leadSources(config).map(async (source) => ({
      name: source.name,
      found: await source.leads(deps, signalIds, since, limit),
    })),
  ])
  signal.throwIfAborted()
  const sources: SourceReport[] = looks.map(({ name, found }) => ({
    name,
    outcome: found.outcome,
    items: found.outcome === 'items' ? found.items.length : 0,
    reason: found.outcome === 'nothing' ? null : (found.reason ?? null),
  }))
  const leads: SourcedLead[] = looks.flatMap(({ name, found }) =>
    found.outcome === 'items' ? found.items.map((lead) => ({ ...lead, source: name })) : [],
  )
  return { leads: [...told.leads, ...leads], sources: [...told.sources, ...sources] }
}

/** Companies of the universe that match, up to the limit without the workspace's own and those that are accounts already. */
async function fromUniverse(
  db: Deps['db'],
  workspaceId: string,
  filter: DiscoveryFilter,
  limit: number,
  isOwn: IsOwnCompany,
  signal: AbortSignal,
): Promise<{ fresh: Company[]; existing: Company[]; report: SourceReport | null }> {
  const fresh: Company[] = []
  const existing: Company[] = []
  let idle = 0
  let looked = 0
  let after: Company | undefined
  while (fresh.length < limit && idle < MAX_IDLE_PAGES) {
    signal.throwIfAborted()
    const size = isNarrowRule(filter) ? WIDE_PAGE : Math.min(PAGE, limit)
    const read = await findCompanies(db, workspaceId, filter, size, after)
    const page = isNarrowRule(filter) ? read.filter((company) => !outside(filter, company, { final: true })) : read
    const known = await domainsOfAccounts(
      { db },
      workspaceId,
      page.map(({ domain }) => domain),
    )
    const unknown = page.filter(({ domain }) => !known.has(domain) && !isOwn(domain))
    fresh.push(...unknown)
    existing.push(...page.filter(({ domain }) => known.has(domain)))
    // At the end of the order they do not stand in the way of the next run.
    await markResearched(db, workspaceId, [...known])
    idle = unknown.length === 0 ? idle + 1 : 0
    after = read.at(-1)
    looked += read.length
    if (read.length < size) return { fresh: fresh.slice(0, limit), existing, report: null }
  }
  return {
    fresh: fresh.slice(0, limit),
    existing,
    report: idle < MAX_IDLE_PAGES ? null : leftOff(fresh.length, looked),
  }
}

/** Some may be left that nobody has looked at. */
function leftOff(found: number, looked: number): SourceReport {
  const reason = `Of ${looked} companies, the last ${MAX_IDLE_PAGES} pages held nobody who is new and fits; any others were not looked through.`
  return { name: 'universe', outcome: found > 0 ? 'items' : 'nothing', items: found, reason }
}

async function domainsOfAccounts({ db }: Pick<Deps, 'db'>, workspaceId: string, domains: string[]) {
  const accounts = await findAccountsByDomain(db, workspaceId, domains)
  return new Set(accounts.flatMap(({ domain }) => domain ?? []))
}
