import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_destinations (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      name text not null,
      url_sealed bytea not null,
      url_masked text not null,
      secret_sealed bytea not null,
      former_secret_sealed bytea,
      former_secret_until timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      constraint webhook_destinations_name unique (workspace_id, name)
    )`.execute(db)

  await sql`
    create table push_runs (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      channel text not null check (channel in ('webhook', 'crm')),
      record_type text not null check (record_type in ('accounts', 'people')),
      status text not null check (status in ('running', 'completed', 'failed')),
      failure text,
      destination_id uuid,
      total integer not null,
      sent integer not null default 0,
      failed integer not null default 0,
      skipped integer not null default 0,
      created_at timestamptz(3) not null default now(),
      finished_at timestamptz(3),
      -- When a worker last reported on it: a run that nobody works on is taken up again.
      touched_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      -- Gone with its destination, the run itself stays.
      foreign key (workspace_id, destination_id) references webhook_destinations (workspace_id, id)
        on delete set null (destination_id),
      check ((status = 'running') = (finished_at is null)),
      check (sent + failed + skipped <= total)
    )`.execute(db)
  await sql`create index push_runs_created on push_runs (workspace_id, created_at desc, id desc)`.execute(db)
  await sql`create index push_runs_running on push_runs (touched_at) where status = 'running'`.execute(db)

  // Every record of a run has its own durable state; a worker holds it under a lease while it sends.
  await sql`
    create table push_rows (
      workspace_id uuid not null,
      run_id uuid not null,
      record_id uuid not null,
      position integer not null,
      state text not null check (state in ('pending', 'sent', 'failed', 'skipped')),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3) not null default now(),
      lease_id uuid,
      lease_until timestamptz(3),
      status integer,
      message text,
      -- No foreign key: rows are written with their run in one statement and never without it, and checking each of
      -- 100,000 takes longer than writing them.
      primary key (workspace_id, run_id, record_id)
    ) with (fillfactor = 70)`.execute(db)
  await sql`create index push_rows_pending on push_rows (workspace_id, run_id, next_attempt_at, position) where state = 'pending'`.execute(
    db,
  )
  await sql`create index push_rows_failed on push_rows (workspace_id, run_id, position) where state = 'failed'`.execute(
    db,
  )

  await sql`
    create table deliveries (
      workspace_id uuid not null,
      id uuid not null,
      destination_id uuid not null,
      run_id uuid,
      record_id uuid,
      webhook_id text not null,
      attempt integer not null,
      status integer,
      message text,
      latency_ms integer not null,
      answer text,
      created_at timestamptz(3) not null default now(),
      -- No foreign key, for the same reason; a destination is deleted together with its log.
      primary key (workspace_id, id)
    )`.execute(db)
  await sql`create index deliveries_destination on deliveries (workspace_id, destination_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index deliveries_age on deliveries (created_at)`.execute(db)
}
