import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { SourcedDocument } from '../../resources/documents/store.ts'

/** A company to look into, with what led to it. */
export type NewCandidate = {
  domain: string
  name: string
  source: string
  documents: SourcedDocument[] | null
}

/** Companies of the universe with these name keys: only those that are the only one of theirs, because a shared name tells nothing. */
export async function findCompaniesByName(
  db: Db,
  workspaceId: string,
  nameKeys: string[],
): Promise<{ name_key: string; domain: string }[]> {
  if (nameKeys.length === 0) return []
  return db
    .selectFrom('companies')
    .select(['name_key', sql<string>`min(domain)`.as('domain')])
    .where('workspace_id', '=', workspaceId)
    .where('name_key', '=', sql<string>`any(${nameKeys}::text[])`)
    .groupBy('name_key')
    .having(sql`count(*)`, '=', 1)
    .execute()
}
