import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table people
      add column published_email text,
      add column published_url text,
      add column found_phone text,
      add column found_phone_source text,
      add column email_source text check (email_source in ('published', 'smtp', 'zerobounce')),
      add column email_note text,
      add column phone_source text,
      add column phone_note text,
      add column left_on date,
      add column title_history jsonb not null default '[]'`.execute(db)

  // What the last load of an account's roster brought, and which sources failed it.
  await sql`
    create table account_rosters (
      workspace_id uuid not null,
      account_id uuid not null,
      synced_at timestamptz(3) not null default now(),
      synced integer not null check (synced >= 0),
      sources jsonb not null default '[]',
      primary key (workspace_id, account_id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)

  // Lookups under way, so that whoever asks for the same at the same time, in any process, waits instead of asking again.
  await sql`
    create table lookups (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      subject text not null,
      claim uuid not null,
      lease_until timestamptz(3) not null,
      primary key (workspace_id, subject)
    )`.execute(db)
}
