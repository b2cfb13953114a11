import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The specification has strings here and no null.
  await sql`update runs set name = 'Discovery' where name is null`.execute(db)
  await sql`alter table runs alter column name set not null`.execute(db)
  await sql`update notification_settings set chat_channel = '' where chat_channel is null`.execute(db)
  await sql`
    alter table notification_settings alter column chat_channel set default '', alter column chat_channel set not null`.execute(
    db,
  )
}
