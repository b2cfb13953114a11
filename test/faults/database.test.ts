import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { withQueryTimeout } from '../../src/db/client.ts'
import { connect } from '../../src/db/connect.ts'
import { copyFrom } from '../../src/db/copy.ts'
import { streamRows } from '../../src/db/page-query.ts'
import { defineJob } from '../../src/jobs/define.ts'
import { type Answer, refused } from '../support/client.ts'
import { cloneDatabase, connection } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startProxy } from '../support/proxy.ts'
import { testService } from '../support/service.ts'

const POOL = 12

const { host, port, user, password } = connection()
const proxy = await startProxy({ path: `${host}/.s.PGSQL.${port}` })
after(() => proxy[Symbol.asyncDispose]())
const direct = await cloneDatabase()
const name = new URL(direct.replace('@/', '@localhost/')).pathname.slice(1)
const databaseUrl = `postgresql://${user}:${password}@127.0.0.1:${proxy.port}/${name}`

/** The first call sends a query that takes until its timeout. */
const attempts: number[] = []
const slow = defineJob<object>({
  name: 'probe-slow',
  retryDelay: 1,
  async run({ db }, _payload, { attempt }) {
    attempts.push(attempt)
    if (attempt === 0) await sql`select pg_sleep(600)`.execute(db)
  },
})

const service = await testService({
  databaseUrl,
  worker: true,
  jobs: [slow],
  env: { DATABASE_POOL_SIZE: String(POOL), DATABASE_TIMEOUT_SECONDS: '3', DATABASE_JOB_TIMEOUT_SECONDS: '9' },
})
const { admin, deps } = service

/** A direct connection, without the proxy. */
const server = new pg.Pool({ connectionString: direct })
after(() => server.end())

/** Locks the tables until the end of the test's work. */
async function withLocked(tables: string, work: () => Promise<void>): Promise<void> {
  const client = await server.connect()
  await client.query('begin')
  await client.query(`lock table ${tables} in access exclusive mode`)
  try {
    await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** The number of queries like this that run in the server. */
const waiting = async (query: string) => {
  const { rows } = await server.query(
    'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state = $1 and query like $2',
    ['active', `%${query}%`],
  )
  return rows.length
}

function isUnavailable(answer: Answer): void {
  refused(answer, 503, 'unavailable')
  assert.match(answer.error.message, /Try again shortly/)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
}

test('dead connections cost one timeout: then requests and jobs continue on new ones', async () => {
  await deps.jobs.enqueue(deps.db, slow, {})
  await eventually('the job asks', () => waiting('pg_sleep(600)'))
  await Promise.all(Array.from({ length: POOL - 1 }, () => sql`select pg_sleep(0.3)`.execute(deps.db)))
  assert.ok(proxy.open >= POOL)
  proxy.set({ kind: 'black-hole' }, 'open')
  // Fewer than there are dead connections, and one of them in a transaction.
  const first = await Promise.all([
    admin.get('/v1/accounts'),
    admin.get('/v1/people'),
    admin.post('/v1/accounts', { name: 'Acme', domain: 'acme.com' }),
  ])
  for (const answer of first) isUnavailable(answer)
  const next = await Promise.all(Array.from({ length: 2 * POOL }, () => admin.get('/v1/accounts')))
  assert.deepEqual([...new Set(next.map(({ status }) => status))], [200])
  await admin.expect(201, 'POST', '/v1/accounts', { name: 'Acme', domain: 'acme.com' })
  // The queue has separate connections, and each dead one costs it a timeout.
  await eventually('the queue is there again', async () => (await admin.get('/readyz')).status === 200)
  await eventually('the job is tried again', () => attempts.includes(1))
  assert.deepEqual(attempts, [0, 1])
})

test('queries in flight when PostgreSQL hangs end at their timeout, and later ones succeed', async () => {
  await withLocked('accounts', async () => {
    const caught = admin.get('/v1/accounts')
    await eventually('a query in flight', () => waiting('accounts'))
    proxy.set({ kind: 'black-hole' })
    isUnavailable(await caught)
    isUnavailable(await admin.get('/v1/people'))
    assert.equal((await admin.get('/readyz')).status, 503)
  })
  proxy.set({ kind: 'pass' }, 'new')
  await admin.expect(200, 'GET', '/v1/accounts')
})

test('a request with concurrent queries ends with the first failure, and the service continues', async () => {
  await withLocked('alert_deliveries, credits_taken, subscriptions', async () => {
    isUnavailable(await admin.get('/v1/alerts'))
    isUnavailable(await admin.get('/v1/usage/history'))
  })
  await admin.expect(200, 'GET', '/v1/alerts')
  await admin.expect(200, 'GET', '/v1/usage/history')
})

test('a write that reaches a standby during a failover results in 503', async () => {
  await server.query(`create function refuse_write() returns trigger language plpgsql as
    $$ begin raise 'cannot execute INSERT in a read-only transaction' using errcode = '25006'; end $$;
    create trigger standby before insert on accounts for each statement execute function refuse_write()`)
  isUnavailable(await admin.post('/v1/accounts', { name: 'Later', domain: 'later.com' }))
  await server.query('drop trigger standby on accounts')
  await admin.expect(201, 'POST', '/v1/accounts', { name: 'Later', domain: 'later.com' })
})

test('a query over its timeout is aborted by its request, and a longer one of a job by the server', async () => {
  const log = pino({ level: 'silent' })
  const patient = connect(direct, { size: 1, prepare: true, log, limits: { usualMs: 2_000, longestMs: 600_000 } })
  await withLocked('accounts', async () => {
    isUnavailable(await admin.get('/v1/accounts'))
    await assert.rejects(sql`select 'given up' from accounts`.execute(patient.db), /did not respond/)
    await eventually('the server gives it up, too', async () => (await waiting("'given up'")) === 0)
  })
  await patient.db.destroy()
  const { db } = connect(direct, { size: 1, prepare: true, log, limits: { usualMs: 60_000, longestMs: 200 } })
  await assert.rejects(sql`select pg_sleep(600)`.execute(db), { code: '57014' })
  await sql`select 1`.execute(db)
  // An export lasts as long as its reader takes, and holds nothing when the reader disconnects.
  const where = { sql: 'true', values: [] }
  const table = 'generate_series(1, 2000) as n'
  const rows = streamRows(db, { columns: [], computed: { n: 'n' }, table, where, orderBy: 'n' } as never)
  for (let read = 0; read < 600; read++) await rows.next()
  await server.query('select pg_sleep(0.4)')
  for (let read = 600; read < 1200; read++) assert.ok(!(await rows.next()).done)
  await rows.return(undefined)
  await sql`select 1`.execute(db)
  await db.destroy()
})

test('each query has the timeout of its own async context, whatever used the connection before', async () => {
  const log = pino({ level: 'silent' })
  const { db } = connect(direct, { size: 1, prepare: true, log, limits: { usualMs: 2_000, longestMs: 600_000 } })
  const ask = (seconds: number) => sql`select pg_sleep(${seconds}::float8)`.execute(db)
  const asJob = (seconds: number) => withQueryTimeout(60_000, () => ask(seconds))
  // The timer of the query before would fire in a minute.
  await asJob(0)
  await assert.rejects(ask(20), /did not respond within 2000 ms/)
  // The first query releases the connection to the second, within the async context of the first.
  await Promise.all([asJob(0.1), assert.rejects(ask(20), /did not respond within 2000 ms/)])
  await Promise.all([ask(0.1), asJob(2.3)])
  await db.destroy()
})

test('a response that arrives while the process is busy is read, however late', async () => {
  const log = pino({ level: 'silent' })
  const { db } = connect(direct, { size: 1, prepare: true, log, limits: { usualMs: 500, longestMs: 60_000 } })
  await sql`select 1`.execute(db)
  const response = sql<{ n: number }>`select 2 as n`.execute(db)
  // After the request was sent.
  await new Promise((resolve) => setImmediate(resolve))
  const end = performance.now() + 1_500
  while (performance.now() < end);
  assert.equal((await response).rows[0]?.n, 2)
  await db.destroy()
})

test('a cursor and a COPY time out too when the server is gone; a reader of a cursor may be slow', async () => {
  const log = pino({ level: 'silent' })
  const limits = { usualMs: 1_000, longestMs: 60_000 }
  const { db, pool } = connect(databaseUrl, { size: 2, prepare: true, log, limits })
  const rows = db.selectFrom('signals').select('id').stream(1)
  await rows.next()
  await server.query('select pg_sleep(1.5)')
  assert.ok((await rows.next()).value)
  const client = await pool.connect()
  await client.query('create temporary table lines (line text)')
  proxy.set({ kind: 'black-hole' }, 'open')
  await Promise.all([
    assert.rejects(rows.next(), /did not respond/),
    assert.rejects(copyFrom(client, 'copy lines from stdin', Readable.from([Buffer.from('x\n')])), /did not respond/),
  ])
  client.release()
  assert.equal(pool.totalCount, 0)
  await sql`select 1`.execute(db)
  await db.destroy()
})
