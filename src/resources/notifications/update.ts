import type { Deps } from '../../deps.ts'
import { aboutField } from '../../errors.ts'
import { createWebhookSecret } from '../../outbound/signing.ts'
import { setProblem } from '../connections/store.ts'
import { getSettings, type Settings, type SettingsFields, updateSettingsRow } from './store.ts'

/**
 * Changes any subset of the settings. The first webhook URL comes with a signing secret. A problem with the former URL
 * or channel says nothing about the new one and is forgotten. Throws url_not_allowed.
 */
export async function updateSettings(
  { db, secrets, outbound }: Pick<Deps, 'db' | 'secrets' | 'outbound'>,
  workspaceId: string,
  fields: Partial<SettingsFields>,
): Promise<Settings> {
  // Kept as the parser reads it: what was checked is what will be called.
  const { webhook_url } = fields
  const checked =
    typeof webhook_url === 'string'
      ? { webhook_url: (await outbound.policy.check(webhook_url).catch(aboutField('webhook_url'))).href }
      : {}
  return db.transaction().execute(async (db) => {
    await updateSettingsRow(db, workspaceId, secrets, { ...fields, ...checked }, createWebhookSecret())
    if (fields.chat_channel !== undefined) await setProblem(db, workspaceId, 'chat', null)
    return getSettings(db, workspaceId, secrets)
  })
}
