import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What makes an account the same company when it is deleted and added again.
  await sql`
    create function erasure_company(domain text, name text) returns text language sql immutable parallel safe as $$
      select coalesce(domain, 'name:' || search_fold(name))
    $$`.execute(db)

  // Hashes of erased names hold an account's id. This says at which companies such an id counts: it outlives the account.
  // `name`: how texts call the company; null where nobody was erased since texts are redacted.
  await sql`
    create table erasure_scopes (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      company text not null,
      account_id uuid not null,
      name text,
      primary key (workspace_id, company, account_id)
    )`.execute(db)
  await sql`create index erasure_scopes_account on erasure_scopes (workspace_id, account_id)`.execute(db)

  // Whoever was erased until now was erased at one of these; which one, the hashes do not tell.
  await sql`
    insert into erasure_scopes (workspace_id, company, account_id)
    select workspace_id, erasure_company(domain, name), id from accounts
    where exists (select from people_suppressions as erased where erased.workspace_id = accounts.workspace_id)`.execute(
    db,
  )

  // A company that gets another domain takes its erased people along; under the former one they stay erased, too.
  await sql`
    create function carry_erasure_scopes() returns trigger language plpgsql as $$
    begin
      insert into erasure_scopes (workspace_id, company, account_id, name)
      select new.workspace_id, erasure_company(new.domain, new.name), scope.account_id, max(scope.name)
      from erasure_scopes as scope
      where scope.workspace_id = new.workspace_id
        and (scope.account_id = new.id or scope.company = erasure_company(old.domain, old.name))
      group by scope.account_id
      on conflict do nothing;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger carry_erasure_scopes after update of domain, name on accounts for each row
    when (erasure_company(old.domain, old.name) is distinct from erasure_company(new.domain, new.name))
    execute function carry_erasure_scopes()`.execute(db)

  // What was sent about a record, for whoever asks what is held on a person.
  await sql`create index deliveries_record on deliveries (workspace_id, record_id) where record_id is not null`.execute(
    db,
  )
  await sql`create index push_rows_record on push_rows (workspace_id, record_id)`.execute(db)
}
