import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The records of an account in public registers. `proof` says what proves that the record is about this company. A record that
  // a member rejected stays, so that research does not use it again.
  await sql`
    create table account_registrations (
      workspace_id uuid not null,
      account_id uuid not null,
      register text not null check (register in ('gleif', 'companies-house')),
      register_id text not null,
      legal_name text not null,
      proof text not null,
      source_url text,
      status text not null default 'active' check (status in ('active', 'rejected')),
      checked_at timestamptz(3) not null default now(),
      primary key (workspace_id, account_id, register, register_id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create unique index account_registrations_one on account_registrations (workspace_id, account_id, register)
    where status = 'active'`.execute(db)
  await sql`create index account_registrations_id on account_registrations (register, register_id)
    where status = 'active'`.execute(db)

  // Companies and names that belong to an account. `found_name` is the name that the source gave where a member corrected it, and
  // identifies the row when research runs again. Rows with `edited_at` are corrections of a member: research does not remove them.
  await sql`
    create table company_relations (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      kind text not null check (kind in ('parent', 'ultimate_parent', 'subsidiary', 'brand', 'former_name')),
      name text not null,
      found_name text,
      domain text,
      register text check (register in ('gleif', 'companies-house')),
      register_id text,
      source text not null,
      source_url text,
      counts_as_account boolean not null,
      status text not null default 'active' check (status in ('active', 'rejected')),
      created_by uuid,
      found_at timestamptz(3) not null default now(),
      edited_at timestamptz(3),
      primary key (workspace_id, id),
      check ((register is null) = (register_id is null)),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade,
      foreign key (workspace_id, created_by) references members (workspace_id, id) on delete set null (created_by)
    )`.execute(db)
  await sql`create unique index company_relations_name on company_relations
    (workspace_id, account_id, kind, company_key(coalesce(found_name, name)))`.execute(db)
  await sql`create index company_relations_created_by on company_relations (workspace_id, created_by)
    where created_by is not null`.execute(db)

  // The indexes of account_names, over all workspaces like that of the names of accounts.
  await sql`create index account_registrations_company_key on account_registrations (company_key(legal_name))
    where status = 'active'`.execute(db)
  await sql`create index company_relations_company_key on company_relations (company_key(name))
    where counts_as_account and status = 'active'`.execute(db)
  await sql`create index company_relations_domain on company_relations (domain)
    where counts_as_account and status = 'active' and domain is not null`.execute(db)

  // Every name of an account: its own, its legal names, and those of relations that count as the account. `domain` is stated for
  // the name itself, `status` is that of the account.
  await sql`
    create view account_names as
      select workspace_id, id as account_id, name, domain, domain as account_domain, status from accounts
      union all
      select workspace_id, account_id, legal_name, null, accounts.domain, accounts.status
      from account_registrations registration join accounts using (workspace_id)
      where accounts.id = registration.account_id and registration.status = 'active'
      union all
      select workspace_id, account_id, relation.name, relation.domain, accounts.domain, accounts.status
      from company_relations relation join accounts using (workspace_id)
      where accounts.id = relation.account_id and relation.counts_as_account and relation.status = 'active'`.execute(db)
}
