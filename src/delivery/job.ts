import type { AlertChannel } from '../db/alert-tables.ts'
import type { PushChannel } from '../db/schema.ts'
import type { Deps } from '../deps/deps.ts'
import { defineJob, type Job } from '../jobs/define.ts'
import { deadlineAfter } from '../jobs/leased-work.ts'
import { definePurge } from '../jobs/purge.ts'
import { oldPushRuns } from '../resources/push-runs/store.ts'
import { type ClaimedRow, findStalledPushRuns, type PushRunKey } from '../resources/push-runs/work-store.ts'
import { oldDeliveries } from '../resources/webhook-destinations/delivery-store.ts'
import { type AlertKey, findStalledAlerts, oldAlerts } from './alerts/store.ts'
import type { Attempt, Channel } from './channel/types.ts'
import { crmChannel } from './crm/channel.ts'
import { webhookChannel } from './webhook/channel.ts'
import { deliverAlert, deliverPushRun } from './worker.ts'

/** A job delivers for so long and then enqueues itself behind the other jobs, so that a large run does not block them. */
const DEADLINE_MS = 15_000
/** A push run without progress for so long has lost its job: longer than any pause between attempts. */
const STALLED_RUN_SECONDS = 600
/** An alert that has been due for so long without a lease has lost its job. */
const STALLED_ALERT_SECONDS = 120
const ALERT_RETENTION_DAYS = 90

/** Delivers what is due of a run or an alert. Returns the seconds until there is more to do, or null when it is over. */
type Deliver<Key> = (deps: Deps, key: Key, deadline: AbortSignal, shutdown: AbortSignal) => Promise<number | null>

/** Declares a job that delivers what is due and enqueues itself for the rest. */
function defineDeliveryJob<Key extends object>(
  name: string,
  deliver: Deliver<Key>,
  options: { concurrency?: number } = {},
): Job<Key> {
  const job = defineJob<Key>({
    name,
    ...options,
    async run(deps, key, { signal }) {
      const wait = await deliver(deps, key, deadlineAfter(DEADLINE_MS, signal), signal)
      if (wait !== null) await deps.jobs.enqueue(deps.db, job, key, { startAfter: Math.ceil(wait) })
    },
  })
  return job
}

/** The job of a push channel, with what starting and retrying a run needs of the channel. */
export type PushJob = Job<PushRunKey> & {
  jobsPerRun: number
  checkTarget: Channel<ClaimedRow, Attempt<ClaimedRow>>['checkTarget']
  deliver: Deliver<PushRunKey>
}

function definePushJob<Row extends ClaimedRow, A extends Attempt<Row>>(channel: Channel<Row, A>): PushJob {
  const { name, jobsPerRun, checkTarget } = channel
  const deliver: Deliver<PushRunKey> = (deps, key, deadline, shutdown) =>
    deliverPushRun(deps, channel, key, deadline, shutdown)
  return Object.assign(defineDeliveryJob(`push-${name}`, deliver, { concurrency: 4 }), {
    jobsPerRun,
    checkTarget,
    deliver,
  })
}

/** The channels of push runs. A new one is a folder and a line here. */
export const PUSH_JOBS: Record<PushChannel, PushJob> = {
  webhook: definePushJob(webhookChannel),
  crm: definePushJob(crmChannel),
}

function defineAlertJob(channel: AlertChannel): Job<AlertKey> {
  return defineDeliveryJob(`send-alert-${channel}`, (deps, key, deadline, shutdown) =>
    deliverAlert(deps, channel, key, deadline, shutdown),
  )
}

/** One queue for each channel: a chat that does not respond must not delay webhooks. */
export const ALERT_JOBS: Record<AlertChannel, Job<AlertKey>> = {
  email: defineAlertJob('email'),
  chat_dm: defineAlertJob('chat_dm'),
  chat: defineAlertJob('chat'),
  teams: defineAlertJob('teams'),
  webhook: defineAlertJob('webhook'),
}

/** Enqueues jobs for push runs and alerts whose workers were killed. */
export const resumeDeliveries = defineJob<{ idle?: number }>({
  name: 'resume-deliveries',
  schedule: '*/2 * * * *',
  atStart: true,
  async run({ db, jobs }, { idle }) {
    for (const { workspace_id, id, channel } of await findStalledPushRuns(db, idle ?? STALLED_RUN_SECONDS))
      await jobs.enqueue(db, PUSH_JOBS[channel], { workspace_id, run_id: id })
    for (const { channel, ...key } of await findStalledAlerts(db, idle ?? STALLED_ALERT_SECONDS))
      await jobs.enqueue(db, ALERT_JOBS[channel], key)
  },
})

/** Deletes old entries of the delivery log and old push runs that are over. */
export const purgeDeliveries = definePurge('purge-deliveries', 43, (config) => ({
  deliveries: oldDeliveries(config.DELIVERY_RETENTION_DAYS),
  'push rows': oldPushRuns(config.PUSH_RETENTION_DAYS),
}))

export const purgeAlerts = definePurge('purge-alerts', 47, () => ({ alerts: oldAlerts(ALERT_RETENTION_DAYS) }))
