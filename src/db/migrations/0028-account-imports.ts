import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The few accounts that are hot are found without reading those that are not.
  await sql`create index accounts_hot on accounts (workspace_id, score desc, id desc) where is_hot`.execute(db)

  await sql`create index accounts_country on accounts (workspace_id, search_fold(country), score desc, id desc)
    where country is not null`.execute(db)

  // A file of accounts is taken in like one of companies; `options` say how its caller wants it read.
  await sql`alter table company_imports rename to imports`.execute(db)
  await sql`alter table company_import_chunks rename to import_chunks`.execute(db)
  await sql`
    alter table imports
      add column kind text not null default 'companies' check (kind in ('companies', 'accounts')),
      add column options jsonb not null default '{}'`.execute(db)
  await sql`alter table imports alter column kind drop default`.execute(db)
  await sql`drop index company_imports_created`.execute(db)
  await sql`create index imports_created on imports (workspace_id, kind, created_at desc, id desc)`.execute(db)
  await sql`alter index company_imports_open rename to imports_open`.execute(db)
}
