import { isoDate } from '../days.ts'
import type { Deps } from '../deps.ts'
import { storable } from '../engine/storable.ts'
import { AppError } from '../errors.ts'
import { syncRoster } from '../people/roster/sync.ts'
import type { Firmographics } from '../providers/types.ts'
import { notActive } from '../resources/accounts/not-active.ts'
import {
  type AccountFields,
  getAccount,
  lockAccount,
  lockForAssessment,
  updateFirmographics,
} from '../resources/accounts/store.ts'
import { assess } from './assess.ts'
import { readContext } from './context.ts'
import { type Research, researchCompany, whyNothing } from './research.ts'
import { readWorkforce } from './workforce.ts'

/** Pages that say who a company is; the rest is for scans. */
const PROFILE_PAGES = 8
/** Somebody waits for the answer. */
const SOURCE_MS = 45_000
const FIRST_YEAR = 1200

/**
 * Brings an active account's profile and roster up to date from the sources and answers the account. What a person has set stays. Throws
 * not_found, account_not_active, and unavailable when no source could be read.
 */
export async function enrich(
  deps: Deps,
  workspaceId: string,
  id: string,
  signal: AbortSignal = new AbortController().signal,
) {
  const account = await getAccount(deps.db, workspaceId, id)
  if (account.status !== 'active') throw notActive()
  const scope = { since: isoDate(deps.now()), maxPages: PROFILE_PAGES, only: 'profile' as const, sourceMs: SOURCE_MS }
  const [research] = await Promise.all([
    researchCompany(deps, account, scope, signal),
    // Who works there makes up the workforce; a company without a team page still has a profile.
    syncRoster(deps, workspaceId, id, signal).catch(onlyUnavailable),
  ])
  const failure = whyNothing(research.sources)
  if (failure) throw new AppError('unavailable', `${failure} Nothing was changed.`)
  await applyProfile(deps, workspaceId, id, research)
  return getAccount(deps.db, workspaceId, id)
}

function onlyUnavailable(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'unavailable')) throw error
}

/** Stores what the sources say about a company, and assesses the account anew. Throws not_found. */
export async function applyProfile(
  deps: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  id: string,
  { firmographics }: Pick<Research, 'firmographics'>,
): Promise<void> {
  const { db, now } = deps
  const context = await readContext(deps, workspaceId)
  await db.transaction().execute(async (db) => {
    const { overridden } = await lockAccount(db, workspaceId, id)
    const found: Partial<AccountFields> = {
      ...profileFrom(firmographics, now()),
      ...(await readWorkforce(db, workspaceId, id)),
    }
    const fields = Object.fromEntries(Object.entries(found).filter(([name]) => !overridden.includes(name)))
    // Assessing raises the list's version as well: twice in one transaction could meet another one crosswise.
    if (Object.keys(fields).length > 0) await updateFirmographics(db, workspaceId, id, fields)
    const account = await lockForAssessment(db, workspaceId, id)
    if (account) await assess(db, workspaceId, account, context)
  })
}

/** Of each field what the first source says that says anything sensible. The name stays the one the team knows it by. */
export function profileFrom(sources: readonly Firmographics[], now: Date): Omit<Firmographics, 'name'> {
  const all: Firmographics = {}
  for (const source of sources.toReversed()) Object.assign(all, withoutNonsense(clean(source), now.getUTCFullYear()))
  return all
}

function clean(source: Firmographics): Firmographics {
  const texts = Object.entries(source).map(([name, value]) => [
    name,
    typeof value === 'string' ? storable(value) : value,
  ])
  return Object.fromEntries(texts) as Firmographics
}

function withoutNonsense({ name: _, employees, founded_year, ...rest }: Firmographics, year: number): Firmographics {
  return {
    ...rest,
    ...(employees !== undefined && employees > 0 && employees < 10_000_000 ? { employees } : {}),
    ...(founded_year !== undefined && founded_year >= FIRST_YEAR && founded_year <= year ? { founded_year } : {}),
  }
}
