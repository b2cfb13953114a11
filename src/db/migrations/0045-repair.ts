import { type Kysely, sql } from 'kysely'

const LEGAL_SUFFIXES =
  'inc incorporated corp corporation co company ltd limited llc plc lp llp gmbh ag sa nv bv se pty pte pvt srl spa ' +
  'sas sarl ab as asa oy oyj kk kg aps ulc pc pllc bhd sdn tbk sro spzoo doo ood eood kft'

/**
 * Earlier migrations were edited after databases had applied them. This one brings every such database to the schema that
 * they describe now, and changes nothing on one that has it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The text of each migration as this database applied it (migrate.ts). Before this only the names were kept.
  await sql`create table migration_checksums (name text primary key, checksum text not null)`.execute(db)

  await repairFoundation(db)
  await repairResearch(db)
  await repairLists(db)
  await repairStreams(db)
  await repairMoves(db)
}

/** 0001 to 0003. */
async function repairFoundation(db: Kysely<unknown>): Promise<void> {
  if (await hasConstraint(db, 'api_keys', 'api_keys_workspace_id_member_id_fkey')) {
    await sql`alter table api_keys rename constraint api_keys_workspace_id_member_id_fkey to api_keys_member`.execute(
      db,
    )
  }
  await sql`alter table idempotency_keys add column if not exists claim uuid not null default gen_random_uuid()`.execute(
    db,
  )
  await sql`alter table idempotency_keys alter column claim drop default`.execute(db)
  await sql`alter table people add column if not exists given_email text`.execute(db)
  await rebuildIndex(db, 'accounts_tags', 1, sql`on accounts using gin (tags)`)
  await rebuildIndex(db, 'accounts_search', 1, sql`on accounts using gin (search_text gin_trgm_ops)`)
  await rebuildIndex(db, 'people_search', 1, sql`on people using gin (search_text gin_trgm_ops)`)
  await sql`alter table push_rows drop constraint if exists push_rows_workspace_id_run_id_fkey`.execute(db)
  await sql`alter table push_rows set (fillfactor = 70)`.execute(db)
  await sql`alter table deliveries drop constraint if exists deliveries_workspace_id_destination_id_fkey`.execute(db)
}

/** 0004 to 0034. */
async function repairResearch(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs
    alter column stats set default '{"candidates": 0, "accounts": 0, "matched": 0}',
    alter column touched_at drop default, alter column touched_at drop not null`.execute(db)
  await sql`create index if not exists accounts_scored on accounts (scored_at) where scored_at is not null`.execute(db)
  await sql`create index if not exists signal_detections_run on signal_detections (workspace_id, run_id)
    where run_id is not null`.execute(db)
  await sql`
    create table if not exists run_candidates (
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
  await sql`create index if not exists run_candidates_pending on run_candidates (workspace_id, run_id, position)
    where state = 'pending'`.execute(db)
  await sql`create index if not exists run_candidates_account on run_candidates (workspace_id, account_id)
    where account_id is not null`.execute(db)
  if (await hasColumn(db, 'push_runs', 'malformed')) {
    await sql`alter table push_runs rename column malformed to surplus`.execute(db)
  }
  await sql`create index if not exists documents_newest on documents (workspace_id, read_at desc)`.execute(db)
  await sql`alter table imports add column if not exists taken_up integer not null default 0`.execute(db)
  // The columns that the feed and its weeks need, so that counting reads the index alone.
  await rebuildIndex(
    db,
    'signal_detections_feed',
    5,
    sql`on signal_detections (workspace_id, created_at desc, id desc) include (account_id, signal_id) where is_shown`,
    'is_shown',
  )
  await rebuildIndex(
    db,
    'signal_detections_week',
    4,
    sql`on signal_detections (workspace_id, detected_at) include (account_id, signal_id) where is_shown`,
    'is_shown',
  )
  // 0029 and 0034.
  await rebuildIndex(
    db,
    'signal_detections_lately',
    3,
    sql`on signal_detections (workspace_id, signal_id, detected_at) where is_shown`,
    'is_shown',
  )
  await sql`create index if not exists robots_files_age on robots_files (fresh_until)`.execute(db)
  await sql`create index if not exists accounts_country on accounts (workspace_id, search_fold(country), score desc, id desc)
    where country is not null`.execute(db)
  await sql`create index if not exists documents_published on documents (workspace_id, published_date desc, id)
    where published_date is not null`.execute(db)
}

/** 0032. */
async function repairLists(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function raise_list_version() returns trigger language plpgsql as $$
    declare
      owner uuid;
      least_version bigint := extract(epoch from now()) * 1000;
    begin
      for owner in select distinct workspace_id from changed loop
        update list_versions set version = greatest(version + 1, least_version)
        where workspace_id = owner and list = tg_argv[0] and slot = (
          select slot from list_versions where workspace_id = owner and list = tg_argv[0]
          order by slot limit 1 for update skip locked);
        continue when found or (tg_op = 'DELETE' and not exists (select from workspaces where id = owner));
        insert into list_versions (workspace_id, list, slot, version)
        values (owner, tg_argv[0], floor(random() * 32768), least_version)
        on conflict (workspace_id, list, slot) do update
          set version = greatest(list_versions.version + 1, excluded.version);
      end loop;
      return null;
    end $$`.execute(db)
}

/** 0040 and 0041. */
async function repairStreams(db: Kysely<unknown>): Promise<void> {
  const before = await sourceOf(db, 'company_key')
  await sql`
    create or replace function company_key(name text) returns text language plpgsql immutable strict parallel safe
      set search_path from current as $$
    declare
      suffixes constant text[] := ${sql.lit(`{${LEGAL_SUFFIXES.split(' ').join(',')}}`)};
      words text[] := regexp_split_to_array(
        trim(regexp_replace(regexp_replace(search_fold(left(name, 300)), '[''’]', '', 'g'),
          '[^a-z0-9\\u0080-\\uffff]+', ' ', 'g')), ' +');
      -- Of how many words the legal form at the end is: "S.A.", "A/S" and "Sp. z o.o." arrive as letters.
      length integer := 1;
    begin
      words := array_remove(words, 'and');
      if cardinality(words) > 1 and words[1] = 'the' then words := words[2:]; end if;
      while length <= 4 and length < cardinality(words) loop
        exit when length > 1 and greatest(char_length(words[cardinality(words)]),
          char_length(words[cardinality(words) - length + 1])) > 2;
        if array_to_string(words[cardinality(words) - length + 1:], '') = any (suffixes) then
          words := words[:cardinality(words) - length];
          length := 1;
        else
          length := length + 1;
        end if;
      end loop;
      return array_to_string(words, ' ');
    end $$`.execute(db)
  if ((await sourceOf(db, 'company_key')) !== before) {
    // What was computed with the earlier function is in this index and in a generated column.
    await sql`reindex index accounts_company_key`.execute(db)
    await sql`update stream_items set company = company`.execute(db)
  }
  await rebuildIndex(db, 'stream_items_published', 3, sql`on stream_items (stream, published_date desc, id desc)`)
  // Nothing is known of what earlier looks looked for, so no product counts as new since then.
  await sql`alter table technology_looks add column if not exists signs integer[] not null default '{}'`.execute(db)
  await sql`alter table technology_looks alter column signs drop default`.execute(db)
}

/** 0043. */
async function repairMoves(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function move_sentence(full_name text, move person_moves) returns text language sql stable parallel safe as $$
      select case move.kind
        -- A text may speak of what is to come.
        when 'left' then full_name || coalesce(', ' || move.from_title || ',', '')
          || case when move.evidence -> 0 ? 'quote' then ' leaves ' else ' is no longer at ' end || move.from_employer
        else full_name || ' is now ' || coalesce(move.to_title || ' ', '') || 'at ' || move.to_employer
          || case when move.kind = 'changed_role' then coalesce('; before: ' || move.from_title, '')
             else coalesce('; before: ' || coalesce(move.from_title || ' at ', '') || move.from_employer, '') end
      end $$`.execute(db)
  await sql`create index if not exists accounts_name_alone on accounts (workspace_id, search_fold(name))
    where domain is null`.execute(db)
}

async function hasConstraint(db: Kysely<unknown>, table: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_constraint where conrelid = to_regclass(${table}) and conname = ${name}`.execute(db)
  return rows.length > 0
}

async function hasColumn(db: Kysely<unknown>, table: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_attribute where attrelid = to_regclass(${table}) and attname = ${name} and not attisdropped`.execute(
    db,
  )
  return rows.length > 0
}

/** Builds an index, again where one of that name has another number of columns or is about other rows. */
async function rebuildIndex(
  db: Kysely<unknown>,
  name: string,
  columns: number,
  definition: ReturnType<typeof sql>,
  where: 'is_shown' | null = null,
): Promise<void> {
  const { rows } = await sql<{ columns: number; where: string | null }>`
    select indnatts as columns, pg_get_expr(indpred, indrelid) as "where" from pg_index
    where indexrelid = to_regclass(${name})`.execute(db)
  if (rows[0] && (rows[0].columns !== columns || rows[0].where !== where))
    await sql`drop index ${sql.id(name)}`.execute(db)
  await sql`create index if not exists ${sql.id(name)} ${definition}`.execute(db)
}

async function sourceOf(db: Kysely<unknown>, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ source: string }>`
    select prosrc as source from pg_proc where oid = to_regproc(${name})`.execute(db)
  return rows[0]?.source
}
