import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Stores the time of the latest MCP request. */
export async function saveMcpUse(db: Db, workspaceId: string): Promise<void> {
  await sql`
    insert into mcp_uses (workspace_id, last_used_at) values (${workspaceId}, now())
    on conflict (workspace_id) do update set last_used_at = excluded.last_used_at`.execute(db)
}

/** Returns the time of the latest MCP request, to the minute; null before the first. */
export async function findMcpUse(db: Db, workspaceId: string): Promise<string | null> {
  const found = await db
    .selectFrom('mcp_uses')
    .select('last_used_at')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return found?.last_used_at ?? null
}
