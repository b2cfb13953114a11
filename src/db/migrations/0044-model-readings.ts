import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What the language model read in a text, so that it is asked once. A key stands for the model, the text and the signals.
  await sql`
    create table model_readings (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      key text not null,
      events jsonb not null,
      unproven integer not null,
      read_at timestamptz(3) not null default now(),
      primary key (workspace_id, key)
    )`.execute(db)
  await sql`create index model_readings_read_at on model_readings (read_at)`.execute(db)
}
