import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { createLease } from '../../jobs/leased-work.ts'
import { getPushRun, insertPushRun } from './store.ts'
import { type ClaimedRow, finishOrWait, pushRows } from './work-store.ts'

const service = await testService()
const { db } = service.deps

const sent = (row: ClaimedRow) =>
  ({ row, state: 'sent', retry_in: 0, status: 200, message: null, counts: true }) as const

/** A run of which a worker has claimed all rows. */
async function claimedRun(accounts: number) {
  const { workspaceId, ids } = await scene(service, { accounts })
  const viewer = { workspace_id: workspaceId, scoped_to: null }
  const run = { channel: 'crm' as const, recordType: 'accounts' as const, destinationId: null, ids, surplus: [] }
  const { run_id } = await db.transaction().execute((db) => insertPushRun(db, viewer, run))
  const queue = pushRows(db, workspaceId, run_id)
  const lease = createLease(60)
  return { workspaceId, viewer, run_id, queue, lease, rows: await queue.claim(lease, accounts) }
}

test('the next worker ends a run whose worker was killed after it had stored all results', async () => {
  const { workspaceId, viewer, run_id, queue, lease, rows } = await claimedRun(250)
  await queue.record(lease.id, rows.map(sent))
  await db
    .updateTable('push_ranges')
    .set({ lease_until: new Date(0) })
    .where('run_id', '=', run_id)
    .execute()
  assert.deepEqual(await pushRows(db, workspaceId, run_id).claim(createLease(60), 500), [])
  assert.equal(await finishOrWait(db, workspaceId, run_id), null)
  const run = await getPushRun(db, viewer, run_id)
  assert.deepEqual([run.status, run.sent], ['completed', 250])
})

test('a released lease leaves only the ranges with rows to retry, due with the first of them', async () => {
  const { workspaceId, run_id, queue, lease, rows } = await claimedRun(250)
  const [first, ...others] = rows as [ClaimedRow, ...ClaimedRow[]]
  await queue.record(lease.id, others.map(sent))
  await queue.record(lease.id, [{ ...sent(first), state: 'pending', retry_in: 3600 }])
  await queue.release(lease)
  const ranges = await db.selectFrom('push_ranges').selectAll().where('run_id', '=', run_id).execute()
  assert.deepEqual(
    ranges.map(({ first_position, lease_id }) => [first_position, lease_id]),
    [[1, null]],
  )
  assert.ok(((await finishOrWait(db, workspaceId, run_id)) ?? 0) > 60)
  assert.deepEqual(await queue.claim(lease, 500), [])
})
