import type { WorkforceBasis } from '../db/account-tables.ts'
import type { Db } from '../db/connect.ts'
import { countryName } from '../engine/countries.ts'
import { readTitle } from '../engine/titles/index.ts'
import { findLatestSnapshot } from '../resources/accounts/hiring-store.ts'
import { type AccountFields, findAccount, updateFirmographics } from '../resources/accounts/store.ts'
import { countTitles } from '../resources/people/store.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'

type Workforce = Pick<
  AccountFields,
  'workforce_by_department' | 'workforce_by_country' | 'workforce_basis' | 'workforce_based_on'
>

/**
 * Counts the known people of an account who have not left by department and country. Where none has one, the open positions
 * are counted instead, never both together, because a position is not an employee. All null when neither people nor
 * positions are known.
 */
export async function countWorkforce(db: Db, workspaceId: string, accountId: string): Promise<Workforce> {
  const departments: Record<string, number> = {}
  const countries: Record<string, number> = {}
  let people = 0
  const turn = yieldToEventLoop()
  for (const { title, country_code, count } of await countTitles(db, workspaceId, accountId)) {
    await turn()
    if (title || country_code) people += count
    if (title) add(departments, readTitle(title).department, count)
    if (country_code) add(countries, countryName(country_code) ?? country_code, count)
  }
  const snapshot = await findLatestSnapshot(db, workspaceId, accountId)
  const postings = snapshot?.open ?? 0
  if (people === 0 && postings === 0)
    return {
      workforce_by_department: null,
      workforce_by_country: null,
      workforce_basis: null,
      workforce_based_on: null,
    }
  const postingsByCountry: Record<string, number> = {}
  for (const [code, count] of Object.entries(snapshot?.countries ?? {}))
    add(postingsByCountry, countryName(code) ?? code, count)
  const byDepartment = choose(departments, snapshot?.departments ?? {})
  const byCountry = choose(countries, postingsByCountry)
  const basis: WorkforceBasis = {
    text: describeBasis(people, postings),
    people,
    postings,
    postings_on: snapshot?.day ?? null,
    departments_of: byDepartment.of,
    countries_of: byCountry.of,
    postings_by_department: snapshot?.departments ?? {},
    postings_by_country: postingsByCountry,
  }
  return {
    workforce_by_department: byDepartment.counts,
    workforce_by_country: byCountry.counts,
    workforce_basis: JSON.stringify(basis),
    workforce_based_on: people || null,
  }
}

function choose(people: Record<string, number>, postings: Record<string, number>) {
  if (Object.keys(people).length > 0) return { of: 'people' as const, counts: JSON.stringify(people) }
  if (Object.keys(postings).length > 0) return { of: 'postings' as const, counts: JSON.stringify(postings) }
  return { of: null, counts: null }
}

/** "from 7 people and 31 postings" */
function describeBasis(people: number, postings: number): string {
  const parts = [
    ...(people > 0 ? [`${people} ${people === 1 ? 'person' : 'people'}`] : []),
    ...(postings > 0 ? [`${postings} ${postings === 1 ? 'posting' : 'postings'}`] : []),
  ]
  return `from ${parts.join(' and ')}`
}

/** Recounts after an erasure. An account without counts stays without them. */
export async function recountWorkforce(db: Db, workspaceId: string, accountId: string): Promise<void> {
  const account = await findAccount(db, workspaceId, accountId)
  if (!account?.workforce_basis && !account?.workforce_by_department && !account?.workforce_by_country) return
  await updateFirmographics(db, workspaceId, accountId, await countWorkforce(db, workspaceId, accountId))
}

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}
