import { type QueryCreator, sql } from 'kysely'
import type { Database } from './schema.ts'

export type ListName = Database['list_versions']['list']

const SLOTS = 8

/**
 * For `db.with('raised', raise(…))` in front of every write that can change what a list holds: it makes kept totals
 * invalid in the very statement that changes the rows.
 */
export function raise(workspaceId: string, ...lists: ListName[]) {
  return (query: QueryCreator<Database>) =>
    query
      .insertInto('list_versions')
      .values(
        lists.map((list) => ({ workspace_id: workspaceId, list, slot: Math.floor(Math.random() * SLOTS), version: 1 })),
      )
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'list', 'slot']).doUpdateSet({ version: sql`list_versions.version + 1` }),
      )
      .returning('version')
}
