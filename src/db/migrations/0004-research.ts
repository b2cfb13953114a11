import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runs (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      signal_id text,
      name text,
      mode text not null check (mode in ('discovery', 'monitor', 'both')),
      status text not null check (status in ('running', 'done', 'failed')),
      spec jsonb,
      stats jsonb not null default '{"candidates": 0, "accounts": 0, "matched": 0}',
      failure text,
      timeframe_days integer check (timeframe_days > 0),
      account_id uuid,
      started_at timestamptz(3) not null default now(),
      finished_at timestamptz(3),
      touched_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete set null (signal_id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete set null (account_id),
      check ((status = 'running') = (finished_at is null))
    )`.execute(db)
  await sql`create index runs_created on runs (workspace_id, created_at desc, id desc)`.execute(db)
  await sql`create index runs_status on runs (workspace_id, status, created_at desc, id desc)`.execute(db)
  // Null until somebody works on it.
  await sql`create index runs_touched on runs (touched_at) where status = 'running'`.execute(db)
  await sql`create index runs_account on runs (workspace_id, account_id) where account_id is not null`.execute(db)
  // Two scans of one account at a time are one.
  await sql`create unique index runs_scanning on runs (workspace_id, account_id) where status = 'running' and account_id is not null`.execute(
    db,
  )

  // One for each signal a scan looks for.
  await sql`
    create table run_tasks (
      workspace_id uuid not null,
      run_id uuid not null,
      signal_id text not null,
      state text not null check (state in ('pending', 'found', 'absent')),
      primary key (workspace_id, run_id, signal_id),
      foreign key (workspace_id, run_id) references runs (workspace_id, id) on delete cascade,
      foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index run_tasks_signal on run_tasks (workspace_id, signal_id)`.execute(db)

  // What was read, once for each account and address: detection can run again without fetching again.
  await sql`
    create table documents (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      url text not null,
      kind text not null check (kind in ('page', 'article', 'posting', 'filing', 'mention')),
      source text not null,
      title text,
      text text not null,
      published_date date,
      hash bytea not null,
      read_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)
  // Addresses may be longer than an index takes.
  await sql`create unique index documents_url on documents (workspace_id, account_id, md5(url))`.execute(db)
  await sql`create index documents_read on documents (read_at)`.execute(db)

  await sql`alter table signal_detections add column confidence double precision not null default 0
    check (confidence between 0 and 1)`.execute(db)
  await sql`alter table signal_detections add column run_id uuid`.execute(db)
  await sql`create index signal_detections_run on signal_detections (workspace_id, run_id) where run_id is not null`.execute(
    db,
  )
  // A finding is one event; its pages are its evidence.
  await sql`create index signal_detections_present on signal_detections (workspace_id, account_id, signal_id, detected_at)
    where signal_present`.execute(db)

  // Scores fade with time, so they are worked out anew every day.
  await sql`create index accounts_scored on accounts (scored_at) where scored_at is not null`.execute(db)

  // Credentials of what a workspace has connected.
  await sql`
    create table connections (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      provider text not null check (provider in ('crm_one', 'crm_two', 'chat')),
      credential_sealed bytea not null,
      expires_at timestamptz(3),
      problem text,
      connected_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (workspace_id, provider)
    )`.execute(db)
}
