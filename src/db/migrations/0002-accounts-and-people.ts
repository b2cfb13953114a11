import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create extension if not exists btree_gin`.execute(db)

  // What a person means by "the same letters": no case, no accents. Letters that Unicode does not take apart are
  // listed. Columns and searches go through this one function, so they cannot disagree.
  await sql`
    create function search_fold(value text) returns text language sql immutable strict parallel safe as $$
      select replace(replace(replace(
        translate(lower(regexp_replace(normalize(value, nfkd), '[\\u0300-\\u036f]', '', 'g')), 'łøđħıŧς', 'lodhitσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
    $$`.execute(db)

  await sql`
    create table accounts (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      name text not null,
      domain text,
      status text not null check (status in ('suggested', 'active', 'rejected', 'unqualified', 'new')),
      source text not null check (source in ('api', 'import', 'discovery', 'console')),
      score integer not null default 0 check (score between 0 and 100),
      score_components jsonb not null default '[]',
      scored_at timestamptz(3),
      is_hot boolean not null default false,
      qualified boolean not null default false,
      tags text[] not null default '{}',
      owner_id uuid,
      employees integer check (employees >= 0),
      industry text,
      location text,
      country text,
      network_url text,
      short_description text,
      logo_url text,
      founded_year integer,
      technologies text[] not null default '{}',
      workforce_by_department jsonb,
      workforce_by_country jsonb,
      overridden text[] not null default '{}',
      why_now_md text,
      created_at timestamptz(3) not null default now(),
      activated_at timestamptz(3),
      credited_period timestamptz(3),
      last_signal_at timestamptz(3),
      last_scanned_at timestamptz(3),
      search_text text not null generated always as (search_fold(name || chr(10) || coalesce(domain, ''))) stored,
      primary key (workspace_id, id),
      constraint accounts_owner foreign key (workspace_id, owner_id) references members (workspace_id, id)
        on delete set null (owner_id)
    )`.execute(db)
  await sql`create unique index accounts_domain on accounts (workspace_id, domain) where domain is not null`.execute(db)
  await sql`create index accounts_score on accounts (workspace_id, score desc, id desc)`.execute(db)
  await sql`create index accounts_status_score on accounts (workspace_id, status, score desc, id desc)`.execute(db)
  await sql`create index accounts_created on accounts (workspace_id, created_at desc, id desc)`.execute(db)
  // Accounts without a signal come last in both directions, so each direction has its index.
  await sql`create index accounts_signal_desc on accounts (workspace_id, last_signal_at desc nulls last, id desc)`.execute(
    db,
  )
  await sql`create index accounts_signal_asc on accounts (workspace_id, last_signal_at asc nulls last, id asc)`.execute(
    db,
  )
  await sql`create index accounts_owner on accounts (workspace_id, owner_id) where owner_id is not null`.execute(db)
  await sql`create index accounts_activated on accounts (workspace_id, activated_at desc, id desc) where status = 'active'`.execute(
    db,
  )
  await sql`create index accounts_tags on accounts using gin (workspace_id, tags)`.execute(db)
  await sql`create index accounts_search on accounts using gin (workspace_id, search_text gin_trgm_ops)`.execute(db)

  await sql`
    create table signal_detections (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      signal_id text not null,
      signal_present boolean not null,
      alpha integer not null check (alpha between 0 and 100),
      icp_fit integer not null check (icp_fit between 0 and 100),
      detected_at date not null,
      headline text,
      narrative text,
      why_reach_out_md text,
      drafted_message_md text,
      evidence jsonb not null default '[]',
      key_facts text[] not null default '{}',
      personas text[] not null default '{}',
      sources text[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade,
      foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade,
      check (not signal_present or jsonb_array_length(evidence) > 0)
    )`.execute(db)
  await sql`create index signal_detections_account on signal_detections (workspace_id, account_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index signal_detections_signal on signal_detections (workspace_id, signal_id)`.execute(db)
  // What was looked for and not found is one row for each signal, however often it is looked for.
  await sql`create unique index signal_detections_absent on signal_detections (workspace_id, account_id, signal_id) where not signal_present`.execute(
    db,
  )

  await sql`
    create table monitor_events (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      url text not null,
      status text not null check (status in ('new', 'changed', 'unchanged', 'failed')),
      search_status text not null check (search_status in ('pending', 'searched', 'skipped', 'failed')),
      meaningful boolean not null,
      confidence double precision not null check (confidence between 0 and 1),
      reason text not null,
      run_id uuid,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index monitor_events_account on monitor_events (workspace_id, account_id, created_at desc, id desc)`.execute(
    db,
  )

  await sql`
    create table people (
      workspace_id uuid not null,
      id uuid not null,
      account_id uuid not null,
      identity text not null,
      full_name text not null,
      title text,
      headline text,
      network_url text,
      email text,
      email_checked_at timestamptz(3),
      phone text,
      phone_checked_at timestamptz(3),
      location text,
      country_code text check (country_code ~ '^[A-Z]{2}$'),
      connections_count integer check (connections_count >= 0),
      profile_picture_url text,
      job_level text check (job_level in ('C-Team', 'VP', 'Director', 'Manager', 'Staff')),
      source text not null check (source in ('employee', 'waterfall')),
      icp_tier integer check (icp_tier >= 1),
      ranking integer check (ranking >= 1),
      owner_id uuid,
      created_at timestamptz(3) not null default now(),
      search_text text not null generated always as
        (search_fold(full_name || chr(10) || coalesce(title, '') || chr(10) || coalesce(headline, ''))) stored,
      primary key (workspace_id, id),
      constraint people_identity unique (workspace_id, account_id, identity),
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete cascade,
      constraint people_owner foreign key (workspace_id, owner_id) references members (workspace_id, id)
        on delete set null (owner_id)
    )`.execute(db)
  await sql`create index people_created on people (workspace_id, created_at desc, id desc)`.execute(db)
  await sql`create index people_name on people (workspace_id, full_name, id)`.execute(db)
  await sql`create index people_with_email on people (workspace_id, created_at desc, id desc) where email is not null`.execute(
    db,
  )
  await sql`create index people_without_email on people (workspace_id, created_at desc, id desc) where email is null`.execute(
    db,
  )
  await sql`create index people_level on people (workspace_id, job_level, created_at desc, id desc)`.execute(db)
  await sql`create index people_country on people (workspace_id, country_code, created_at desc, id desc)`.execute(db)
  await sql`create index people_owner on people (workspace_id, owner_id) where owner_id is not null`.execute(db)
  await sql`create index people_search on people using gin (workspace_id, search_text gin_trgm_ops)`.execute(db)

  await sql`
    create table people_lists (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      constraint people_lists_name unique (workspace_id, name)
    )`.execute(db)
  await sql`
    create table people_list_members (
      workspace_id uuid not null,
      list_id uuid not null,
      person_id uuid not null,
      primary key (workspace_id, list_id, person_id),
      foreign key (workspace_id, list_id) references people_lists (workspace_id, id) on delete cascade,
      foreign key (workspace_id, person_id) references people (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index people_list_members_person on people_list_members (workspace_id, person_id)`.execute(db)

  // Whoever was erased, as keyed hashes of profile URL and email: never stored again by an import, sync or search.
  await sql`
    create table people_suppressions (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      hash bytea not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, hash)
    )`.execute(db)

  // Raised by every write that can change a list, so that an exact total is counted once and not for every page.
  // Several rows for each list: writers pick one and seldom wait for each other.
  await sql`
    create table list_versions (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      list text not null check (list in ('accounts', 'people')),
      slot smallint not null,
      version bigint not null,
      primary key (workspace_id, list, slot)
    )`.execute(db)
}
