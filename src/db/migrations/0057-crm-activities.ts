import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The note and the task of a work item in a CRM; without ids while a process that holds the lease writes them.
  await sql`
    create table crm_activities (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      provider text not null check (provider in ('crm_one', 'crm_two')),
      portal text not null,
      work_item_id uuid not null,
      note_id text,
      task_id text,
      lease_id uuid,
      lease_until timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, provider, portal, work_item_id),
      check ((note_id is null) = (task_id is null)),
      check ((task_id is null) = (lease_until is not null))
    )`.execute(db)
}
