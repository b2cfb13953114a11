import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The jobs that a process runs, written before each of them begins: a process that stops responding cannot say so later.
  await sql`alter table worker_processes add column jobs uuid[] not null default '{}'`.execute(db)
  // One row for each time that a worker stopped responding over a job, named by when that worker was seen last: the workers
  // that take over and the worker itself, if it continues, count the same loss once.
  await sql`create table job_losses_by_worker (
    job_id uuid not null,
    worker_id uuid not null,
    silent_since timestamptz not null,
    lost_at timestamptz not null default now(),
    primary key (job_id, worker_id, silent_since))`.execute(db)
  await sql`insert into job_losses_by_worker (job_id, worker_id, silent_since, lost_at)
    select job_id, gen_random_uuid(), lost_at, lost_at from job_losses, generate_series(1, losses)`.execute(db)
  await sql`drop table job_losses`.execute(db)
  await sql`alter table job_losses_by_worker rename to job_losses`.execute(db)
  await sql`alter index job_losses_by_worker_pkey rename to job_losses_pkey`.execute(db)
}
