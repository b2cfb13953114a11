import { join } from 'node:path'
import pg from 'pg'
import { movableClock, setClock } from './clock.ts'
import { createDatabase } from './databases.ts'

export type TimeMachine = AsyncDisposable & {
  databaseUrl: string
  /** Environment of a process that lives in the time of the machine. */
  env: Record<string, string>
  /** The time of the machine, in milliseconds. */
  now: () => number
  /** Sets the time of the database and of the processes. It passes at the usual speed from there. */
  moveTo: (time: number) => Promise<void>
  /** Sets the clock of the job queue too. To be called when the service has created the queue. */
  takeQueue: () => Promise<void>
}

let count = 0

/**
 * An empty database and processes whose clocks are set together. In the database an unqualified `now()` is `clock.now()`, also
 * in defaults of columns, because it is found before that of PostgreSQL from the first migration on. `current_date` and
 * `clock_timestamp()` keep the system clock: alerts do not use them.
 */
export async function startTimeMachine({ at, folder }: { at: number; folder: string }): Promise<TimeMachine> {
  const name = `t_${process.pid}_time_${++count}`
  const databaseUrl = await createDatabase(name, 'template0')
  const file = join(folder, `clock-${count}`)
  const env = movableClock(file)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`
    create schema clock;
    create table clock.shift (ms double precision not null);
    insert into clock.shift values (0);
    create function clock.now() returns timestamptz language sql stable parallel safe as
      'select pg_catalog.now() + make_interval(secs => (select ms / 1000 from clock.shift))';
    alter database ${name} set search_path = public, clock, pg_catalog`)
  let shift = 0
  const moveTo = async (time: number) => {
    shift = time - Date.now()
    setClock(file, shift / 3_600_000)
    await client.query('update clock.shift set ms = $1', [shift])
  }
  await moveTo(at)
  return {
    databaseUrl,
    env,
    now: () => Date.now() + shift,
    moveTo,
    async takeQueue() {
      await client.query(`create or replace function pgboss.job_now() returns timestamptz language sql stable as
        'select clock.now()'`)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
