import type { Deps } from '../../deps.ts'
import { getSettings, type Settings, updateSettingsRow } from './store.ts'

/** Changes any subset of the settings. Throws url_not_allowed. */
export async function updateSettings(
  { db, secrets, urls }: Pick<Deps, 'db' | 'secrets' | 'urls'>,
  workspaceId: string,
  fields: Partial<Settings>,
): Promise<Settings> {
  if (fields.webhook_url) await urls.check(fields.webhook_url)
  await updateSettingsRow(db, workspaceId, secrets, fields)
  return getSettings(db, workspaceId, secrets)
}
