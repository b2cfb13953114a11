import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../ids.ts'
import { BatchWriter } from '../../jobs/batch-writer.ts'
import { WebhookSigner } from '../../outbound/signing.ts'
import {
  type ClaimedRow,
  claimRows,
  type RowResult,
  recordResults,
  releaseRows,
  renewLease,
} from '../../resources/push-runs/store.ts'
import {
  type DeliveryRow,
  findTarget,
  insertDeliveries,
  type Target,
} from '../../resources/webhook-destinations/store.ts'
import { afterAttempt, deliver, webhookId } from '../attempt.ts'
import { logged } from './inline.ts'
import { type FlatRow, readRows } from './row-store.ts'

const CLAIM = 500
/** Rows of a killed worker are free again after this. */
const LEASE_SECONDS = 15
const RENEW_MS = 5_000
/** Results are written together, and soon: what is not written yet is sent again after a kill. */
const FLUSH_ROWS = 200
const FLUSH_MS = 100

type Work = { workspaceId: string; runId: string; recordType: PushRecordType; target: Target }
type Row = ClaimedRow & { body: string }

/**
 * Sends rows of a run until none is due or the stint ends. Rows are claimed under a lease, so that several workers share
 * a run. Answers why nothing more can be sent to the destination, or null.
 */
export async function workOn(deps: Deps, work: Work, stint: AbortSignal): Promise<string | null> {
  const { db, config, outbound, secrets } = deps
  const { workspaceId, runId, recordType } = work
  const leaseId = newId()
  const recorder = new BatchWriter<{ result: RowResult; delivery?: DeliveryRow }>(
    (batch) =>
      db.transaction().execute(async (db) => {
        const results = batch.map(({ result }) => result)
        await recordResults(db, workspaceId, runId, leaseId, results)
        await insertDeliveries(
          db,
          workspaceId,
          batch.flatMap(({ delivery }) => delivery ?? []),
        )
      }),
    { size: FLUSH_ROWS, everyMs: FLUSH_MS },
  )
  const renewal = setInterval(() => {
    renewLease(db, workspaceId, runId, leaseId, LEASE_SECONDS).catch((err) =>
      deps.log.warn({ err }, 'a lease was not renewed'),
    )
  }, RENEW_MS)
  let target = work.target
  let signer = new WebhookSigner(target.secrets)
  let over: string | null = null
  const queue: Row[] = []
  let claiming: Promise<Row[]> | null = null

  /** The next rows, with what they say now. Records that are gone are skipped. */
  async function claim(): Promise<Row[]> {
    const fresh = await findTarget(db, workspaceId, target.id, secrets)
    if (!fresh) {
      over = 'The destination was deleted.'
      return []
    }
    if (fresh.secrets.join() !== target.secrets.join()) signer = new WebhookSigner(fresh.secrets)
    target = fresh
    const claimed = await claimRows(db, workspaceId, runId, leaseId, CLAIM, LEASE_SECONDS)
    if (claimed.length === 0) return []
    const records = await readRows(
      db,
      { workspace_id: workspaceId, scoped_to: null },
      recordType,
      claimed.map(({ record_id }) => record_id),
    )
    return claimed.flatMap((row) => {
      const record: FlatRow | undefined = records.get(row.record_id)
      if (record) return [{ ...row, body: JSON.stringify(record) }]
      const message = 'It is no longer there.'
      recorder.add({ result: { record_id: row.record_id, state: 'skipped', retry_in: 0, status: null, message } })
      return []
    })
  }

  /** Whoever needs the rows learns when they cannot be had; until then nobody waits, and the process must not end for it. */
  function claimAhead(): Promise<Row[]> {
    const claimed = claim()
    claimed.catch(() => {})
    return claimed
  }

  /** One row at a time from the shared queue; claims ahead so that nobody waits for the database. */
  async function send(): Promise<void> {
    while (!over && !stint.aborted) {
      if (queue.length < CLAIM / 2) claiming ??= claimAhead()
      let row = queue.pop()
      if (!row) {
        const more = await (claiming as Promise<Row[]>)
        if (more.length > 0) {
          queue.push(...more.splice(0).toReversed())
          claiming = null
        }
        row = queue.pop()
        if (!row) return
      }
      const id = webhookId(runId, row.record_id)
      const outcome = await deliver(outbound, { url: target.url, signer }, id, row.body)
      if (outcome.result === 'over') over = outcome.message
      const { status, message } = outcome
      const next = afterAttempt(outcome, row.attempts, config.PUSH_RETRY_SECONDS)
      recorder.add({
        result: { record_id: row.record_id, status, message, ...next },
        delivery: {
          ...logged(outcome),
          destination_id: target.id,
          run_id: runId,
          record_id: row.record_id,
          webhook_id: id,
          attempt: row.attempts + 1,
        },
      })
    }
  }

  try {
    await Promise.all(Array.from({ length: config.PUSH_CONCURRENCY }, send))
    // A claim under way must be over before its rows are given back.
    await (claiming as Promise<Row[]> | null)
    await recorder.end()
  } finally {
    clearInterval(renewal)
    recorder.stop()
    await releaseRows(db, workspaceId, runId, leaseId)
  }
  return over
}
