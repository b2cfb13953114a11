import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A service account is the identity of an integration: it has keys, but no email address, and is no member of the team.
  await sql`alter table members
    add column kind text not null default 'person' check (kind in ('person', 'service')),
    alter column email drop not null,
    add constraint members_person check ((kind = 'person') = (email is not null))`.execute(db)

  // The previous version still writes read_only, which therefore counts, too.
  await sql`alter table api_keys
    add column scope text not null default 'admin' check (scope in ('read', 'work', 'admin')),
    add column operations text[] check (cardinality(operations) between 1 and 200),
    add column allowed_ips text[] check (cardinality(allowed_ips) between 1 and 100)`.execute(db)
  await sql`update api_keys set scope = 'read' where read_only`.execute(db)
}
