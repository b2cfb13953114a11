import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Processes that run jobs. One that stops takes its row away; one that dies leaves it behind.
  await sql`create table worker_processes (
    id uuid primary key,
    seen_at timestamptz not null default now())`.execute(db)
  // How often the worker of a job has died over it. The queue itself only remembers how the last attempt ended.
  await sql`create table job_losses (
    job_id uuid primary key,
    losses integer not null,
    lost_at timestamptz not null default now())`.execute(db)
}
