import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row for each CRM that is or was read. It outlives the connection while the records are kept.
  await sql`
    create table crm_syncs (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      provider text not null check (provider in ('crm_one', 'crm_two')),
      -- The account at the vendor, as in connections.account: ids of one account mean nothing in another.
      portal text not null,
      is_paused boolean not null default false,
      -- Which companies without an account become one: customers, open_deals, owned.
      account_rules text[] not null default '{}' check (account_rules <@ array['customers', 'open_deals', 'owned']),
      -- For each field of an account, whether the value of the CRM or of research is used: {"industry": "research"}.
      field_sources jsonb not null default '{}',
      -- The field of the CRM that a field of the service is written to, where it differs from the vendor's default.
      field_mapping jsonb not null default '{}',
      -- For each object, how far it was read, in the vendor's own format.
      positions jsonb not null default '{}',
      -- Whether everything was read once since the last start from the beginning.
      first_finished_at timestamptz(3),
      started_at timestamptz(3),
      finished_at timestamptz(3),
      next_at timestamptz(3) not null default now(),
      -- What the connection may not read, for display.
      missing_rights text[] not null default '{}',
      problem text,
      problem_kind text check (problem_kind in ('auth', 'quota', 'busy', 'refused', 'rights')),
      -- Failures since the last complete run, by kind: {"busy": {"count": 2, "message": "…", "at": "…"}}.
      failures jsonb not null default '{}',
      calls_left integer,
      calls_limit integer,
      lease_id uuid,
      lease_until timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, provider)
    )`.execute(db)
  await sql`create index crm_syncs_due on crm_syncs (next_at) where not is_paused`.execute(db)

  await sql`
    create table pulled_owners (
      workspace_id uuid not null,
      provider text not null,
      crm_id text not null,
      name text,
      email text,
      is_active boolean not null default true,
      member_id uuid,
      pulled_at timestamptz(3) not null default now(),
      primary key (workspace_id, provider, crm_id),
      foreign key (workspace_id, provider) references crm_syncs (workspace_id, provider) on delete cascade,
      foreign key (workspace_id, member_id) references members (workspace_id, id) on delete set null (member_id)
    )`.execute(db)

  await sql`
    create table pulled_companies (
      workspace_id uuid not null,
      provider text not null,
      crm_id text not null,
      name text not null,
      domain text,
      -- Values of the fields people fill in the CRM: industry, employees, country, short_description.
      fields jsonb not null default '{}',
      -- The CRM itself marks the company as a customer (lifecycle stage, type).
      is_customer boolean not null default false,
      owner_crm_id text,
      account_id uuid,
      matched_by text check (matched_by in ('id', 'domain', 'name', 'rule')),
      modified_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      merged_into text,
      pulled_at timestamptz(3) not null default now(),
      primary key (workspace_id, provider, crm_id),
      check (account_id is null or matched_by is not null),
      foreign key (workspace_id, provider) references crm_syncs (workspace_id, provider) on delete cascade,
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete set null (account_id)
    )`.execute(db)
  await sql`create index pulled_companies_account on pulled_companies (workspace_id, account_id)
    where account_id is not null`.execute(db)
  await sql`create index pulled_companies_domain on pulled_companies (workspace_id, domain)`.execute(db)

  // An erased contact keeps its id alone, so that it does not return.
  await sql`
    create table pulled_contacts (
      workspace_id uuid not null,
      provider text not null,
      crm_id text not null,
      company_crm_id text,
      full_name text,
      email text,
      title text,
      phone text,
      country text,
      owner_crm_id text,
      person_id uuid,
      is_erased boolean not null default false,
      modified_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      merged_into text,
      pulled_at timestamptz(3) not null default now(),
      primary key (workspace_id, provider, crm_id),
      check (not is_erased or (full_name is null and email is null and title is null and phone is null and person_id is null)),
      foreign key (workspace_id, provider) references crm_syncs (workspace_id, provider) on delete cascade,
      foreign key (workspace_id, person_id) references people (workspace_id, id) on delete set null (person_id)
    )`.execute(db)
  await sql`create index pulled_contacts_company on pulled_contacts (workspace_id, provider, company_crm_id)`.execute(
    db,
  )
  await sql`create index pulled_contacts_person on pulled_contacts (workspace_id, person_id) where person_id is not null`.execute(
    db,
  )

  await sql`
    create table pulled_deals (
      workspace_id uuid not null,
      provider text not null,
      crm_id text not null,
      name text not null,
      company_crm_id text,
      contact_crm_ids text[] not null default '{}',
      owner_crm_id text,
      stage text,
      amount numeric(18, 2),
      currency text,
      is_closed boolean not null,
      is_won boolean not null check (is_closed or not is_won),
      lost_reason text,
      -- The day it closed, or on which it is expected to.
      closes_on date,
      opened_on date,
      modified_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      pulled_at timestamptz(3) not null default now(),
      primary key (workspace_id, provider, crm_id),
      foreign key (workspace_id, provider) references crm_syncs (workspace_id, provider) on delete cascade
    )`.execute(db)
  await sql`create index pulled_deals_company on pulled_deals (workspace_id, provider, company_crm_id)`.execute(db)
  await sql`create index pulled_deals_contacts on pulled_deals using gin (contact_crm_ids)`.execute(db)

  // What the CRM says of an account: the relationship, and field values with their source and time.
  await sql`
    alter table accounts
      add column relationship text not null default 'none'
        check (relationship in ('customer', 'open_deal', 'lost_deal', 'former_customer', 'none')),
      add column relationship_on date,
      add column relationship_reason text,
      add column crm_fields jsonb not null default '{}',
      add column from_crm text[] not null default '{}'`.execute(db)
  await sql`create index accounts_relationship on accounts (workspace_id, relationship, score desc, id desc)
    where relationship <> 'none'`.execute(db)

  // People of the CRM are a third origin; one that was deleted there is marked.
  await sql`alter table people drop constraint people_sources`.execute(db)
  await sql`
    alter table people
      add constraint people_sources check (sources <@ array['employee', 'waterfall', 'crm']
        and cardinality(sources) between 1 and 3
        and (cardinality(sources) < 2 or sources[1] <> sources[2])
        and (cardinality(sources) < 3 or (sources[3] <> sources[1] and sources[3] <> sources[2]))),
      add column crm_deleted_on date,
      drop column source`.execute(db)
  await sql`
    alter table people add column source text not null generated always as (
      case when 'waterfall' = any(sources) then 'waterfall' when 'employee' = any(sources) then 'employee' else 'crm' end
    ) stored`.execute(db)
}
