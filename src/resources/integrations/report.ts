import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { getSettings } from '../notifications/store.ts'
import type { Integrations } from './schema.ts'

/** What is connected and switched on, as it truly is: nothing can be connected to a CRM or a chat yet. */
export async function reportIntegrations(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
): Promise<Static<typeof Integrations>> {
  const { webhook_url, webhook_enabled, chat_channel } = await getSettings(db, workspaceId, secrets)
  return {
    crm: { connected: false, provider: null, connected_at: null },
    crms: [],
    chat: { connected: false, channel: chat_channel },
    webhook: { enabled: webhook_enabled && webhook_url !== null, url: webhook_url },
    webhook_destinations: { count: 0 },
    mcp: { enabled: false },
  }
}
