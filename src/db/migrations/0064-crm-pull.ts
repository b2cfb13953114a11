import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The CRM itself says that the company no longer is a customer.
  await sql`alter table pulled_companies add column is_former_customer boolean not null default false`.execute(db)
  // Pulled records are matched with pushed ones by the id in the CRM.
  for (const table of ['crm_companies', 'crm_contacts']) {
    await sql`create index ${sql.ref(`${table}_crm_id`)} on ${sql.table(table)} (workspace_id, provider, portal, crm_id)`.execute(
      db,
    )
  }
  // An erasure finds the contacts of a person by email.
  await sql`create index pulled_contacts_email on pulled_contacts (workspace_id, lower(email)) where email is not null`.execute(
    db,
  )
}
