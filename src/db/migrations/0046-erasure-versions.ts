import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Research redacts texts before it locks an account, and reads this number again under the lock: when it was raised meanwhile,
  // the texts may name somebody who is erased now. The trigger raises it in the transaction of the erasure. The time in it makes it
  // another one also after a backup was restored.
  await sql`alter table workspaces add column erasures bigint not null default 0`.execute(db)
  await sql`
    update workspaces set erasures = extract(epoch from clock_timestamp()) * 1000000
    where exists (select from people_suppressions as erased where erased.workspace_id = workspaces.id)`.execute(db)
  await sql`
    create function raise_erasures() returns trigger language plpgsql as $$
    begin
      update workspaces set erasures = greatest(erasures + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
      where id in (select workspace_id from added);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger people_suppressions_raise after insert on people_suppressions referencing new table as added
    for each statement execute function raise_erasures()`.execute(db)
}
