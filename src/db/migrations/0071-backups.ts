import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation
    add column backed_up_at timestamptz(3),
    add column backup_failed_at timestamptz(3),
    add column backup_error text`.execute(db)
}
