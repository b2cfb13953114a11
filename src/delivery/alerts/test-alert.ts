import type { Deps } from '../../deps/deps.ts'
import { findSendingRule, getAlertRule } from '../../resources/alert-rules/store.ts'
import type { SettingsChannel } from '../../resources/notifications/settings.ts'
import { getAlertSettings } from '../../resources/notifications/store.ts'
import { insertDeliveries } from '../../resources/webhook-destinations/delivery-store.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Member } from '../../shared/member.ts'
import { setChannelProblem } from './channel.ts'
import { sampleDigest } from './digest.ts'
import { toDigestMessage } from './message.ts'
import {
  formOf,
  type Outlet,
  type PostedAlert,
  postAlert,
  ruleOutlet,
  settingsOutlet,
  type WrittenAlert,
} from './outlet.ts'
import { TEST_TEXT, type TestAlert } from './schema.ts'

/** The caller waits for the response. */
const TIME_LIMIT_MS = 25_000

type TestResult = { delivered: boolean; status: number | null; message: string | null; latency_ms: number }

/**
 * Sends a test once to a channel of the notification settings, whether or not it is switched on, and returns the response.
 * Updates the visible problem of the channel. Throws invalid_request when the channel has no target.
 */
export async function sendTestAlert(deps: Deps, workspaceId: string, channel: SettingsChannel): Promise<TestResult> {
  const { db, secrets, config } = deps
  const outlet = await settingsOutlet(deps, workspaceId, await getAlertSettings(db, workspaceId, secrets), channel)
  if (!outlet) {
    const field = channel === 'webhook' ? 'webhook_url' : 'chat_channel'
    throw new AppError('invalid_request', `There is nothing to test: set ${field} with PUT /settings/notifications.`, {
      details: [{ path: 'channel', message: `needs ${field} to be set` }],
    })
  }
  const link = config.PUBLIC_URL ? { text: 'Open Bellwether', url: config.PUBLIC_URL } : null
  const message = { title: TEST_TEXT, summary: TEST_TEXT, sections: [], link }
  const alert: WrittenAlert = channel === 'webhook' ? testJson(deps) : { as: 'message', message }
  const { tested } = await postTest(deps, workspaceId, outlet, alert)
  await setChannelProblem(db, workspaceId, channel, tested.delivered ? null : tested.message)
  return tested
}

/**
 * Sends a sample of a rule now, whether or not it is enabled, and returns the response. A rule for the owners of accounts
 * sends it to the caller. Throws not_found.
 */
export async function sendRuleTest(deps: Deps, member: Member, id: string): Promise<TestResult> {
  const { db, secrets, config } = deps
  const { workspace_id } = member
  const { recipient, to_member_id } = await getAlertRule(db, member, id, null)
  const rule = await findSendingRule(db, workspace_id, id, recipient === 'owner' ? member.id : to_member_id, secrets)
  const outlet = rule && (await ruleOutlet(deps, workspace_id, rule))
  if (!outlet) throw notFound('alert rule')
  const heading = { schedule: rule.schedule, rule_name: rule.name, recipient_name: rule.receiver?.name ?? '' }
  const digest = sampleDigest(heading, config.PUBLIC_URL)
  const alerts: Record<WrittenAlert['as'], WrittenAlert> = {
    json: testJson(deps),
    message: { as: 'message', message: toDigestMessage(digest, config.PUBLIC_URL) },
    digest: { as: 'digest', digest },
  }
  const { tested, logged } = await postTest(deps, workspace_id, outlet, alerts[formOf(rule.channel)])
  if (logged) {
    const to = { destination_id: logged.destination_id, run_id: null }
    await insertDeliveries(db, workspace_id, to, [{ ...logged.row, attempt: 1 }])
  }
  return tested
}

const testJson = ({ now }: Pick<Deps, 'now'>): WrittenAlert => {
  const content: TestAlert = { type: 'test', timestamp: now().toISOString(), data: { message: TEST_TEXT } }
  return { as: 'json', content }
}

async function postTest(
  deps: Deps,
  workspaceId: string,
  outlet: Outlet,
  alert: WrittenAlert,
): Promise<{ tested: TestResult } & Pick<PostedAlert, 'logged'>> {
  const began = performance.now()
  const id = `msg_alert_test_${newId().replaceAll('-', '')}`
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const { result, status, message, logged } = await postAlert(deps, workspaceId, outlet, id, alert, signal)
  const latency_ms = Math.round(performance.now() - began)
  return { tested: { delivered: result === 'sent', status, message, latency_ms }, ...(logged ? { logged } : {}) }
}
