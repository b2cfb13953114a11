import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Those of the queues in which a job waits that may begin. */
export async function queuesWithDueJobs(db: Db, queues: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${queues}::text[]) as queues (name)
    where exists (
      select from pgboss.job
      where job.name = queues.name and job.state < 'active' and not job.blocked and job.start_after <= now()
    )`.execute(db)
  return rows.map(({ name }) => name)
}
