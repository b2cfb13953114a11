import { type Kysely, sql } from 'kysely'

/** Which lists the rows of a table are part of, or decide about. */
const RAISED_BY = {
  accounts: 'accounts',
  people: 'people',
  people_list_members: 'people',
  signal_detections: 'detections',
  signals: 'detections',
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table list_versions drop constraint list_versions_list_check,
      add constraint list_versions_list_check check (list in ('accounts', 'people', 'detections'))`.execute(db)

  // Once for each statement that changes rows. Each connection has a slot of its own, as far as they go: a transaction that
  // changes a list several times locks one row, so two of them cannot deadlock over a list. The time in the version makes it
  // another one also after a backup was restored. A workspace that is just being deleted needs no version any more.
  await sql`
    create function raise_list_version() returns trigger language plpgsql as $$
    begin
      insert into list_versions (workspace_id, list, slot, version)
      select distinct workspace_id, tg_argv[0], pg_backend_pid() % 8, (extract(epoch from now()) * 1000)::bigint
      from changed
      where tg_op <> 'DELETE' or exists (select from workspaces where workspaces.id = changed.workspace_id)
      order by workspace_id
      on conflict (workspace_id, list, slot) do update
        set version = greatest(list_versions.version + 1, excluded.version);
      return null;
    end $$`.execute(db)

  for (const [table, list] of Object.entries(RAISED_BY)) {
    for (const [event, rows] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ]) {
      await sql
        .raw(
          `create trigger ${table}_raise_${event} after ${event} on ${table} referencing ${rows} table as changed
          for each statement execute function raise_list_version('${list}')`,
        )
        .execute(db)
    }
  }

  await sql`create index accounts_industry on accounts using gin (search_fold(industry) gin_trgm_ops)
    where industry is not null`.execute(db)
}
