import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The file that an account came in with. The record of an import is kept as long as one of its accounts.
  await sql`alter table imports add column file_name text`.execute(db)
  await sql`alter table accounts add column import_id uuid`.execute(db)
  await sql`alter table accounts add foreign key (workspace_id, import_id)
    references imports (workspace_id, id) on delete set null (import_id)`.execute(db)
  await sql`create index accounts_import on accounts (workspace_id, import_id, score desc, id desc)
    where import_id is not null`.execute(db)

  // A row of a file without a domain is compared with all accounts of its name, not only with those without a domain.
  await sql`create index accounts_name on accounts (workspace_id, search_fold(name))`.execute(db)
  await sql`drop index if exists accounts_name_alone`.execute(db)

  // Imported companies are the team's own list and no suggestions. What a member has decided stays.
  await sql`update accounts set status = 'new'
    where source = 'import' and status = 'suggested' and activated_at is null and not overridden @> '{status}'`.execute(
    db,
  )
}
