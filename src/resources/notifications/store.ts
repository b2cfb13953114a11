import type { Db } from '../../db/connect.ts'
import type { Secrets } from '../../secrets.ts'

const FLAGS = ['webhook_enabled', 'chat_channel', 'chat_enabled', 'notify_realtime', 'notify_suggested'] as const

export type Settings = {
  webhook_url: string | null
  webhook_enabled: boolean
  chat_channel: string | null
  chat_enabled: boolean
  notify_realtime: boolean
  notify_suggested: boolean
}

/** The URL often holds a token, so it is sealed at rest. */
const purpose = (workspaceId: string) => `notification_settings.webhook_url ${workspaceId}`

export async function insertSettings(db: Db, workspaceId: string): Promise<void> {
  await db
    .insertInto('notification_settings')
    .values({
      workspace_id: workspaceId,
      webhook_enabled: false,
      chat_enabled: false,
      notify_realtime: true,
      notify_suggested: false,
    })
    .execute()
}

export async function getSettings(db: Db, workspaceId: string, secrets: Secrets): Promise<Settings> {
  const { webhook_url_sealed, ...flags } = await db
    .selectFrom('notification_settings')
    .select(['webhook_url_sealed', ...FLAGS])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { webhook_url: webhook_url_sealed && secrets.open(webhook_url_sealed, purpose(workspaceId)), ...flags }
}

export async function updateSettingsRow(db: Db, workspaceId: string, secrets: Secrets, fields: Partial<Settings>) {
  const { webhook_url, ...flags } = fields
  const sealed = webhook_url ? secrets.seal(webhook_url, purpose(workspaceId)) : null
  const changes = { ...flags, ...(webhook_url === undefined ? {} : { webhook_url_sealed: sealed }) }
  if (Object.keys(changes).length === 0) return
  await db.updateTable('notification_settings').set(changes).where('workspace_id', '=', workspaceId).execute()
}
