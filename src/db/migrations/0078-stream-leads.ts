import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // False for an item that is stored because its company is an account: as a lead, it would reveal accounts of other
  // workspaces.
  await sql`alter table stream_items add column is_lead boolean not null default true`.execute(db)
}
