import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Which account at the vendor it leads to: ids remembered for one account mean nothing in another.
  await sql`alter table connections add column account text`.execute(db)

  // A consent that was asked for and not given yet. Taken once.
  await sql`
    create table oauth_states (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      state_hash bytea not null,
      provider text not null check (provider in ('crm_one', 'crm_two')),
      verifier_sealed bytea not null,
      expires_at timestamptz(3) not null,
      primary key (workspace_id, state_hash)
    )`.execute(db)
  // The answer comes back with the state alone.
  await sql`create unique index oauth_states_hash on oauth_states (state_hash)`.execute(db)
  await sql`create index oauth_states_expiry on oauth_states (expires_at)`.execute(db)

  // Where a record is in a CRM, and hashes of what was written there: a field that holds something else was filled by a
  // person. Gone with the record, so that nothing of an erased person stays.
  for (const [table, column, target] of [
    ['crm_companies', 'account_id', 'accounts'],
    ['crm_contacts', 'person_id', 'people'],
  ] as const) {
    await sql`
      create table ${sql.table(table)} (
        workspace_id uuid not null,
        provider text not null check (provider in ('crm_one', 'crm_two')),
        portal text not null,
        ${sql.ref(column)} uuid not null,
        crm_id text not null,
        written jsonb not null default '{}',
        pushed_at timestamptz(3) not null default now(),
        primary key (workspace_id, provider, portal, ${sql.ref(column)}),
        foreign key (workspace_id, ${sql.ref(column)}) references ${sql.table(target)} (workspace_id, id) on delete cascade
      )`.execute(db)
    await sql`create index ${sql.ref(`${table}_record`)} on ${sql.table(table)} (workspace_id, ${sql.ref(column)})`.execute(
      db,
    )
  }

  await sql`alter table push_runs add column providers text[] not null default '{}'`.execute(db)
  // The CRMs that have a row already: another attempt leaves them alone.
  await sql`alter table push_rows add column providers_done text[] not null default '{}'`.execute(db)
}
