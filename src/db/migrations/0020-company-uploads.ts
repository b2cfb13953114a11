import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A file of companies that was sent over the API. `rows` and the counts are those of what is stored for good, written in
  // the transaction that stores it: whoever takes the import up again begins after them.
  await sql`
    create table company_imports (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      status text not null check (status in ('receiving', 'running', 'done', 'failed')),
      format text not null check (format in ('csv', 'ndjson')),
      bytes bigint not null default 0,
      progress double precision not null default 0 check (progress between 0 and 1),
      rows integer not null default 0,
      created integer not null default 0,
      existing integer not null default 0,
      rejected integer not null default 0,
      errors jsonb not null default '[]',
      failure text,
      taken_up integer not null default 0,
      touched_at timestamptz(3) not null default now(),
      finished_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      check ((status in ('receiving', 'running')) = (finished_at is null))
    )`.execute(db)
  await sql`create index company_imports_created on company_imports (workspace_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index company_imports_open on company_imports (touched_at) where status in ('receiving', 'running')`.execute(
    db,
  )

  // The file as it was sent, until it is imported: any worker can go on with it.
  await sql`
    create table company_import_chunks (
      workspace_id uuid not null,
      import_id uuid not null,
      position integer not null,
      bytes bytea not null,
      primary key (workspace_id, import_id, position),
      foreign key (workspace_id, import_id) references company_imports (workspace_id, id) on delete cascade
    )`.execute(db)

  // Whom a mail server is told to ask for; null: what EMAIL_VERIFY_FROM says.
  await sql`alter table workspaces add column email_verify_from text`.execute(db)
  // Of how many people the two breakdowns are made.
  await sql`alter table accounts add column workforce_based_on integer check (workforce_based_on > 0)`.execute(db)
}
