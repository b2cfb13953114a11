import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A worker holds up to a hundred rows of a run by one row here, and those rows are not touched before their results are there.
  // What is not here waits for nobody: a range goes when its last row is delivered, failed for good or skipped.
  await sql`
    create table push_ranges (
      workspace_id uuid not null,
      run_id uuid not null,
      first_position integer not null,
      last_position integer not null,
      -- When the next of its rows is to be sent.
      due_at timestamptz(3) not null default now(),
      lease_id uuid,
      lease_until timestamptz(3),
      -- No foreign key, as for the rows.
      primary key (workspace_id, run_id, first_position),
      check (first_position <= last_position)
    ) with (fillfactor = 50)`.execute(db)
  await sql`create index push_ranges_due on push_ranges (workspace_id, run_id, due_at, first_position)`.execute(db)
  await sql`
    insert into push_ranges (workspace_id, run_id, first_position, last_position, due_at)
    select workspace_id, run_id, (position - 1) / 100 * 100 + 1, (position - 1) / 100 * 100 + 100, min(next_attempt_at)
    from push_rows where state = 'pending' group by workspace_id, run_id, (position - 1) / 100`.execute(db)

  // That a row is sent must change nothing an index holds, its condition included: then the new version stands beside the old
  // one in its page and no index is written. Hence a column for what the indexes of failed and skipped rows go by.
  await sql`drop index push_rows_pending, push_rows_failed, push_rows_skipped, push_rows_record`.execute(db)
  await sql`
    alter table push_rows drop column lease_id, drop column lease_until, drop constraint push_rows_pkey,
      add primary key (workspace_id, run_id, position),
      add column unsent text generated always as (case when state in ('failed', 'skipped') then state end) stored,
      set (fillfactor = 50)`.execute(db)
  await sql`create index push_rows_unsent on push_rows (workspace_id, run_id, unsent, position) where unsent is not null`.execute(
    db,
  )
  // A record is pushed once in a run.
  await sql`create unique index push_rows_record on push_rows (workspace_id, record_id, run_id)`.execute(db)
}
