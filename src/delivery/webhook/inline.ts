import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { newId } from '../../ids.ts'
import type { Viewer } from '../../member.ts'
import { WebhookSigner } from '../../outbound/signing.ts'
import { type DeliveryRow, insertDeliveries, type Target } from '../../resources/webhook-destinations/store.ts'
import { type AttemptResult, deliver, logged, webhookId } from '../attempt.ts'
import type { FlatRow } from './row-store.ts'

const ATTEMPTS = 3
/** Somebody waits: no pause is longer than this unless the receiver asks for it. */
const MAX_PAUSE_SECONDS = 5
const CONCURRENCY = 10
const TIME_LIMIT_MS = 60_000

/** Sends a few rows while the caller waits: up to three attempts each, within a minute for all of them. */
export async function pushInline(
  { db, outbound, config }: Pick<Deps, 'db' | 'outbound' | 'config'>,
  viewer: Viewer,
  target: Target,
  rows: FlatRow[],
) {
  const call = newId()
  const signer = new WebhookSigner(target.secrets)
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS)
  const log: DeliveryRow[] = []
  const errors: { id: string; status: number | null; message: string }[] = []
  let pushed = 0
  let over: AttemptResult | null = null

  async function push(row: FlatRow): Promise<void> {
    const id = webhookId(call, row.id)
    const body = JSON.stringify(row)
    let outcome: AttemptResult | null = over
    for (let attempt = 1; attempt <= ATTEMPTS && !over && !deadline.aborted; attempt++) {
      outcome = await deliver(outbound, { url: target.url, signer }, id, body, deadline)
      log.push({
        ...logged(outcome),
        destination_id: target.id,
        run_id: null,
        record_id: row.id,
        webhook_id: id,
        attempt,
      })
      if (outcome.result === 'over') over = outcome
      if (outcome.result !== 'retry' || attempt === ATTEMPTS) break
      const pause = outcome.retryAfter ?? Math.min(config.PUSH_RETRY_SECONDS[attempt - 1] ?? 0, MAX_PAUSE_SECONDS)
      await sleep(pause * 1000, undefined, { signal: deadline }).catch(() => {})
    }
    if (outcome?.result === 'sent') pushed++
    else
      errors.push({
        id: row.id,
        status: outcome?.status ?? null,
        message: outcome?.message ?? 'There was no time left to send it.',
      })
  }

  const queue = rows.values()
  // Each takes the next row when it is done with one.
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const row of queue) await push(row)
    }),
  )
  await insertDeliveries(db, viewer.workspace_id, log)
  return { pushed, failed: errors.length, errors }
}
