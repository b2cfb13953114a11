import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The recipient is a column of its own, because members with scoped visibility see only drafts to people they may see.
  await sql`
    alter table signal_detections
      add column draft jsonb,
      add column draft_person_id uuid`.execute(db)
}
