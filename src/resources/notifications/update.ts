import type { Deps } from '../../deps.ts'
import { aboutField } from '../../errors.ts'
import { getSettings, type Settings, updateSettingsRow } from './store.ts'

/** Changes any subset of the settings. Throws url_not_allowed. */
export async function updateSettings(
  { db, secrets, outbound }: Pick<Deps, 'db' | 'secrets' | 'outbound'>,
  workspaceId: string,
  fields: Partial<Settings>,
): Promise<Settings> {
  // Kept as the parser reads it: what was checked is what will be called.
  const { webhook_url } = fields
  const checked =
    typeof webhook_url === 'string'
      ? { webhook_url: (await outbound.policy.check(webhook_url).catch(aboutField('webhook_url'))).href }
      : {}
  await updateSettingsRow(db, workspaceId, secrets, { ...fields, ...checked })
  return getSettings(db, workspaceId, secrets)
}
