import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The person a contact was before it changed its company: deals that were won with the contact were won with this person.
  await sql`alter table pulled_contacts add column former_person_id uuid`.execute(db)
  await sql`alter table pulled_contacts add foreign key (workspace_id, former_person_id)
    references people (workspace_id, id) on delete set null (former_person_id)`.execute(db)
  await sql`create index pulled_contacts_former_person on pulled_contacts (workspace_id, former_person_id)
    where former_person_id is not null`.execute(db)

  // Accounts that were added by a rule of a CRM.
  await sql`alter table accounts drop constraint accounts_source_check,
    add constraint accounts_source_check check (source in ('api', 'import', 'discovery', 'console', 'crm'))`.execute(db)
}
