import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Each search keeps its own result: who was found, in which tier.
  await sql`
    create table people_searches (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      query text not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id)
    )`.execute(db)
  await sql`create index people_searches_created_at on people_searches (created_at)`.execute(db)
  await sql`
    create table people_search_hits (
      workspace_id uuid not null,
      search_id uuid not null,
      person_id uuid not null,
      tier integer not null check (tier >= 1),
      primary key (workspace_id, search_id, person_id),
      foreign key (workspace_id, search_id) references people_searches (workspace_id, id) on delete cascade,
      foreign key (workspace_id, person_id) references people (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index people_search_hits_person on people_search_hits (workspace_id, person_id)`.execute(db)

  // The last look for a role beyond an account's roster, so that the same request soon after does not look again.
  await sql`
    create table role_lookups (
      workspace_id uuid not null,
      account_id uuid not null,
      role text not null,
      looked_at timestamptz(3) not null default now(),
      sources jsonb not null default '[]',
      primary key (workspace_id, account_id, role),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)

  // Where a search found somebody whom the roster did not know.
  await sql`alter table people add column found_source text, add column found_url text`.execute(db)
  // Until now a search only relabelled the roster: nobody came from a search.
  await sql`update people set source = 'employee' where source = 'waterfall'`.execute(db)

  // The last failure of each provider. Keys of providers belong to the installation, and so does this.
  await sql`
    create table provider_problems (
      provider text primary key,
      kind text not null check (kind in ('refused', 'quota', 'unavailable', 'unreadable')),
      message text not null,
      failed_at timestamptz(3) not null default now()
    )`.execute(db)
}
