import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What each CRM last said of a row: whether it made the record, or why it did not take it.
  await sql`alter table push_rows add column outcomes jsonb`.execute(db)

  // Skipped records are named: ids that are none, or that came before, have no row, so the first of them are kept with the run.
  await sql`alter table push_runs add column surplus text[] not null default '{}'`.execute(db)
  await sql`create index push_rows_skipped on push_rows (workspace_id, run_id, position) where state = 'skipped'`.execute(
    db,
  )
}
