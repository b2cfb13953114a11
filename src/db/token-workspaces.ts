import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { ALL_WORKSPACES } from './distribution.ts'

/** The workspace of an API key, a session, a sign-in link or an OAuth state, by its hash; null when it is unknown. */
export async function findTokenWorkspace(db: Db, hash: Buffer): Promise<string | null> {
  const found = await db
    .selectFrom('token_workspaces')
    .select('workspace_id')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return found?.workspace_id ?? null
}

/** Call it before the secret is stored, so that its hash is unique over all workspaces. Deletes those that have expired. */
export async function insertTokenWorkspace(
  db: Db,
  workspaceId: string,
  hash: Buffer,
  { days }: { days: number | null },
): Promise<void> {
  await db
    .deleteFrom('token_workspaces')
    .modifyEnd(sql.raw(ALL_WORKSPACES))
    .where('expires_at', '<', sql<string>`now()`)
    .execute()
  const expires_at = sql<string | null>`now() + make_interval(days => ${days}::int)`
  await db.insertInto('token_workspaces').values({ hash, workspace_id: workspaceId, expires_at }).execute()
}
