import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a member says of a finding. It stands on the row, so that another page about the same event meets it there.
  await sql`
    alter table signal_detections
      add column verdict text check (verdict in ('right', 'wrong')),
      add column verdict_reason text check (char_length(verdict_reason) <= 500),
      add column verdict_by uuid,
      add column verdict_at timestamptz(3),
      add column verdict_proofs integer,
      add column is_shown boolean not null
        generated always as (signal_present and verdict is distinct from 'wrong') stored,
      add constraint signal_detections_verdict check (
        case when verdict is null then num_nonnulls(verdict_reason, verdict_by, verdict_at, verdict_proofs) = 0
          else signal_present and num_nonnulls(verdict_at, verdict_proofs) = 2 end),
      add constraint signal_detections_verdict_by foreign key (workspace_id, verdict_by)
        references members (workspace_id, id) on delete set null (verdict_by)`.execute(db)
  await sql`create index signal_detections_verdict_by on signal_detections (workspace_id, verdict_by)
    where verdict_by is not null`.execute(db)
  // The feed over all accounts, newest first, and its weeks. Rows are long: counting them reads the index alone.
  await sql`create index signal_detections_feed on signal_detections (workspace_id, created_at desc, id desc)
    include (account_id, signal_id) where is_shown`.execute(db)
  await sql`create index signal_detections_week on signal_detections (workspace_id, detected_at)
    include (account_id, signal_id) where is_shown`.execute(db)
  await sql`create index signal_detections_judged on signal_detections (workspace_id, id) where verdict is not null`.execute(
    db,
  )
}
