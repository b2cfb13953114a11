import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Deps } from '../../deps/deps.ts'
import { channelTarget } from '../../resources/notifications/settings.ts'
import { getAlertSettings } from '../../resources/notifications/store.ts'
import { AppError } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import { postAlert, setChannelProblem } from './channel.ts'
import { TEST_TEXT, type TestAlert } from './schema.ts'

/** The caller waits for the response. */
const TIME_LIMIT_MS = 25_000

/**
 * Sends a test once to a channel, whether or not it is switched on, and returns the response. Updates the visible problem
 * of the channel. Throws invalid_request when the channel has no target.
 */
export async function sendTestAlert(deps: Deps, workspaceId: string, channel: AlertChannel) {
  const { db, secrets, config, now } = deps
  const settings = await getAlertSettings(db, workspaceId, secrets)
  if (channelTarget(settings, channel) === null) {
    const field = channel === 'webhook' ? 'webhook_url' : 'chat_channel'
    throw new AppError('invalid_request', `There is nothing to test: set ${field} with PUT /settings/notifications.`, {
      details: [{ path: 'channel', message: `needs ${field} to be set` }],
    })
  }
  const content: TestAlert = { type: 'test', timestamp: now().toISOString(), data: { message: TEST_TEXT } }
  const link = config.PUBLIC_URL ? { text: 'Open Bellwether', url: config.PUBLIC_URL } : null
  const outgoing = {
    id: `msg_test_${newId().replaceAll('-', '')}`,
    content,
    message: { title: TEST_TEXT, summary: TEST_TEXT, sections: [], link },
  }
  const began = performance.now()
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const { result, status, message } = await postAlert(deps, workspaceId, settings, channel, outgoing, signal)
  const delivered = result === 'sent'
  await setChannelProblem(db, workspaceId, channel, delivered ? null : message)
  return { delivered, status, message, latency_ms: Math.round(performance.now() - began) }
}
