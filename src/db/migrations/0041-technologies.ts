import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a company's own pages and name records show it uses. `pages` are the places that showed it when they were last read:
  // only when all of them were read without it, it is gone.
  await sql`
    create table account_technologies (
      workspace_id uuid not null,
      account_id uuid not null,
      technology text not null,
      category text not null,
      evidence text not null,
      evidence_url text,
      pages text[] not null,
      first_seen timestamptz(3) not null default now(),
      last_seen timestamptz(3) not null default now(),
      gone_at timestamptz(3),
      primary key (workspace_id, account_id, technology),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)

  // Where it was looked, with or without something there: what a page shows that was never read before is not new. `signs` are
  // what it was looked for, a number for each product: one that is looked for only since then may have been there before.
  await sql`
    create table technology_looks (
      workspace_id uuid not null,
      account_id uuid not null,
      domain text not null,
      pages text[] not null,
      signs integer[] not null,
      primary key (workspace_id, account_id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)
}
