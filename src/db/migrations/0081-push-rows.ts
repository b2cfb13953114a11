import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Half a page as in 0033, which 0045 undid, and a little less: a sent row is a few bytes longer than a pending one, and its new
  // version must fit beside the old one, or its two indexes are written as well.
  await sql`alter table push_rows set (fillfactor = 45)`.execute(db)
}
