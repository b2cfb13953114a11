import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A signal may be deleted while the runs that searched for it remain, so it is no reference.
  await sql`
    create table run_unresolved (
      workspace_id uuid not null,
      run_id uuid not null,
      position integer not null,
      name text not null,
      signal_id text not null,
      source text not null,
      url text not null,
      attempts text[] not null,
      primary key (workspace_id, run_id, position),
      foreign key (workspace_id, run_id) references runs (workspace_id, id) on delete cascade
    )`.execute(db)
}
