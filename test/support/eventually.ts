import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { DEAD_LETTERS } from '../../src/jobs/queue.ts'
import type { Answer, Client } from './client.ts'
import type { TestService } from './service.ts'

type Found<T> = T | null | undefined | false

/** Looks until the check gives something. Only for what no event tells: the state of a row, of a process, of a job. */
export async function eventually<T>(what: string, check: () => Promise<Found<T>> | Found<T>): Promise<T> {
  const end = Date.now() + 120_000
  // Often at first, for what comes at once; seldom later, because looking takes time from what is waited for.
  for (let pause = 5; Date.now() < end; pause = Math.min(pause * 1.5, 250)) {
    const found = await check()
    if (found) return found
    await sleep(pause)
  }
  throw new Error(`It did not happen: ${what}.`)
}

/** What a run answers when it is over, whatever its kind. A service whose database is being killed answers 503 meanwhile. */
export function ended(client: Client, path: string): Promise<Answer['data']> {
  return eventually(`the end of ${path}`, async () => {
    const { status, data, text } = await client.get(path)
    if (status === 503) return null
    assert.equal(status, 200, text)
    return data.status !== 'running' && data
  })
}

/** Waits until no job runs and none is due within seconds: whatever was going to happen has happened. */
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
