import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // As the company's own pages showed somebody last: whoever is missing there later, or has another title, has moved. And when
  // a vendor was last asked about somebody who is followed.
  await sql`alter table people
    add column shown_url text, add column shown_title text, add column followed_at timestamptz(3)`.execute(db)

  // First and last word of a name, as texts give it. People are looked up by it over all workspaces at once.
  await sql`create index people_name_ends on people
    (regexp_replace(btrim(search_fold(full_name)), '^(\\S+)\\s(?:.*\\s)?(\\S+)$', '\\1 \\2'))`.execute(db)
  // The same page at another company.
  await sql`create index people_page on people (workspace_id, identity) where identity like 'page:%'`.execute(db)

  // Where somebody has worked as what, as far as sources told. The account is the employer's, where it is one.
  await sql`
    create table person_jobs (
      workspace_id uuid not null,
      id uuid not null,
      person_id uuid not null,
      key text not null,
      employer text not null,
      employer_domain text,
      account_id uuid,
      title text,
      from_day date,
      until_day date,
      is_over boolean not null,
      sources jsonb not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      constraint person_jobs_key unique (workspace_id, person_id, key),
      foreign key (workspace_id, person_id) references people (workspace_id, id) on delete cascade,
      foreign key (workspace_id, account_id) references accounts (workspace_id, id) on delete set null (account_id)
    )`.execute(db)
  await sql`create index person_jobs_account on person_jobs (workspace_id, account_id) where account_id is not null`.execute(
    db,
  )

  // That somebody left, came or changed role: the key holds that the same is known once, however often it is read.
  await sql`
    create table person_moves (
      workspace_id uuid not null,
      id uuid not null,
      person_id uuid not null,
      key text not null,
      kind text not null check (kind in ('left', 'joined', 'changed_role')),
      from_employer text,
      from_title text,
      to_employer text,
      to_title text,
      to_domain text,
      to_account_id uuid,
      happened_on date,
      evidence jsonb not null check (jsonb_array_length(evidence) > 0),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      constraint person_moves_key unique (workspace_id, person_id, key),
      foreign key (workspace_id, person_id) references people (workspace_id, id) on delete cascade,
      foreign key (workspace_id, to_account_id) references accounts (workspace_id, id) on delete set null (to_account_id),
      check (case kind when 'left' then from_employer is not null else to_employer is not null end)
    )`.execute(db)
  await sql`create index person_moves_account on person_moves (workspace_id, to_account_id)
    where to_account_id is not null`.execute(db)

  // One wording of a move, for alerts, their list and exports.
  await sql`
    create function move_sentence(full_name text, move person_moves) returns text language sql stable parallel safe as $$
      select case move.kind
        -- A text may speak of what is to come.
        when 'left' then full_name || coalesce(', ' || move.from_title || ',', '')
          || case when move.evidence -> 0 ? 'quote' then ' leaves ' else ' is no longer at ' end || move.from_employer
        else full_name || ' is now ' || coalesce(move.to_title || ' ', '') || 'at ' || move.to_employer
          || case when move.kind = 'changed_role' then coalesce('; before: ' || move.from_title, '')
             else coalesce('; before: ' || coalesce(move.from_title || ' at ', '') || move.from_employer, '') end
      end $$`.execute(db)

  // The move that made a company a suggestion. What it says is made of the move, so it goes with the person.
  await sql`alter table accounts add column suggested_by uuid`.execute(db)
  await sql`alter table accounts add foreign key (workspace_id, suggested_by)
    references person_moves (workspace_id, id) on delete set null (suggested_by)`.execute(db)
  await sql`create index accounts_suggested_by on accounts (workspace_id, suggested_by)
    where suggested_by is not null`.execute(db)

  // The company to which somebody has moved, where its account has no domain.
  await sql`create index accounts_name_alone on accounts (workspace_id, search_fold(name))
    where domain is null`.execute(db)

  await sql`alter table notification_settings add column notify_job_changes boolean not null default false`.execute(db)
  await sql`alter table alerts drop constraint alerts_type_check, drop constraint alerts_check,
    add constraint alerts_type_check check (type in ('signal.detected', 'account.suggested', 'people.job_changed')),
    add constraint alerts_check check ((type = 'account.suggested') = (account_id is null))`.execute(db)
}
