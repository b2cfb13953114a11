import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The company a contact was put to once: a person may take it away from there, and it stays away.
  await sql`alter table crm_contacts add column company_id text`.execute(db)

  // Who asked for a consent: they must still be allowed to when it comes back. Those under way are asked for again.
  await sql`delete from oauth_states`.execute(db)
  await sql`
    alter table oauth_states add column member_id uuid not null,
      add foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade`.execute(db)

  // A problem that ends by itself, as a used-up quota does.
  await sql`alter table connections add column problem_until timestamptz(3)`.execute(db)

  // The scoped member whose run it is; null when who started it sees everybody. Patience counts from the last retry.
  await sql`
    alter table push_runs add column scoped_to uuid, add column reopened_at timestamptz(3)`.execute(db)
}
