import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whom a kept answer names: it is given again only while the caller still sees them.
  await sql`alter table idempotency_keys add column people uuid[] not null default '{}'`.execute(db)
  // Whoever made a list deletes it. Of lists from before nobody knows, so they are left to admins.
  await sql`
    alter table people_lists add column created_by uuid,
      add constraint people_lists_creator foreign key (workspace_id, created_by) references members (workspace_id, id)
        on delete set null (created_by)`.execute(db)
}
