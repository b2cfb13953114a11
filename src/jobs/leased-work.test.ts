import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { cloneDatabase } from '../../test/support/databases.ts'
import { eventually } from '../../test/support/eventually.ts'
import { connect } from '../db/connect.ts'
import { leasedQueue } from '../db/leases.ts'
import { BatchWriter } from './batch-writer.ts'
import { createLease, processLeasedRows } from './leased-work.ts'

const log = pino({ level: 'silent' })
const { db } = connect(await cloneDatabase(), { size: 10, prepare: true, log })
after(() => db.destroy())
await sql`create table pieces (workspace_id text, id integer, done integer not null default 0, lease_id uuid,
  lease_until timestamptz, primary key (workspace_id, id))`.execute(db)

let count = 0

/** A queue with this number of rows, none of them done. */
async function queueOf(size: number) {
  const name = `q${++count}`
  await sql`insert into pieces (workspace_id, id) select ${name}, n from generate_series(1, ${size}) as n`.execute(db)
  const queue = leasedQueue<{ id: number }>(db, name, {
    table: 'pieces',
    key: ['id'],
    open: sql`done = 0`,
    order: sql`id`,
    columns: ['id'],
  })
  const finish = (id: number) =>
    sql`update pieces set done = done + 1, lease_id = null where workspace_id = ${name} and id = ${id}`.execute(db)
  const read = async () => {
    const { rows } = await sql<{ id: number; done: number; held: boolean }>`
      select id, done, lease_id is not null as held from pieces where workspace_id = ${name} order by id`.execute(db)
    return rows
  }
  return { name, queue, finish, read }
}

const never = new AbortController().signal
const common = { lanes: 3, deadline: never, log }

test('several workers share a queue: every row is processed once, and none is left', async () => {
  const { queue, finish, read } = await queueOf(200)
  const workers = Array.from({ length: 4 }, (_, at) =>
    processLeasedRows({
      ...common,
      queue,
      lease: createLease(30),
      // With and without claiming ahead, one row or a batch per call.
      ...(at % 2 ? { claimed: 10 } : { batch: 7 }),
      async work(rows) {
        for (const { id } of rows) await finish(id)
      },
    }),
  )
  assert.deepEqual(await Promise.all(workers), Array(4).fill({ isDrained: true }))
  assert.deepEqual(
    (await read()).filter(({ done }) => done !== 1),
    [],
  )
})

test('a claim returns no more rows than its limit, whatever the plan', async () => {
  const { queue, read } = await queueOf(50)
  await db.transaction().execute(async (db) => {
    // The remaining plan is a nested loop, which would search for free rows again for every row it updates.
    for (const plan of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material']) {
      await sql.raw(`set local enable_${plan} = off`).execute(db)
    }
    const inside = leasedQueue<{ id: number }>(db, `q${count}`, {
      table: 'pieces',
      key: ['id'],
      open: sql`done = 0`,
      columns: ['id'],
    })
    assert.equal((await inside.claim(createLease(30), 5)).length, 5)
  })
  assert.equal((await read()).filter(({ held }) => held).length, 5)
  assert.equal((await queue.claim(createLease(30), 100)).length, 45)
})

test('when a lane fails, the others finish their batches and the remaining rows are released', async () => {
  const { queue, finish, read } = await queueOf(20)
  const begun: number[] = []
  const bothBegun = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  let isWritten = false
  const working = processLeasedRows({
    ...common,
    lanes: 2,
    claimed: 10,
    queue,
    lease: createLease(30),
    async work([row]) {
      const { id } = row as { id: number }
      if (begun.push(id) === 2) bothBegun.resolve()
      await bothBegun.promise
      if (id === begun[0]) {
        failed.resolve()
        throw new Error('broken')
      }
      await failed.promise
      await finish(id)
    },
    async finish() {
      isWritten = true
    },
  })
  await assert.rejects(working, /broken/)
  assert.equal(begun.length, 2)
  assert.ok(isWritten)
  const rows = await read()
  assert.deepEqual(
    rows.filter(({ done }) => done > 0).map(({ id }) => id),
    [begun[1]],
  )
  assert.ok(!rows.some(({ held }) => held))
})

test('after the deadline no further rows are claimed', async () => {
  const { queue, finish, read } = await queueOf(20)
  const deadline = new AbortController()
  let begun = 0
  const result = await processLeasedRows({
    queue,
    lease: createLease(30),
    lanes: 1,
    claimed: 8,
    deadline: deadline.signal,
    log,
    async work([row]) {
      const { id } = row as { id: number }
      await finish(id)
      if (++begun === 3) deadline.abort()
    },
  })
  assert.deepEqual(result, { isDrained: false })
  const rows = await read()
  assert.deepEqual([rows.filter(({ done }) => done === 1).length, rows.some(({ held }) => held)], [3, false])
})

test('leased rows cannot be claimed by other workers until the lease expires; renewal extends it', async () => {
  const { name, queue } = await queueOf(2)
  const lost = createLease(30)
  const kept = createLease(30)
  const lostRows = await queue.claim(lost, 1)
  assert.equal(lostRows.length, 1)
  assert.equal((await queue.claim(kept, 1)).length, 1)
  assert.deepEqual(await queue.claim(createLease(30), 2), [])
  await sql`update pieces set lease_until = now() - interval '1 second' where workspace_id = ${name}`.execute(db)
  await queue.renew(kept)
  assert.deepEqual(await queue.claim(createLease(30), 2), lostRows)
})

test('rows are locked in key order, independent of their physical order, so that writers cannot deadlock', async () => {
  const { name, queue } = await queueOf(0)
  // The last key is stored first.
  for (const id of [3, 2, 1]) await sql`insert into pieces (workspace_id, id) values (${name}, ${id})`.execute(db)
  const lease = createLease(30)
  assert.equal((await queue.claim(lease, 3)).length, 3)
  const lock = (on: typeof db, id: number) =>
    sql`select from pieces where workspace_id = ${name} and id = ${id} for update nowait`.execute(on)
  let released = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await lock(tx, 1)
    // Another transaction locks the first row: a renewal skips it, a release waits for it and holds no later lock yet.
    await queue.renew(lease)
    released = queue.release(lease)
    await eventually('the release waits', async () => {
      const blocked =
        await sql`select from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`.execute(db)
      return blocked.rows.length > 0
    })
    await lock(tx, 2)
    await lock(tx, 3)
  })
  await released
  assert.equal((await queue.claim(createLease(30), 3)).length, 3)
})

test('items added during a write form the next batch, and adding to a full batch waits', async () => {
  const { promise: written, resolve } = Promise.withResolvers<void>()
  const batches: number[][] = []
  const write = (batch: number[]) => {
    batches.push(batch)
    return written
  }
  const writer = new BatchWriter(write, { size: 2, everyMs: 3_600_000 })
  for (const item of [1, 2, 3]) assert.equal(writer.add(item), undefined)
  const waits = writer.add(4)
  assert.ok(waits)
  resolve()
  await waits
  await writer.end()
  assert.deepEqual(batches, [
    [1, 2],
    [3, 4],
  ])
})
