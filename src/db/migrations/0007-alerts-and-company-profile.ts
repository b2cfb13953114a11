import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notification_settings
    add column webhook_secret_sealed bytea,
    add column webhook_problem text`.execute(db)

  // What people are told of. Open, it takes in what else the run finds on the account; closed, it is being sent.
  await sql`
    create table alerts (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      type text not null check (type in ('signal.detected', 'account.suggested')),
      account_id uuid,
      run_id uuid,
      is_open boolean not null default true,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade,
      check ((type = 'signal.detected') = (account_id is not null))
    )`.execute(db)
  await sql`create unique index alerts_open on alerts (workspace_id, type, account_id, run_id) nulls not distinct where is_open`.execute(
    db,
  )
  await sql`create index alerts_account on alerts (workspace_id, account_id) where account_id is not null`.execute(db)
  await sql`create index alerts_age on alerts (created_at)`.execute(db)

  // The detections or suggested accounts an alert is about. The key holds that nobody is told of one twice.
  await sql`
    create table alert_items (
      workspace_id uuid not null,
      record_id uuid not null,
      alert_id uuid not null,
      primary key (workspace_id, record_id),
      foreign key (workspace_id, alert_id) references alerts (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index alert_items_alert on alert_items (workspace_id, alert_id)`.execute(db)

  // Each channel has a state of its own: one that is broken neither stops nor repeats the other.
  await sql`
    create table alert_deliveries (
      workspace_id uuid not null,
      alert_id uuid not null,
      channel text not null check (channel in ('webhook', 'chat')),
      state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'dropped')),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3) not null default now(),
      lease_id uuid,
      lease_until timestamptz(3),
      status integer,
      message text,
      finished_at timestamptz(3),
      primary key (workspace_id, alert_id, channel),
      foreign key (workspace_id, alert_id) references alerts (workspace_id, id) on delete cascade,
      check ((state = 'pending') = (finished_at is null))
    )`.execute(db)
  await sql`create index alert_deliveries_pending on alert_deliveries (next_attempt_at) where state = 'pending'`.execute(
    db,
  )

  // When the own site is to be read next; null while nothing is to be read.
  await sql`alter table company_profiles add column due_at timestamptz(3)`.execute(db)
  await sql`update company_profiles set due_at = now() where domain is not null`.execute(db)
  await sql`create index company_profiles_due on company_profiles (due_at) where due_at is not null`.execute(db)

  // What was drafted last, so that a section somebody has changed or deleted since is known as theirs.
  await sql`
    create table knowledge_drafts (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      type text not null,
      section_id uuid not null,
      hash bytea not null,
      primary key (workspace_id, type)
    )`.execute(db)
}
