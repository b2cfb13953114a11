import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Notes that an agent called just now. */
export async function saveMcpUse(db: Db, workspaceId: string): Promise<void> {
  await sql`
    insert into mcp_uses (workspace_id, last_used_at) values (${workspaceId}, now())
    on conflict (workspace_id) do update set last_used_at = excluded.last_used_at`.execute(db)
}

/** When an agent last called, to the minute; null when none has. */
export async function findMcpUse(db: Db, workspaceId: string): Promise<string | null> {
  const found = await db
    .selectFrom('mcp_uses')
    .select('last_used_at')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return found?.last_used_at ?? null
}
