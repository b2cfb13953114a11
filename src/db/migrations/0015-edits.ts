import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A run that is over has no task that waits: what could not be seen has failed.
  await sql`alter table run_tasks drop constraint run_tasks_state_check`.execute(db)
  await sql`alter table run_tasks add constraint run_tasks_state_check
    check (state in ('pending', 'found', 'absent', 'failed'))`.execute(db)
  await sql`
    update run_tasks set state = 'failed' from runs
    where runs.workspace_id = run_tasks.workspace_id and runs.id = run_id and runs.status <> 'running' and state = 'pending'`.execute(
    db,
  )

  // Sections stand at 0, 1, 2 and so on. Checked at the end of each statement: one statement moves several.
  await sql`
    update knowledge_sections set position = ordered.at
    from (select workspace_id, id, row_number() over (partition by workspace_id order by position, id) - 1 as at
      from knowledge_sections) as ordered
    where ordered.workspace_id = knowledge_sections.workspace_id and ordered.id = knowledge_sections.id`.execute(db)
  await sql`drop index knowledge_sections_position`.execute(db)
  await sql`alter table knowledge_sections
    add constraint knowledge_sections_position unique (workspace_id, position) deferrable initially immediate,
    add check (position >= 0)`.execute(db)

  // Counts the edits of a knowledge base; what rests on it is brought up to date once for several of them.
  await sql`
    create table knowledge_revisions (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      revision integer not null,
      applied integer not null default 0,
      edited_at timestamptz(3) not null default now()
    )`.execute(db)
}
