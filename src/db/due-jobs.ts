type Executes = { executeSql: (text: string, values: unknown[]) => Promise<{ rows: { name: string }[] }> }

/** Those of the queues in which a job waits that may begin. Asked of the connections of the queue itself. */
export async function queuesWithDueJobs(db: Executes, queues: readonly string[]): Promise<string[]> {
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
