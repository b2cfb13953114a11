import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Job boards that an account's own pages linked, read by every scan until they no longer exist. `domain` is the domain of
  // the account whose pages linked the board: with another domain, it may be the board of another company.
  await sql`
    create table account_boards (
      workspace_id uuid not null,
      account_id uuid not null,
      vendor text not null,
      token text not null,
      domain text not null,
      found_url text not null,
      linked_at timestamptz(3) not null default now(),
      last_seen timestamptz(3) not null default now(),
      primary key (workspace_id, account_id, vendor, token),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index account_boards_age on account_boards (last_seen)`.execute(db)
}
