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

  // Once for each statement that changes rows. A list has as many versions as ever changed at once, and their sum is its
  // version: each transaction raises one that nobody else holds, so that none waits for another, or two for each other. The time in
  // the version makes it another one also after a backup was restored. A workspace that is just being deleted needs none any more.
  await sql`
    create function raise_list_version() returns trigger language plpgsql as $$
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
