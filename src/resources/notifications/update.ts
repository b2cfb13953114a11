import type { Deps } from '../../deps/deps.ts'
import { createWebhookSecret } from '../../outbound/signing.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError, rethrowForField } from '../../shared/errors.ts'
import { setProblem } from '../connections/store.ts'
import { MAX_URL_CHARS } from './schema.ts'
import { getSettings, type Settings, type SettingsFields, updateSettingsRow } from './store.ts'

/**
 * Changes any subset of the settings. The first webhook URL comes with a signing secret. A problem with the former URL
 * or channel says nothing about the new one and is forgotten. Throws url_not_allowed, invalid_request.
 */
export async function updateSettings(
  { db, secrets, outbound }: Pick<Deps, 'db' | 'secrets' | 'outbound'>,
  workspaceId: string,
  wanted: Partial<SettingsFields>,
): Promise<Settings> {
  const before = await getSettings(db, workspaceId, secrets)
  const fields = changedFields(before, wanted)
  if (Object.keys(fields).length === 0) return before
  if (typeof fields.webhook_url === 'string') {
    // Kept as the parser reads it: what was checked is what will be called.
    fields.webhook_url = (await outbound.policy.check(fields.webhook_url).catch(rethrowForField('webhook_url'))).href
    if (fields.webhook_url.length > MAX_URL_CHARS) throw tooLong()
  }
  return db.transaction().execute(async (db) => {
    await updateSettingsRow(db, workspaceId, secrets, fields, createWebhookSecret())
    if (fields.chat_channel !== undefined) await setProblem(db, workspaceId, 'chat', null)
    return getSettings(db, workspaceId, secrets)
  })
}

/** The parser writes some characters as three, and what is read must be good to be written back. */
function tooLong(): AppError {
  const message = `must not have more than ${MAX_URL_CHARS} characters once it is encoded`
  return new AppError('invalid_request', `webhook_url ${message}.`, { details: [{ path: 'webhook_url', message }] })
}
