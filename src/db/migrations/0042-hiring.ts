import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What job boards list now, to tell what is new on them and what is gone. What was closed goes.
  await sql`
    create table openings (
      workspace_id uuid not null,
      account_id uuid not null,
      board text not null,
      url text not null,
      title text not null,
      department text not null,
      location text,
      country_code text,
      published_date date,
      first_seen date not null,
      seen_at timestamptz not null default now(),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)
  // Addresses may be longer than an index takes.
  await sql`create unique index openings_url on openings (workspace_id, account_id, md5(url))`.execute(db)
  await sql`create index openings_seen on openings (seen_at)`.execute(db)

  // The curve: what each look at all boards of an account counted.
  await sql`
    create table hiring_looks (
      workspace_id uuid not null,
      account_id uuid not null,
      day date not null,
      boards text[] not null,
      open integer not null check (open >= 0),
      opened integer check (opened >= 0),
      closed integer check (closed >= 0),
      departments jsonb not null,
      leaders jsonb not null,
      countries jsonb not null,
      looked_at timestamptz(3) not null default now(),
      primary key (workspace_id, account_id, day),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index hiring_looks_age on hiring_looks (looked_at)`.execute(db)
}
