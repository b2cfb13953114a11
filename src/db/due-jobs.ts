type Executes<Row> = { executeSql: (text: string, values: unknown[]) => Promise<{ rows: Row[] }> }

/** Those of the queues in which a job waits that may begin. Asked of the connections of the queue itself. */
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

/** For each queue how long its longest waiting job could have begun already; 0 where none waits. One look in the index for each. */
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
