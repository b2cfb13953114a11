import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { countLosses, writeHeartbeat } from '../src/db/worker-heartbeats.ts'
import { runAttempt } from '../src/jobs/attempt.ts'
import { defineJob } from '../src/jobs/define.ts'
import { DEAD_LETTERS } from '../src/jobs/queue.ts'
import { cloneDatabase } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { testService } from './support/service.ts'

type Note = { text: string; workspace_id?: string }

const working = (options: Parameters<typeof testService>[0]) => testService({ worker: true, ...options })

/** A job that reports its runs and calls a function of the test. */
function probe(
  name: string,
  work: (run: { attempt: number; signal: AbortSignal }) => Promise<void> = async () => {},
  options = {},
) {
  const runs: { text: string; attempt: number }[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const job = defineJob<Note>({
    name,
    retryDelay: 1,
    ...options,
    async run(_deps, { text }, context) {
      runs.push({ text, attempt: context.attempt })
      for (const { resolve } of waiting.filter(({ count }) => runs.length >= count)) resolve()
      await work(context)
    },
  })
  const ran = (count: number) =>
    new Promise<void>((resolve) => {
      waiting.push({ count, resolve })
      if (runs.length >= count) resolve()
    })
  return { job, runs, ran }
}

const states = async (service: Awaited<ReturnType<typeof testService>>, queue: string) => {
  const { rows } = await sql<{
    state: string
    output: unknown
  }>`select state::text, output from pgboss.job where name = ${queue}`.execute(service.deps.db)
  return rows.map(({ state }) => state)
}

test('a job enqueued in a transaction runs after its commit, and not after a rollback', async () => {
  const { job, runs, ran } = probe('probe-transaction')
  const { deps } = await working({ jobs: [job] })
  const rolledBack = deps.db.transaction().execute(async (db) => {
    await deps.jobs.enqueue(db, job, { text: 'rolled back' })
    throw new Error('no')
  })
  await assert.rejects(rolledBack, /no/)
  await deps.db.transaction().execute((db) => deps.jobs.enqueue(db, job, { text: 'committed' }))
  await ran(1)
  assert.deepEqual(runs, [{ text: 'committed', attempt: 0 }])
})

test('jobs of a small workspace do not wait for all jobs of a large one', async () => {
  const first = Promise.withResolvers<void>()
  const { job, runs, ran } = probe('probe-turns', () => first.promise, { concurrency: 1 })
  const { deps } = await working({ jobs: [job] })
  const many = Array.from({ length: 40 }, (_, n) => ({ text: `large ${n}`, workspace_id: 'large' }))
  await deps.jobs.enqueueAll(deps.db, job, many.slice(0, 30))
  await ran(1)
  for (const one of many.slice(30)) await deps.jobs.enqueue(deps.db, job, one)
  for (const text of ['small 0', 'small 1']) await deps.jobs.enqueue(deps.db, job, { text, workspace_id: 'small' })
  first.resolve()
  await ran(42)
  const order = runs.map(({ text }) => text)
  assert.deepEqual(
    order.filter((text) => text.startsWith('large')),
    many.map(({ text }) => text),
    'in their own order',
  )
  // They alternate. Each second between these lines moves the jobs of the small workspace one position back.
  assert.ok(order.indexOf('small 1') < 25, order.join())
})

// Faster than the polling interval of a worker.
test('a job that fails is retried', { timeout: 45_000 }, async () => {
  const { job, runs, ran } = probe('probe-retry', async ({ attempt }) => {
    if (attempt === 0) throw new Error('first time')
  })
  const { deps } = await working({ jobs: [job] })
  await deps.jobs.enqueue(deps.db, job, { text: 'x' })
  await ran(2)
  assert.deepEqual(
    runs.map(({ attempt }) => attempt),
    [0, 1],
  )
})

test('a job that fails at every attempt becomes a dead letter', async () => {
  const done = Promise.withResolvers<void>()
  const { job, ran } = probe(
    'probe-dead',
    async () => {
      queueMicrotask(done.resolve)
      throw new Error('never works')
    },
    { retries: 0 },
  )
  const service = await working({ jobs: [job] })
  await service.deps.jobs.enqueue(service.deps.db, job, { text: 'keep me' })
  await ran(1)
  await done.promise
  // Stopping waits until the job is settled.
  await service.stop()
  const later = await working({ jobs: [job], databaseUrl: service.databaseUrl })
  const { rows } = await sql<{ data: Note }>`select data from pgboss.job where name = ${DEAD_LETTERS}`.execute(
    later.deps.db,
  )
  assert.deepEqual(rows, [{ data: { text: 'keep me' } }])
})

test('stopping lets a running job finish', async () => {
  const gate = Promise.withResolvers<void>()
  let finished = false
  const { job, ran } = probe('probe-drain', async () => {
    await gate.promise
    finished = true
  })
  const service = await working({ jobs: [job] })
  await service.deps.jobs.enqueue(service.deps.db, job, { text: 'x' })
  await ran(1)
  const stopped = service.stop()
  gate.resolve()
  await stopped
  assert.equal(finished, true)
})

test('a job that does not finish in time is aborted and returned to the queue', async () => {
  const databaseUrl = await cloneDatabase()
  const { job, ran } = probe(
    'probe-given-back',
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  )
  const service = await working({ jobs: [job], databaseUrl, env: { SHUTDOWN_TIMEOUT_SECONDS: '1' } })
  await service.deps.jobs.enqueue(service.deps.db, job, { text: 'x' })
  await ran(1)
  await service.stop()
  const second = probe('probe-given-back')
  const later = await working({ jobs: [second.job], databaseUrl })
  await second.ran(1)
  assert.deepEqual(second.runs, [{ text: 'x', attempt: 1 }])
  await later.stop()
})

/**
 * Moves the heartbeats of a running attempt back until its worker counts as lost. When `died`, the worker process is one that
 * had its last heartbeat when the attempt started.
 */
async function lose(service: Awaited<ReturnType<typeof testService>>, queue: string, attempt: number, died = true) {
  const { db } = service.deps
  const running = sql`name = ${queue} and state = 'active' and retry_count = ${attempt}`
  if (died) {
    await sql`insert into worker_processes (id, seen_at, jobs)
      select gen_random_uuid(), started_on, array[id] from pgboss.job where ${running}`.execute(db)
  }
  await eventually('its worker is lost', async () => {
    // Late enough that the process does not count as alive.
    await sql`update pgboss.job set heartbeat_on = 'epoch'
      where ${running} and started_on < now() - interval '4 seconds'`.execute(db)
    return (await sql`select from pgboss.job where ${running}`.execute(db)).rows.length === 0
  })
}

/** Skips the delays between attempts until the condition holds. */
const hasten = (service: Awaited<ReturnType<typeof testService>>, what: string, check: () => Promise<boolean>) =>
  eventually(what, async () => {
    await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(service.deps.db)
    return check()
  })

test('a job whose worker died twice is abandoned, whatever happened in between, and onLost is called', async () => {
  const told: Note[] = []
  const never = new Promise<void>(() => {})
  const { job, runs, ran } = probe(
    'probe-lost',
    ({ attempt }) => (attempt === 1 ? Promise.reject(new Error('an ordinary failure')) : never),
    {
      async onLost(_deps: unknown, payload: Note) {
        // A failed onLost is retried.
        if (told.push(payload) === 1) throw new Error('not now')
      },
    },
  )
  const service = await working({ jobs: [job], env: { SHUTDOWN_TIMEOUT_SECONDS: '1' } })
  await service.deps.jobs.enqueue(service.deps.db, job, { text: 'x' })
  await ran(1)
  await lose(service, job.name, 0)
  await hasten(service, 'it is run a third time', async () => runs.length === 3)
  // A database outage: no worker died.
  await lose(service, job.name, 2, false)
  await hasten(service, 'it is run a fourth time', async () => runs.length === 4)
  await lose(service, job.name, 3)
  await hasten(service, 'it is a dead letter', async () => (await states(service, DEAD_LETTERS)).length > 0)
  assert.deepEqual(
    runs.map(({ attempt }) => attempt),
    [0, 1, 2, 3],
  )
  assert.deepEqual(told, [{ text: 'x' }, { text: 'x' }])
  assert.deepEqual(await states(service, job.name), ['failed'])
  await service.stop()
})

test('workers lost before progress was committed do not count', async () => {
  const { deps } = await testService()
  const { db } = deps
  const attempt = { payload: {}, number: 1, before: 'lost', signal: new AbortController().signal } as const
  const lost = { ...attempt, id: crypto.randomUUID() }
  const dies = sql`insert into worker_processes (id, seen_at, jobs)
    values (gen_random_uuid(), now() - interval '5 seconds', array[${lost.id}::uuid])`
  let runs = 0
  const advancing = defineJob({
    name: 'probe-advancing',
    async run(_deps, _payload, { progressed }) {
      runs++
      await progressed()
      await sql`delete from worker_processes`.execute(db)
    },
  })
  for (let losses = 0; losses < 5; losses++) {
    await dies.execute(db)
    await runAttempt(deps, advancing, lost)
  }
  assert.equal(runs, 5)
  const { rows } = await sql`select from job_losses`.execute(db)
  assert.equal(rows.length, 0)
})

test('a gap in a worker’s heartbeats is one loss of each job it held, unless the worker kept running', async () => {
  const { deps } = await testService()
  const { db } = deps
  const [job, other] = [crypto.randomUUID(), crypto.randomUUID()]
  const worker = { id: crypto.randomUUID(), jobs: [job, other] }
  const silent = () => sql`update worker_processes set seen_at = now() - interval '5 seconds'`.execute(db)
  const losses = () => Promise.all([job, other].map((id) => countLosses(db, id, 10)))
  await writeHeartbeat(db, { ...worker, froze: false }, 10)
  assert.deepEqual(await losses(), [0, 0])
  // It froze: other workers count that, and so does the worker when it continues.
  await silent()
  assert.equal(await countLosses(db, job, 10), 1)
  await writeHeartbeat(db, { ...worker, froze: true }, 10)
  assert.deepEqual(await losses(), [1, 1])
  // A database outage: other workers count a loss until the worker reports that it kept running.
  await silent()
  assert.equal(await countLosses(db, job, 10), 2)
  await writeHeartbeat(db, { ...worker, froze: false }, 10)
  assert.deepEqual(await losses(), [1, 1])
  // It froze again, and continued before another worker checked.
  await silent()
  await writeHeartbeat(db, { id: worker.id, jobs: [], froze: true }, 10)
  assert.deepEqual(await losses(), [2, 2])
})

test('the service does not start with two jobs of one name', async () => {
  await assert.rejects(
    working({ jobs: [probe('twice').job, probe('twice').job] }),
    /Two jobs are declared under the name "twice"/,
  )
})

test('the service does not start while jobs are queued that it does not handle', async () => {
  const databaseUrl = await cloneDatabase()
  const { job } = probe('of-another-version')
  const api = await testService({ jobs: [job], databaseUrl })
  await api.deps.jobs.enqueue(api.deps.db, job, { text: 'x' })
  assert.deepEqual(await states(api, 'of-another-version'), ['created'])
  await assert.rejects(working({ jobs: [], databaseUrl }), /Jobs named "of-another-version" are waiting/)
})

test('a job with a schedule is scheduled, and unscheduled when it no longer has one', async () => {
  const databaseUrl = await cloneDatabase()
  const scheduled = async (service: Awaited<ReturnType<typeof testService>>) =>
    (await sql<{ name: string; cron: string }>`select name, cron from pgboss.schedule`.execute(service.deps.db)).rows
  const first = await working({ jobs: [probe('nightly', undefined, { schedule: '5 3 * * *' }).job], databaseUrl })
  assert.deepEqual(await scheduled(first), [{ name: 'nightly', cron: '5 3 * * *' }])
  await first.stop()
  assert.deepEqual(await scheduled(await working({ jobs: [probe('nightly').job], databaseUrl })), [])
})

test('a scheduled job that a version no longer has is dropped with its waiting jobs', async () => {
  const databaseUrl = await cloneDatabase()
  const { job } = probe('retired', undefined, { schedule: '5 3 * * *' })
  const before = await working({ jobs: [job], databaseUrl })
  await before.stop()
  const api = await testService({ jobs: [job], databaseUrl })
  await api.deps.jobs.enqueue(api.deps.db, job, { text: 'x' })
  await api.stop()
  const after = await working({ jobs: [], databaseUrl })
  assert.deepEqual(await states(after, 'retired'), [])
})

test('a start changes the queues whose jobs are declared differently, and no other', async () => {
  const databaseUrl = await cloneDatabase()
  const start = async (timeout: number) => {
    const jobs = [probe('probe-same').job, probe('probe-changed', undefined, { timeout }).job]
    const { deps, stop } = await testService({ jobs, databaseUrl })
    const { rows } = await sql<{ name: string; expire_seconds: number; updated_on: Date }>`
      select name, expire_seconds, updated_on from pgboss.queue where name like 'probe-%' order by name`.execute(
      deps.db,
    )
    await stop()
    return rows
  }
  const [changed, same] = await start(60)
  assert.deepEqual(await start(60), [changed, same])
  const [later, unchanged] = await start(90)
  assert.deepEqual([changed?.expire_seconds, later?.expire_seconds], [60, 90])
  assert.deepEqual(unchanged, same)
})

test('a job that is not listed cannot be enqueued', async () => {
  const { deps } = await testService()
  await assert.rejects(deps.jobs.enqueue(deps.db, probe('unlisted').job, { text: 'x' }), /not listed/)
})
