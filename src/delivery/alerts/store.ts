import { sql } from 'kysely'
import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { type LeasedQueue, leasedQueue } from '../../db/leases.ts'
import { purgeOlderThan } from '../../db/purge.ts'

/** Makes the deliveries of a run's open alerts of suggested accounts due now and returns them. */
export async function makeSuggestionsDue(db: Db, workspaceId: string, runId: string) {
  const { rows } = await sql<{ alert_id: string; channel: AlertChannel }>`
    update alert_deliveries as delivery set next_attempt_at = now()
    from alerts
    where alerts.workspace_id = ${workspaceId} and alerts.run_id = ${runId} and alerts.type = 'account.suggested' and is_open
      and delivery.workspace_id = alerts.workspace_id and delivery.alert_id = alerts.id and delivery.state = 'pending'
    returning delivery.alert_id, delivery.channel`.execute(db)
  return rows
}

export type AlertKey = { workspace_id: string; alert_id: string }
export type AlertRow = { attempts: number }

/** The queue of one alert on one channel: a single row until it is delivered. */
export function alertQueue(db: Db, { workspace_id, alert_id }: AlertKey, channel: AlertChannel): LeasedQueue<AlertRow> {
  return leasedQueue(db, workspace_id, {
    table: 'alert_deliveries',
    key: ['alert_id', 'channel'],
    open: sql`alert_id = ${alert_id} and channel = ${channel} and state = 'pending'`,
    due: sql`next_attempt_at <= now()`,
    columns: ['attempts'],
  })
}

export type ClosedAlert = NonNullable<Awaited<ReturnType<typeof closeAlert>>>

/** Closes the alert to more records, after the transactions that add to it. Returns null when the alert was deleted. */
export async function closeAlert(db: Db, { workspace_id, alert_id }: AlertKey) {
  const found = await db
    .updateTable('alerts')
    .set({ is_open: false })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', alert_id)
    .returning(['id', 'type', 'account_id', 'run_id', 'rule_id', 'member_id', 'created_at'])
    .executeTakeFirst()
  return found ?? null
}

type AlertResult = {
  state: 'pending' | 'sent' | 'failed' | 'dropped'
  /** Seconds until the next attempt of a delivery that stays pending. */
  retry_in: number
  status: number | null
  message: string | null
  /** The masked receiver; null when nothing was sent. */
  target: string | null
}

/** Stores the result of an attempt. Returns false when another worker has claimed the delivery since. */
export async function recordAlert(
  db: Db,
  { workspace_id, alert_id }: AlertKey,
  leaseId: string,
  { state, retry_in, status, message, target }: AlertResult,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update alert_deliveries set state = ${state}, attempts = attempts + 1, status = ${status}, message = ${message},
      target = coalesce(${target}, target), next_attempt_at = now() + make_interval(secs => ${retry_in}), lease_id = null, lease_until = null,
      finished_at = ${state === 'pending' ? null : sql`now()`}
    where workspace_id = ${workspace_id} and alert_id = ${alert_id} and lease_id = ${leaseId} and state = 'pending'`.execute(
    db,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/** Makes the failed deliveries of an alert due now, with all their attempts. Returns their channels. */
export async function reopenFailed(db: Db, { workspace_id, alert_id }: AlertKey): Promise<AlertChannel[]> {
  const rows = await db
    .updateTable('alert_deliveries')
    .set({ state: 'pending', attempts: 0, next_attempt_at: sql`now()`, finished_at: null })
    .where('workspace_id', '=', workspace_id)
    .where('alert_id', '=', alert_id)
    .where('state', '=', 'failed')
    .returning('channel')
    .execute()
  return rows.map(({ channel }) => channel)
}

/** Returns the seconds until the next attempt is due or a lease expires; null when the delivery is over. */
export async function secondsUntilDue(
  db: Db,
  { workspace_id, alert_id }: AlertKey,
  channel: AlertChannel,
): Promise<number | null> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from greatest(next_attempt_at, lease_until) - now())::float8 as wait
    from alert_deliveries
    where workspace_id = ${workspace_id} and alert_id = ${alert_id} and channel = ${channel} and state = 'pending'`.execute(
    db,
  )
  return rows[0] ? Math.max(0, rows[0].wait) : null
}

/** Deliveries of all workspaces that have been due for so long without a lease: their worker was killed. */
export async function findStalledAlerts(db: Db, idleSeconds: number) {
  return db
    .selectFrom('alert_deliveries')
    .select(['workspace_id', 'alert_id', 'channel'])
    .where('state', '=', 'pending')
    .where('next_attempt_at', '<=', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', sql<string>`now()`)]))
    .orderBy('next_attempt_at')
    .limit(1000)
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .execute()
}

/** Deletes alerts older than so many days, with their items. Alerts that are still to be sent are kept. */
export const oldAlerts = (days: number) =>
  purgeOlderThan({
    table: 'alerts',
    time: 'created_at',
    days,
    where: sql`not exists (select from alert_deliveries as d
      where d.workspace_id = alerts.workspace_id and d.alert_id = alerts.id and d.state = 'pending')`,
    batch: 1_000,
  })
