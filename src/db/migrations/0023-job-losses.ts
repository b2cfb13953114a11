import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // How often a job has lost its worker. The queue itself only remembers how the last attempt ended.
  await sql`create table job_losses (
    job_id uuid primary key,
    losses integer not null,
    lost_at timestamptz not null default now())`.execute(db)
}
