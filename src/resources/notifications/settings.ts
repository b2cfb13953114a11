import type { Deps } from '../../deps/deps.ts'
import { createWebhookSecret } from '../../outbound/signing.ts'
import { maskUrl } from '../../outbound/url-policy.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError, rethrowForField } from '../../shared/errors.ts'
import { canReadSecrets, type Member } from '../../shared/member.ts'
import { setConnectionProblem } from '../connections/store.ts'
import { MAX_URL_CHARS } from './schema.ts'
import { type AlertSettings, type AlertSettingsFields, getAlertSettings, updateAlertSettingsRow } from './store.ts'

/** The channels of the notification settings. */
export type SettingsChannel = 'webhook' | 'chat'

export const isSettingsChannel = (channel: string): channel is SettingsChannel =>
  channel === 'webhook' || channel === 'chat'

/** The masked webhook URL or the chat channel that alerts are sent to; null when none is set. */
export function channelTarget({ webhook_url, chat_channel }: AlertSettings, channel: SettingsChannel): string | null {
  return channel === 'webhook' ? webhook_url && maskUrl(webhook_url) : chat_channel || null
}

/** Whether alerts are sent to the channel: it is switched on and has a target. */
export function isChannelOn(settings: AlertSettings, channel: SettingsChannel): boolean {
  const { webhook_enabled, chat_enabled } = settings
  return (channel === 'webhook' ? webhook_enabled : chat_enabled) && channelTarget(settings, channel) !== null
}

/** The settings as a member may read them: only members who read secrets see the whole webhook URL and its secret. */
export function maskAlertSettings(member: Member, settings: AlertSettings): AlertSettings {
  if (canReadSecrets(member)) return settings
  const { webhook_url } = settings
  return { ...settings, webhook_url: webhook_url && maskUrl(webhook_url), webhook_secret: null }
}

/**
 * Changes any subset of the settings. The first webhook URL gets a signing secret. A new URL or chat channel clears the
 * problem of the former one. Throws url_not_allowed, invalid_request.
 */
export async function updateAlertSettings(
  { db, secrets, outbound }: Pick<Deps, 'db' | 'secrets' | 'outbound'>,
  workspaceId: string,
  wanted: Partial<AlertSettingsFields>,
): Promise<AlertSettings> {
  const before = await getAlertSettings(db, workspaceId, secrets)
  const fields = changedFields(before, wanted)
  if (Object.keys(fields).length === 0) return before
  if (typeof fields.webhook_url === 'string') {
    // Stored in the parsed form, so that the checked URL is the one that is called.
    fields.webhook_url = (await outbound.policy.check(fields.webhook_url).catch(rethrowForField('webhook_url'))).href
    if (fields.webhook_url.length > MAX_URL_CHARS) throw tooLong()
  }
  return db.transaction().execute(async (db) => {
    await updateAlertSettingsRow(db, workspaceId, secrets, fields, createWebhookSecret())
    if (fields.chat_channel !== undefined) await setConnectionProblem(db, workspaceId, 'chat', null)
    return getAlertSettings(db, workspaceId, secrets)
  })
}

/** Parsing encodes some characters as three, and a stored URL must be valid as input. */
function tooLong(): AppError {
  const message = `must not have more than ${MAX_URL_CHARS} characters once it is encoded`
  return new AppError('invalid_request', `webhook_url ${message}.`, { details: [{ path: 'webhook_url', message }] })
}
