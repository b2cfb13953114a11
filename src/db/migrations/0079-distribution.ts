import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The workspace of each secret, which is all that a request has. A distributed table is unique only with its workspace, so the
  // hashes of all workspaces are in a table of their own.
  await sql`
    create table token_workspaces (
      hash bytea primary key,
      workspace_id uuid not null,
      expires_at timestamptz(3)
    )`.execute(db)
  await sql`create index token_workspaces_expiry on token_workspaces (expires_at) where expires_at is not null`.execute(
    db,
  )
  // For processes of the previous version, which only write the table of the secret. Newer ones write both.
  await sql`
    create function locate_token() returns trigger language plpgsql as $$
    begin
      insert into token_workspaces (hash, workspace_id, expires_at)
      values (case when tg_table_name = 'oauth_states' then (to_jsonb(new) ->> 'state_hash')::bytea
        else (to_jsonb(new) ->> 'hash')::bytea end, new.workspace_id,
        case when tg_table_name <> 'api_keys' then now() + interval '366 days' end)
      on conflict (hash) do nothing;
      return null;
    end $$`.execute(db)
  for (const table of ['api_keys', 'sessions', 'sign_in_links', 'oauth_states']) {
    await sql`create trigger locate_token after insert on ${sql.table(table)}
      for each row execute function locate_token()`.execute(db)
  }
  // After the triggers, which lock the tables: a secret stored meanwhile is in one of the two.
  await sql`
    insert into token_workspaces (hash, workspace_id, expires_at)
    select hash, workspace_id, null from api_keys
    union all select hash, workspace_id, created_at + interval '366 days' from sessions
    union all select hash, workspace_id, expires_at + interval '1 day' from sign_in_links
    union all select state_hash, workspace_id, expires_at from oauth_states
    on conflict (hash) do nothing`.execute(db)
  await sql`alter table api_keys drop constraint api_keys_hash_key, add constraint api_keys_hash_key unique (workspace_id, hash)`.execute(
    db,
  )
  await sql`alter table sessions drop constraint sessions_hash_key, add constraint sessions_hash_key unique (workspace_id, hash)`.execute(
    db,
  )
  // The primary keys contain the hash.
  await sql`drop index sign_in_links_hash`.execute(db)
  await sql`drop index oauth_states_hash`.execute(db)

  // With the columns instead of a row: the row of a shard has another type than that of its table.
  await sql`
    create function move_sentence(full_name text, kind text, from_title text, from_employer text, to_title text, to_employer text,
      evidence jsonb) returns text language sql immutable parallel safe as $$
      select case kind
        -- A text may speak of what is to come.
        when 'left' then full_name || coalesce(', ' || from_title || ',', '')
          || case when evidence -> 0 ? 'quote' then ' leaves ' else ' is no longer at ' end || from_employer
        else full_name || ' is now ' || coalesce(to_title || ' ', '') || 'at ' || to_employer
          || case when kind = 'changed_role' then coalesce('; before: ' || from_title, '')
             else coalesce('; before: ' || coalesce(from_title || ' at ', '') || from_employer, '') end
      end $$`.execute(db)
}
