import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The headcount in eight steps; 0 stands for unknown.
  await sql`
    create function company_size_band(employees integer) returns smallint language sql immutable parallel safe as $$
      select (case
        when employees is null then 0 when employees <= 10 then 1 when employees <= 50 then 2 when employees <= 200 then 3
        when employees <= 500 then 4 when employees <= 1000 then 5 when employees <= 5000 then 6
        when employees <= 10000 then 7 else 8 end)::smallint
    $$`.execute(db)

  // Every combination of country, industry and size that a company of the workspace has; '' stands for unknown. Filters
  // pick combinations here and find each one's companies, in order, by one index: any mix of filters needs no other.
  await sql`
    create table company_facets (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id integer generated always as identity,
      country_code text not null,
      industry_key text not null,
      size_band smallint not null,
      primary key (workspace_id, id),
      unique (workspace_id, country_code, industry_key, size_band)
    )`.execute(db)

  // The company universe: companies that discovery may look into. Without foreign keys: looking up each row's workspace
  // and facet again would be a large part of the cost of importing millions.
  await sql`
    create table companies (
      workspace_id uuid not null,
      domain text not null,
      name text not null,
      name_key text not null,
      country_code text not null,
      country text,
      industry text,
      industry_key text not null,
      industry_words text,
      employees integer check (employees >= 0),
      location text,
      short_description text,
      network_url text,
      founded_year smallint,
      facet_id integer not null,
      -- In the order of the files they came in, which is the order in which they are looked into.
      position bigint generated always as identity,
      -- Never is the epoch, so that order and paging need no null.
      researched_at timestamptz(3) not null default 'epoch',
      imported_at timestamptz(3) not null default now(),
      primary key (workspace_id, domain)
    )`.execute(db)
  await sql`create index companies_facet on companies (workspace_id, facet_id, researched_at, position) include (employees)`.execute(
    db,
  )
  await sql`create unique index companies_order on companies (workspace_id, researched_at, position) include (facet_id, employees)`.execute(
    db,
  )
  await sql`create index companies_name on companies (workspace_id, name_key)`.execute(db)
  // An industry outside the taxonomy is found by its own words.
  await sql`create index companies_industry_words on companies (workspace_id, industry_words, researched_at, position)
    where industry_words is not null`.execute(db)

  // What a discovery run looks into, each with its own durable state: a run that is taken up again goes on with the rest.
  await sql`
    create table run_candidates (
      workspace_id uuid not null,
      run_id uuid not null,
      domain text not null,
      name text not null,
      source text not null,
      position integer not null,
      state text not null check (state in ('pending', 'matched', 'unmatched', 'existing', 'failed')),
      reason text,
      account_id uuid,
      documents jsonb,
      sources jsonb not null default '[]',
      lease_id uuid,
      lease_until timestamptz(3),
      primary key (workspace_id, run_id, domain),
      foreign key (workspace_id, run_id) references runs (workspace_id, id) on delete cascade,
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete set null (account_id)
    )`.execute(db)
  await sql`create index run_candidates_pending on run_candidates (workspace_id, run_id, position) where state = 'pending'`.execute(
    db,
  )
  await sql`create index run_candidates_account on run_candidates (workspace_id, account_id) where account_id is not null`.execute(
    db,
  )
}
