import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The sentences a drafted section was made of, each with its page.
  await sql`alter table knowledge_sections add column drawn_from jsonb not null default '[]'`.execute(db)

  // The reading of the own site that runs, or the last one: what it has read so far.
  await sql`
    alter table company_profiles
      add column refresh_started_at timestamptz(3),
      add column refresh_ended_at timestamptz(3),
      add column refresh_pages jsonb not null default '[]'`.execute(db)

  // A search is readable while it runs. Of those from before nobody knows who asked, so scoped members do not see them.
  await sql`
    alter table people_searches
      add column created_by uuid,
      add column accounts integer not null default 0,
      add column accounts_done integer not null default 0,
      add column problems jsonb not null default '[]',
      add column ends_by timestamptz(3),
      add column finished_at timestamptz(3),
      add constraint people_searches_creator foreign key (workspace_id, created_by) references members (workspace_id, id)
        on delete set null (created_by)`.execute(db)
  await sql`update people_searches set finished_at = created_at`.execute(db)

  // How often each signal was found lately.
  await sql`
    create index signal_detections_lately on signal_detections (workspace_id, signal_id, detected_at)
    where is_shown`.execute(db)

  // What was published in a period.
  await sql`create index documents_published on documents (workspace_id, published_date desc, id)
    where published_date is not null`.execute(db)
}
