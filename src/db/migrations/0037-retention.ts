import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What is deleted with age is found by its age. Looks are kept for two different times, and each is in one of the two.
  await sql`drop index monitor_events_unchanged`.execute(db)
  await sql`create index monitor_events_quiet on monitor_events (created_at) where status in ('unchanged', 'failed')`.execute(
    db,
  )
  await sql`create index monitor_events_news on monitor_events (created_at) where status in ('new', 'changed')`.execute(
    db,
  )
  for (const table of ['runs', 'push_runs', 'imports']) {
    await sql`create index ${sql.ref(`${table}_finished`)} on ${sql.table(table)} (finished_at)
      where finished_at is not null`.execute(db)
  }
  await sql`create index role_lookups_age on role_lookups (looked_at)`.execute(db)
  await sql`create index credits_taken_age on credits_taken (taken_at)`.execute(db)

  // The accounts of a workspace that were not scanned for longest.
  await sql`create index accounts_rescan on accounts (workspace_id, last_scanned_at nulls first, id) where status = 'active'`.execute(
    db,
  )
}
