import type { Db } from '../db/connect.ts'
import { countryName } from '../engine/countries.ts'
import { readTitle } from '../engine/titles/index.ts'
import { findAccount, updateFirmographics } from '../resources/accounts/store.ts'
import { countTitles } from '../resources/people/store.ts'

/**
 * Counts the known people of an account by department and country. The total is returned as well, because a team page
 * names only some of the employees. Returns an empty object when no person is known.
 */
export async function countWorkforce(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<{ workforce_by_department?: string; workforce_by_country?: string; workforce_based_on?: number }> {
  const departments: Record<string, number> = {}
  const countries: Record<string, number> = {}
  let people = 0
  for (const { title, country_code, count } of await countTitles(db, workspaceId, accountId)) {
    if (title || country_code) people += count
    if (title) add(departments, readTitle(title).department, count)
    if (country_code) add(countries, countryName(country_code) ?? country_code, count)
  }
  return {
    ...(Object.keys(departments).length > 0 ? { workforce_by_department: JSON.stringify(departments) } : {}),
    ...(Object.keys(countries).length > 0 ? { workforce_by_country: JSON.stringify(countries) } : {}),
    ...(people > 0 ? { workforce_based_on: people } : {}),
  }
}

/** Recounts after an erasure. An account without counts stays without them. */
export async function recountWorkforce(db: Db, workspaceId: string, accountId: string): Promise<void> {
  const account = await findAccount(db, workspaceId, accountId)
  if (!account?.workforce_by_department && !account?.workforce_by_country) return
  const empty = { workforce_by_department: null, workforce_by_country: null, workforce_based_on: null }
  const counted = { ...empty, ...(await countWorkforce(db, workspaceId, accountId)) }
  await updateFirmographics(db, workspaceId, accountId, counted)
}

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}
