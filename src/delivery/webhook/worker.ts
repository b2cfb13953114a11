import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { BatchWriter } from '../../jobs/batch-writer.ts'
import { createLease, processLeasedRows } from '../../jobs/leased-work.ts'
import { WebhookSigner } from '../../outbound/signing.ts'
import { type ClaimedRow, dueRows, type RowResult } from '../../resources/push-runs/work-store.ts'
import { type DeliveryRow, deliveriesInsert } from '../../resources/webhook-destinations/delivery-store.ts'
import { findTarget, type WebhookTarget } from '../../resources/webhook-destinations/store.ts'
import type { Viewer } from '../../shared/member.ts'
import { afterAttempt, deliver, logged, webhookId } from '../attempt.ts'
import { readWebhookRows } from './row-store.ts'

const CLAIMED_ROWS = 500
/** Rows of a killed worker are free again after this. */
const LEASE_SECONDS = 15
/** Results are written together, and soon: what is not written yet is sent again after a kill. */
const FLUSH_ROWS = 200
const FLUSH_MS = 100

/** The viewer is whoever started the run: a row goes out while they still see its record. */
type Work = { viewer: Viewer; runId: string; recordType: PushRecordType; target: WebhookTarget }
type Row = { row: ClaimedRow; body: string }

const GONE = { state: 'skipped', retry_in: 0, status: null, message: 'It is no longer there.' } as const

/**
 * Sends rows of a run until none is due or the deadline passes. Attempts under way are finished, unless `cutOff` aborts
 * them. Returns why nothing more can be sent to the destination, or null.
 */
export async function sendRows(
  deps: Deps,
  work: Work,
  deadline: AbortSignal,
  cutOff?: AbortSignal,
): Promise<string | null> {
  const { db, config, outbound, secrets, log } = deps
  const { viewer, runId, recordType } = work
  const workspaceId = viewer.workspace_id
  const lease = createLease(LEASE_SECONDS)
  const rows = dueRows(db, workspaceId, runId)
  const recorder = new BatchWriter<{ result: RowResult; delivery?: DeliveryRow }>(
    (batch) => {
      const results = batch.map(({ result }) => result)
      const log = batch.flatMap(({ delivery }) => delivery ?? [])
      return rows.record(
        lease.id,
        results,
        log.length > 0 ? deliveriesInsert(workspaceId, { destination_id: target.id, run_id: runId }, log) : null,
      )
    },
    { size: FLUSH_ROWS, everyMs: FLUSH_MS },
  )
  let target = work.target
  let signer = new WebhookSigner(target.secrets)
  let over: string | null = null

  /** The next rows, with what they say now. Records that are gone are skipped. */
  async function claim(limit: number): Promise<Row[]> {
    const [fresh, claimed] = await Promise.all([
      findTarget(db, workspaceId, target.id, secrets),
      rows.claim(lease, limit),
    ])
    if (!fresh) {
      over = 'The destination was deleted.'
      return []
    }
    if (fresh.secrets.join() !== target.secrets.join()) signer = new WebhookSigner(fresh.secrets)
    target = fresh
    if (claimed.length === 0) return []
    const records = await readWebhookRows(
      db,
      viewer,
      recordType,
      claimed.map(({ record_id }) => record_id),
    )
    const there: Row[] = []
    for (const row of claimed) {
      const record = records.get(row.record_id)
      if (record) there.push({ row, body: JSON.stringify(record) })
      else await recorder.add({ result: { row, ...GONE } })
    }
    return there.length > 0 ? there : claim(limit)
  }

  async function send({ row, body }: Row): Promise<void> {
    if (cutOff?.aborted) return
    const id = webhookId(runId, row.record_id)
    const outcome = await deliver(outbound, { url: target.url, signer }, id, body, cutOff)
    if (outcome.result === 'over') over = outcome.message
    const { status, message } = outcome
    const next = afterAttempt(outcome, row.attempts, config.PUSH_RETRY_SECONDS)
    await recorder.add({
      result: { row, status, message, ...next },
      delivery: {
        ...logged(outcome),
        record_id: row.record_id,
        webhook_id: id,
        attempt: row.attempts + 1,
      },
    })
  }

  await processLeasedRows({
    queue: { ...rows, claim: (_lease, limit) => claim(limit) },
    lease,
    lanes: config.PUSH_CONCURRENCY,
    claimed: CLAIMED_ROWS,
    deadline,
    isOver: () => over !== null,
    log,
    work: ([row]) => send(row as Row),
    finish: () => recorder.end(),
  })
  return over
}
