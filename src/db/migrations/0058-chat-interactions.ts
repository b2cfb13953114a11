import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The signatures of accepted clicks: the key rejects a replayed request.
  await sql`
    create table chat_interactions (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      signature text not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, signature)
    )`.execute(db)
  await sql`create index chat_interactions_age on chat_interactions (created_at)`.execute(db)
}
