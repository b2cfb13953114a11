import type { Deps } from '../../deps/deps.ts'
import { buildIndustryFilter, suggestIndustries, TOP_INDUSTRIES } from '../../engine/companies/industries.ts'
import { lookupPlaces, suggestPlaces } from '../../engine/places/index.ts'
import { findIndustryWords } from '../../resources/companies/store.ts'
import type { StartRun } from '../../resources/runs/schema.ts'
import { insertRun } from '../../resources/runs/store.ts'
import { listSignals } from '../../resources/signals/store.ts'
import { getSubscription } from '../../resources/subscription/store.ts'
import { AppError, type ErrorDetail } from '../../shared/errors.ts'
import { discoverAccounts } from './discover.job.ts'
import { type DiscoverySpec, recencyDays } from './rule.ts'

type Parts = Pick<Deps, 'db' | 'jobs'>

/** Starts a discovery run and returns immediately. Throws invalid_request, subscription_required, unknown_signal. */
export async function startDiscovery({ db, jobs }: Parts, workspaceId: string, body: StartRun) {
  const spec = readSpec(body)
  refuse([...wrongSignals(spec), ...wrongFilters(spec), ...(await unknownIndustries(db, workspaceId, spec))])
  const { status } = await getSubscription(db, workspaceId)
  if (status !== 'active')
    throw new AppError('subscription_required', 'Starting a discovery run needs an active subscription.')
  const { any_of, must_have, exclude } = spec.signals
  const known = new Map((await listSignals(db, workspaceId)).map(({ id, name }) => [id, name]))
  const unknown = [...any_of, ...must_have, ...exclude].filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw new AppError('unknown_signal', `There is no signal ${unknown.join(', ')}; GET /signals lists them.`)
  const asked = [...new Set([...any_of, ...must_have])]
  return db.transaction().execute(async (db) => {
    const run = await insertRun(db, workspaceId, {
      mode: body.mode ?? 'discovery',
      name: body.name?.trim() || runName(spec, (id) => known.get(id) ?? id),
      signal_id: asked.length === 1 ? (asked[0] as string) : null,
      spec,
      timeframe_days: recencyDays(spec),
      stats: { candidates: 0, accounts: 0, matched: 0 },
    })
    await jobs.enqueue(db, discoverAccounts, { workspace_id: workspaceId, run_id: run.id })
    return { run_id: run.id, status: run.status, created_at: run.created_at }
  })
}

function readSpec({ signals, recency = '90', geographies = [], industries = [], ...range }: StartRun): DiscoverySpec {
  const unique = (texts: string[] = []) => [...new Set(texts.map((text) => text.trim()))]
  const { employee_min = null, employee_max = null } = range
  return {
    signals: { any_of: unique(signals.any_of), must_have: unique(signals.must_have), exclude: unique(signals.exclude) },
    recency,
    geographies: unique(geographies),
    industries: unique(industries),
    employee_min,
    employee_max,
  }
}

function refuse(details: ErrorDetail[]): void {
  const [first] = details
  if (first) throw new AppError('invalid_request', `${first.path} ${first.message}.`, { details: details.slice(0, 20) })
}

function* wrongSignals({ signals: { any_of, must_have, exclude } }: DiscoverySpec): Generator<ErrorDetail> {
  if (any_of.length + must_have.length === 0)
    yield { path: 'signals', message: 'must have at least one signal in any_of or must_have' }
  const both = exclude.find((id) => must_have.includes(id) || any_of.includes(id))
  if (both) yield { path: 'signals.exclude', message: `must not have ${both}, which is also in any_of or must_have` }
}

function* wrongFilters({ geographies, employee_min, employee_max }: DiscoverySpec): Generator<ErrorDetail> {
  const unknown = geographies.flatMap((text, at) => (lookupPlaces(text).length === 0 ? [{ text, at }] : []))
  for (const [order, { text, at }] of unknown.entries()) {
    const near = order < MOST_NEAR ? suggestPlaces(text) : []
    const hint = near.length > 0 ? `; near: ${near.join(', ')}` : ''
    yield { path: `geographies.${at}`, message: `must be a known region, country, state or city, not "${text}"${hint}` }
  }
  if (employee_min !== null && employee_max !== null && employee_min > employee_max)
    yield { path: 'employee_min', message: 'must not be over employee_max' }
}

/** Finding similar names takes some milliseconds each. */
const MOST_NEAR = 10

/** An industry is valid if it is in the taxonomy or a company of the universe has it. */
async function unknownIndustries(
  db: Parts['db'],
  workspaceId: string,
  { industries }: DiscoverySpec,
): Promise<ErrorDetail[]> {
  const words = industries.map((text) => buildIndustryFilter([text]).words[0] ?? null)
  const known = await findIndustryWords(
    db,
    workspaceId,
    words.filter((word) => word !== null),
  )
  return industries.flatMap((text, at) => {
    const word = words[at] ?? null
    if (word === null || known.has(word)) return []
    const near = suggestIndustries(text)
    const hint = near.length > 0 ? `near: ${near.join(', ')}` : `some that are: ${TOP_INDUSTRIES.join(', ')}`
    return [{ path: `industries.${at}`, message: `must be a known industry, not "${text}"; ${hint}` }]
  })
}

/** The default name of a run, from its rule, such as "Funding or Expansion in DACH". */
function runName(
  { signals, geographies, industries }: Pick<DiscoverySpec, 'signals' | 'geographies' | 'industries'>,
  signalName: (id: string) => string,
): string {
  const named = (ids: readonly string[], word: string) => few(ids.map(signalName), word)
  const { any_of, must_have, exclude } = signals
  return [
    [named(any_of, 'or'), named(must_have, 'and')].filter(Boolean).join(', with '),
    exclude.length > 0 ? `, without ${named(exclude, 'or')}` : '',
    geographies.length > 0 ? ` in ${few(geographies, 'or')}` : '',
    industries.length > 0 ? ` (${few(industries, 'or')})` : '',
  ].join('')
}

const MOST_NAMED = 3

/** `A, B or C`; a longer list is cut and ends with the number of the remaining names. */
function few(names: readonly string[], word: string): string {
  const shown = names.length > MOST_NAMED ? names.slice(0, MOST_NAMED - 1) : names
  const rest = names.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} more`] : shown
  return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(` ${word} `)
}
