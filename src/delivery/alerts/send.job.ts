import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Deps } from '../../deps/deps.ts'
import { defineJob, type Job } from '../../jobs/define.ts'
import { createLease, startLeaseRenewal } from '../../jobs/leased-work.ts'
import { definePurge } from '../../jobs/purge.ts'
import { send } from './send.ts'
import { dueDelivery, findForgottenDeliveries, oldAlerts, recordDelivery, secondsUntilDue } from './store.ts'

type Payload = { workspace_id: string; alert_id: string }

/** A delivery of a killed worker is free again after this. */
const LEASE_SECONDS = 20
/** A delivery that was due so long ago and that nobody holds has lost its job. */
const FORGOTTEN_SECONDS = 120
const KEEP_DAYS = 90

/** One queue for each channel: a chat that hangs must not hold up webhooks. */
export const SEND_JOBS: Record<AlertChannel, Job<Payload>> = {
  webhook: sendingTo('webhook'),
  chat: sendingTo('chat'),
}

/** Makes one attempt to deliver an alert to a channel, then waits for the next by enqueueing itself. */
function sendingTo(channel: AlertChannel): Job<Payload> {
  const job = defineJob<Payload>({
    name: `send-alert-${channel}`,
    async run(deps, payload, { signal }) {
      const { db, jobs } = deps
      const { workspace_id, alert_id } = payload
      if (await attempt(deps, channel, payload, signal)) return
      const wait = await secondsUntilDue(db, workspace_id, alert_id, channel)
      if (wait !== null) await jobs.enqueue(db, job, payload, { startAfter: Math.ceil(wait) })
    },
  })
  return job
}

/** Answers whether the delivery is over. */
async function attempt(deps: Deps, channel: AlertChannel, payload: Payload, signal: AbortSignal): Promise<boolean> {
  const { db, log } = deps
  const { workspace_id, alert_id } = payload
  const delivery = dueDelivery(db, workspace_id, alert_id, channel)
  const lease = createLease(LEASE_SECONDS)
  const [claimed] = await delivery.claim(lease, 1)
  if (!claimed) return false
  using _ = startLeaseRenewal(lease, delivery.renew, log)
  try {
    const result = await send(deps, workspace_id, alert_id, channel, claimed.attempts, signal)
    // The process must stop: that says nothing about the channel, so it counts as no attempt.
    if (result.state === 'pending' && signal.aborted) throw new Error('The alert was not sent: the worker had to stop.')
    if (!(await recordDelivery(db, workspace_id, alert_id, lease.id, result))) return false
    const { state, status, message } = result
    const about = { alert_id, channel, state, status, reason: message, attempt: claimed.attempts + 1 }
    if (state === 'sent') log.info(about, 'alert sent')
    else log.warn(about, state === 'pending' ? 'alert not sent yet' : 'alert not sent')
    return state !== 'pending'
  } finally {
    // Does nothing after a result was written.
    await delivery.release(lease)
  }
}

/** Takes up alerts whose workers were killed: at the start of a worker, and every few minutes. */
export const resumeAlerts = defineJob<{ idle?: number }>({
  name: 'resume-alerts',
  schedule: '*/2 * * * *',
  atStart: true,
  async run({ db, jobs }, { idle = FORGOTTEN_SECONDS }) {
    for (const { workspace_id, alert_id, channel } of await findForgottenDeliveries(db, idle)) {
      await jobs.enqueue(db, SEND_JOBS[channel], { workspace_id, alert_id })
    }
  },
})

/** Forgets alerts after 90 days. */
export const purgeAlerts = definePurge('purge-alerts', 47, () => ({ alerts: oldAlerts(KEEP_DAYS) }))
