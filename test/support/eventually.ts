import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { DEAD_LETTERS } from '../../src/jobs/queue.ts'
import type { Answer, Client } from './client.ts'
import type { TestService } from './service.ts'

type Found<T> = T | null | undefined | false

/** Polls until the check returns a value. Only for states without an event: a row, a process, a job. */
export async function eventually<T>(what: string, check: () => Promise<Found<T>> | Found<T>): Promise<T> {
  const end = Date.now() + 120_000
  // Often at first, less often later, because polling takes time from the work that is awaited.
  for (let pause = 5; Date.now() < end; pause = Math.min(pause * 1.5, 250)) {
    const found = await check()
    if (found) return found
    await sleep(pause)
  }
  throw new Error(`It did not happen: ${what}.`)
}

/** The response of a run when it has ended, of any kind. While the database is being killed the service returns 503. */
export function ended(client: Client, path: string): Promise<Answer['data']> {
  return eventually(`the end of ${path}`, async () => {
    const { status, data, text } = await client.get(path)
    if (status === 503) return null
    assert.equal(status, 200, text)
    return data.status !== 'running' && data
  })
}

/** Waits until no job runs and none is due within seconds. */
export function idle({ deps }: TestService): Promise<true> {
  return eventually('an idle queue', async () => {
    const { rows } = await sql`select from pgboss.job
      where name <> ${DEAD_LETTERS}
        and (state = 'active' or (state in ('created', 'retry') and start_after <= now() + interval '5 seconds'))`.execute(
      deps.db,
    )
    return rows.length === 0
  })
}
