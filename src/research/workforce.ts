import type { Db } from '../db/connect.ts'
import { readTitle } from '../engine/titles/index.ts'
import { countTitles } from '../resources/people/store.ts'

/** How the known people of an account spread over departments and countries; nothing when nobody is known. */
export async function readWorkforce(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<{ workforce_by_department?: string; workforce_by_country?: string }> {
  const departments: Record<string, number> = {}
  const countries: Record<string, number> = {}
  for (const { title, country_code, count } of await countTitles(db, workspaceId, accountId)) {
    if (title) add(departments, readTitle(title).department, count)
    if (country_code) add(countries, country_code, count)
  }
  return {
    ...(Object.keys(departments).length > 0 ? { workforce_by_department: JSON.stringify(departments) } : {}),
    ...(Object.keys(countries).length > 0 ? { workforce_by_country: JSON.stringify(countries) } : {}),
  }
}

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count
}
