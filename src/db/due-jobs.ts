type Executes<Row> = { executeSql: (text: string, values: unknown[]) => Promise<{ rows: Row[] }> }

/** The queues that have a job whose start time has passed. Runs on the connections of the job queue. */
export async function queuesWithDueJobs(db: Executes<{ name: string }>, queues: readonly string[]): Promise<string[]> {
  const { rows } = await db.executeSql(
    `select name from unnest($1::text[]) as queues (name)
    where exists (
      select 1 from pgboss.job
      where job.name = queues.name and job.state < 'active' and not job.blocked and job.start_after <= now()
    )`,
    [queues],
  )
  return rows.map(({ name }) => name)
}

export type Waiting = { name: string; seconds: number }

/** For each queue, the time since its oldest due job could have started; 0 where none waits. One index lookup per queue. */
export async function longestWaits(db: Executes<Waiting>, queues: readonly string[]): Promise<Waiting[]> {
  const { rows } = await db.executeSql(
    `select queues.name, coalesce((
      select extract(epoch from now() - job.start_after)::float8 from pgboss.job
      where job.name = queues.name and job.state < 'active' and not job.blocked and job.start_after <= now()
      order by job.start_after limit 1), 0) as seconds
    from unnest($1::text[]) as queues (name)`,
    [queues],
  )
  return rows
}
