import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Lease } from '../db/leases.ts'
import { purgeOlderThan } from '../db/purge.ts'

/** Claims a lookup unless another process holds an unexpired lease on it. Returns whether it was claimed. */
export async function claimLookup(db: Db, workspaceId: string, subject: string, { id, seconds }: Lease) {
  const lease_until = sql<string>`now() + make_interval(secs => ${seconds})`
  const inserted = await db
    .insertInto('lookups')
    .values({ workspace_id: workspaceId, subject, claim: id, lease_until })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (inserted.numInsertedOrUpdatedRows === 1n) return true
  const taken = await db
    .updateTable('lookups')
    .set({ claim: id, lease_until })
    .where('workspace_id', '=', workspaceId)
    .where('subject', '=', subject)
    .where('lease_until', '<', sql<string>`now()`)
    .executeTakeFirstOrThrow()
  return taken.numUpdatedRows === 1n
}

export async function renewLookup(db: Db, workspaceId: string, subject: string, { id, seconds }: Lease) {
  await db
    .updateTable('lookups')
    .set({ lease_until: sql<string>`now() + make_interval(secs => ${seconds})` })
    .where('workspace_id', '=', workspaceId)
    .where('subject', '=', subject)
    .where('claim', '=', id)
    .execute()
}

export async function releaseLookup(db: Db, workspaceId: string, subject: string, { id }: Lease): Promise<void> {
  await db
    .deleteFrom('lookups')
    .where('workspace_id', '=', workspaceId)
    .where('subject', '=', subject)
    .where('claim', '=', id)
    .execute()
}

/** Lookups whose process died and that were not requested since. They are few, so their expiry time has no index. */
export const abandonedLookups = purgeOlderThan({ table: 'lookups', time: 'lease_until', days: 1 })
