import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Lease } from '../db/leases.ts'
import { purgeOlderThan } from '../db/purge.ts'

/** Takes a lookup, unless somebody has it whose lease has not run out. Answers whether it was taken. */
export async function claimLookup(db: Db, workspaceId: string, subject: string, { id, seconds }: Lease) {
  const { rows } = await sql<{ claim: string }>`
    insert into lookups (workspace_id, subject, claim, lease_until)
    values (${workspaceId}, ${subject}, ${id}, now() + make_interval(secs => ${seconds}))
    on conflict (workspace_id, subject) do update set claim = excluded.claim, lease_until = excluded.lease_until
      where lookups.lease_until < now()
    returning claim`.execute(db)
  return rows.length > 0
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

/** Lookups whose process died, and that nobody has asked for since. There are never many: no index holds their times. */
export const abandonedLookups = purgeOlderThan({ table: 'lookups', time: 'lease_until', days: 1 })
