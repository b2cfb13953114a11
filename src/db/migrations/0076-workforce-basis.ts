import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Filling it here would block all accounts meanwhile, so the basis of earlier counts is derived from `workforce_based_on`,
  // which processes of the released version read and write during an upgrade.
  await sql`alter table accounts add column workforce_basis jsonb`.execute(db)
}
