import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Of the texts as the service drafted them: a language model may have worded them since.
  await sql`alter table signal_detections add column draft_hash text`.execute(db)
}
