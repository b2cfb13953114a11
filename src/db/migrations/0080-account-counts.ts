import { type Kysely, sql } from 'kysely'

const STATUSES = ['suggested', 'active', 'rejected', 'unqualified', 'new']

export async function up(db: Kysely<unknown>): Promise<void> {
  // How many accounts the transactions that raised this row added to each status and removed from it, first those that are not
  // hot, then those that are. The sum over the rows of a workspace is its number of accounts, in every snapshot.
  await sql`alter table list_versions add column counts bigint[]`.execute(db)
  // Like raise_list_version, which the other lists keep, once for each kind of account that the statement added or removed, or
  // left as many of.
  await sql`
    create function count_accounts() returns trigger language plpgsql as $$
    declare
      owner uuid;
      kind integer;
      added bigint;
      least_version bigint := extract(epoch from now()) * 1000;
      kinds refcursor;
    begin
      if tg_op = 'UPDATE' then
        open kinds for
          select workspace_id, array_position(array['suggested', 'active', 'rejected', 'unqualified', 'new'], status)
            + case when is_hot then 5 else 0 end, sum(sign)
          from (select workspace_id, status, is_hot, 1 as sign from changed
            union all select workspace_id, status, is_hot, -1 from replaced) as accounts
          group by 1, 2;
      else
        open kinds for
          select workspace_id, array_position(array['suggested', 'active', 'rejected', 'unqualified', 'new'], status)
            + case when is_hot then 5 else 0 end, case tg_op when 'INSERT' then count(*) else -count(*) end
          from changed group by 1, 2;
      end if;
      loop
        fetch kinds into owner, kind, added;
        exit when not found;
        loop
          update list_versions set version = greatest(version + 1, least_version), counts[kind] = counts[kind] + added
          where workspace_id = owner and list = 'accounts' and slot = (
            select slot from list_versions where workspace_id = owner and list = 'accounts'
            order by slot limit 1 for update skip locked);
          exit when found or (tg_op <> 'INSERT' and not exists (select from workspaces where id = owner));
          insert into list_versions (workspace_id, list, slot, version, counts)
          values (owner, 'accounts', floor(random() * 32768), least_version, array_fill(0, array[10]))
          on conflict do nothing;
        end loop;
      end loop;
      return null;
    end $$`.execute(db)
  // On a distributed database, a table with triggers needs this setting; on others it has no effect.
  await sql`set local citus.enable_unsafe_triggers = on`.execute(db)
  for (const [event, rows] of [
    ['insert', 'new table as changed'],
    ['update', 'old table as replaced new table as changed'],
    ['delete', 'old table as changed'],
  ]) {
    await sql.raw(`drop trigger accounts_raise_${event} on accounts`).execute(db)
    await sql
      .raw(
        `create trigger accounts_raise_${event} after ${event} on accounts referencing ${rows}
        for each statement execute function count_accounts()`,
      )
      .execute(db)
  }
  // After the triggers, whose lock no change of an account passes until this is committed.
  await sql`update list_versions set counts = array_fill(0, array[10]) where list = 'accounts'`.execute(db)
  const kinds = [false, true].flatMap((hot) =>
    STATUSES.map((status) => sql`count(*) filter (where status = ${sql.lit(status)} and is_hot = ${sql.lit(hot)})`),
  )
  await sql`
    insert into list_versions (workspace_id, list, slot, version, counts)
    select workspace_id, 'accounts', coalesce(min(slot), 0), extract(epoch from now()) * 1000, array[${sql.join(kinds)}]
    from accounts left join (
      select workspace_id, min(slot) as slot from list_versions where list = 'accounts' group by workspace_id
    ) as first using (workspace_id)
    group by workspace_id
    on conflict (workspace_id, list, slot) do update set counts = excluded.counts`.execute(db)
}
