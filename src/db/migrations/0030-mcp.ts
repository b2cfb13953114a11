import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When an agent last called, to the minute. Beside the workspace's row, which others lock for a while.
  await sql`
    create table mcp_uses (
      workspace_id uuid primary key references workspaces on delete cascade,
      last_used_at timestamptz(3) not null
    )`.execute(db)
}
