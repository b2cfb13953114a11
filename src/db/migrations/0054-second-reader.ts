import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What the language model said of a finding in doubt: its key stands for the model, the company, the signal and the sentences.
  await sql`
    alter table model_readings
      add column verdict text check (verdict in ('confirmed', 'refuted', 'unproven'))`.execute(db)
  // How many findings in doubt a workspace has wanted to ask about, on the last day it did.
  await sql`
    create table second_readings (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      day date not null,
      wanted integer not null
    )`.execute(db)
}
