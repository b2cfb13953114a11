import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { findSendingRule, type SendingRule } from '../../resources/alert-rules/store.ts'
import { setConnectionProblem } from '../../resources/connections/store.ts'
import { isChannelOn, isSettingsChannel, type SettingsChannel } from '../../resources/notifications/settings.ts'
import { getAlertSettings, setWebhookProblem } from '../../resources/notifications/store.ts'
import { insertDeliveries } from '../../resources/webhook-destinations/delivery-store.ts'
import { findCurrentItem } from '../../resources/work-items/rank-store.ts'
import type { Attempt, DeliveryTask } from '../channel/types.ts'
import { type Reach, readAlertContent } from './content-store.ts'
import { readDigest } from './digest.ts'
import { toChatMessage, toDigestMessage } from './message.ts'
import {
  formOf,
  type Outlet,
  type PostedAlert,
  postAlert,
  ruleOutlet,
  settingsOutlet,
  type WrittenAlert,
} from './outlet.ts'
import { type AlertKey, type AlertRow, alertQueue, type ClosedAlert, closeAlert, recordAlert } from './store.ts'

type AlertAttempt = Attempt<AlertRow> &
  Pick<PostedAlert, 'logged'> & {
    /** The masked receiver; null when nothing was sent. */
    target: string | null
    /** Whether the alert is one of the notification settings, which show why their channels do not work. */
    isDefault: boolean
  }

/** The delivery of an alert on one channel: a queue of one row with the content the alert has when it is sent. */
export function openAlert(
  deps: Deps,
  channel: AlertChannel,
  key: AlertKey,
  shutdown: AbortSignal,
): DeliveryTask<AlertRow, AlertAttempt> {
  const { db, log } = deps
  const { workspace_id, alert_id } = key
  return {
    queue: alertQueue(db, key, channel),
    concurrency: 1,
    async send([row]) {
      if (!row) return []
      const alert = await closeAlert(db, key)
      if (!alert) return [skipped(row, NOTHING_LEFT)]
      const route = await findRoute(deps, workspace_id, alert, channel)
      if ('dropped' in route) return [skipped(row, route.dropped)]
      const written = await writeAlert(deps, route, alert, channel)
      if (!written) return [skipped(row, NOTHING_LEFT)]
      const id = `msg_${alert_id.replaceAll('-', '')}`
      const attempt = await postAlert(deps, workspace_id, route.outlet, id, written, shutdown)
      // A failure during the shutdown proves nothing about the receiver, so it is not an attempt.
      if (attempt.result === 'retry' && shutdown.aborted) return []
      return [{ ...attempt, row, target: route.outlet.target, isDefault: route.rule === null }]
    },
    async record(leaseId, results) {
      for (const { row, state, status, message, retry_in, target, result, logged, isDefault } of results) {
        const isFinal = state === 'sent' || state === 'failed'
        if (isFinal && isDefault && isSettingsChannel(channel))
          await setChannelProblem(db, workspace_id, channel, state === 'sent' ? null : message)
        const stored = state === 'skipped' ? 'dropped' : state
        const attempt = row.attempts + 1
        if (logged)
          await insertDeliveries(db, workspace_id, { destination_id: logged.destination_id, run_id: null }, [
            { ...logged.row, attempt },
          ])
        if (!(await recordAlert(db, key, leaseId, { state: stored, retry_in, status, message, target }))) continue
        const fields = { alert_id, channel, state: stored, status, reason: message, attempt }
        if (result === 'sent') log.info(fields, 'alert sent')
        else log.warn(fields, state === 'pending' ? 'alert not sent yet' : 'alert not sent')
      }
    },
  }
}

const NOTHING_LEFT = 'There is nothing left to report.'

const skipped = (row: AlertRow, message: string): AlertAttempt => ({
  row,
  result: 'skipped',
  status: null,
  message,
  retryAfter: null,
  target: null,
  isDefault: false,
})

type Route = { outlet: Outlet; reach: Reach; rule: SendingRule | null }

/** Where an alert goes now and what its receiver may see, or why it is dropped: rules and rights may have changed. */
async function findRoute(
  deps: Deps,
  workspace_id: string,
  { rule_id, member_id }: ClosedAlert,
  channel: AlertChannel,
): Promise<Route | { dropped: string }> {
  const { db, secrets } = deps
  if (rule_id === null) {
    const settings = await getAlertSettings(db, workspace_id, secrets)
    const isOn = isSettingsChannel(channel) && isChannelOn(settings, channel)
    const outlet = isOn ? await settingsOutlet(deps, workspace_id, settings, channel) : null
    if (!outlet) return { dropped: 'The channel was switched off.' }
    return { outlet, reach: { workspace_id, owner_id: null, scoped_to: null }, rule: null }
  }
  const rule = await findSendingRule(db, workspace_id, rule_id, member_id, secrets)
  if (!rule?.is_enabled) return { dropped: 'The rule was switched off.' }
  if (rule.has_opted_out) return { dropped: 'The recipient unsubscribed.' }
  const { recipient, to_member_id, only_mine, scoped_to } = rule
  const isSameReceiver = recipient === 'owner' ? member_id !== null : to_member_id === member_id
  const outlet = rule.channel === channel && isSameReceiver ? await ruleOutlet(deps, workspace_id, rule) : null
  if (!outlet) return { dropped: 'The rule was changed.' }
  const owner_id = recipient === 'owner' || only_mine ? member_id : null
  return { outlet, reach: { workspace_id, owner_id, scoped_to }, rule }
}

/** The content of an alert in the form of its channel; null when nothing is left to report. */
async function writeAlert(
  { db, config: { PUBLIC_URL } }: Pick<Deps, 'db' | 'config'>,
  { reach, rule }: Route,
  alert: ClosedAlert,
  channel: AlertChannel,
): Promise<WrittenAlert | null> {
  const form = formOf(channel)
  if (rule && (form === 'digest' || alert.type === 'digest')) {
    const heading = { schedule: rule.schedule, rule_name: rule.name, recipient_name: rule.receiver?.name ?? '' }
    const digest = await readDigest(db, reach, alert.id, heading, PUBLIC_URL)
    if (!digest) return null
    return form === 'digest' ? { as: form, digest } : { as: 'message', message: toDigestMessage(digest, PUBLIC_URL) }
  }
  const content = await readAlertContent(db, reach, alert, PUBLIC_URL)
  if (!content) return null
  // Only webhooks carry work items, so a chat has no message for them.
  if (form === 'json' || content.type === 'work_item.done') return { as: 'json', content }
  const message = toChatMessage(content)
  if (content.type === 'account.suggested') return { as: 'message', message }
  const { account } = content.data
  const item = await findCurrentItem(db, reach.workspace_id, account.id)
  const actions = item && { work_item_id: item.id, open_url: account.url }
  return { as: 'message', message: { ...message, actions } }
}

/** Stores why a channel of the notification settings does not work, as people see it, or that it works (null). */
export function setChannelProblem(
  db: Db,
  workspaceId: string,
  channel: SettingsChannel,
  problem: string | null,
): Promise<void> {
  if (channel === 'webhook') return setWebhookProblem(db, workspaceId, problem)
  return setConnectionProblem(db, workspaceId, 'chat', problem)
}
