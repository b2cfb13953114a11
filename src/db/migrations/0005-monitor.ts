import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One for each active account; it goes when the account is deactivated or deleted. Leases come and go at every check:
  // no index holds them, and pages have room for them.
  await sql`
    create table monitors (
      workspace_id uuid not null,
      account_id uuid not null,
      next_check_at timestamptz(3) not null,
      last_checked_at timestamptz(3),
      lease_id uuid,
      lease_until timestamptz(3),
      primary key (workspace_id, account_id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    ) with (fillfactor = 70)`.execute(db)
  await sql`create index monitors_due on monitors (next_check_at)`.execute(db)

  // The marks say which lines and articles a page held, eight bytes each: enough to tell what is new.
  await sql`
    create table watched_pages (
      workspace_id uuid not null,
      account_id uuid not null,
      url text not null check (length(url) <= 2048),
      kind text not null check (kind in ('home', 'about', 'team', 'careers', 'press', 'blog', 'pricing', 'feed')),
      etag text,
      last_modified text,
      content_hash text,
      marks bytea not null default '',
      changed_at timestamptz(3) not null default now(),
      failures integer not null default 0,
      primary key (workspace_id, account_id, url),
      foreign key (workspace_id, account_id) references monitors (workspace_id, account_id) on delete cascade
    )`.execute(db)

  await sql`create index monitor_events_unchanged on monitor_events (created_at) where status = 'unchanged'`.execute(db)

  // Accounts that were active before there was a monitor, spread over the day.
  await sql`
    insert into monitors (workspace_id, account_id, next_check_at)
    select workspace_id, id, now() + random() * interval '1 day' from accounts where status = 'active'`.execute(db)
}
