import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Secrets } from '../../shared/secrets.ts'

const FLAGS = [
  ...(['webhook_enabled', 'chat_channel', 'chat_enabled'] as const),
  ...(['notify_realtime', 'notify_suggested', 'notify_job_changes'] as const),
] as const

export type AlertSettingsFields = {
  webhook_url: string | null
  webhook_enabled: boolean
  chat_channel: string
  chat_enabled: boolean
  notify_realtime: boolean
  notify_suggested: boolean
  notify_job_changes: boolean
}

export type AlertSettings = AlertSettingsFields & {
  /** Signs the requests to the URL; null without a URL. */
  webhook_secret: string | null
  /** Why the last alert could not be delivered to the URL; null when it was delivered. */
  webhook_problem: string | null
}

export async function insertAlertSettings(db: Db, workspaceId: string): Promise<void> {
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

export async function getAlertSettings(db: Db, workspaceId: string, secrets: Secrets): Promise<AlertSettings> {
  const { webhook_url_sealed, webhook_secret_sealed, ...plain } = await db
    .selectFrom('notification_settings')
    .select(['webhook_url_sealed', 'webhook_secret_sealed', 'webhook_problem', ...FLAGS])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const open = (sealed: Buffer | null, what: 'webhook_url' | 'webhook_secret') =>
    sealed && secrets.open(sealed, `notification_settings.${what}`, workspaceId)
  return {
    webhook_url: open(webhook_url_sealed, 'webhook_url'),
    webhook_secret: open(webhook_secret_sealed, 'webhook_secret'),
    ...plain,
  }
}

/**
 * Updates the given fields. A URL gets `newSecret` unless there is a secret already. Clearing the URL clears the secret, so
 * that setting it again creates a new one.
 */
export async function updateAlertSettingsRow(
  db: Db,
  workspaceId: string,
  secrets: Secrets,
  { webhook_url, ...flags }: Partial<AlertSettingsFields>,
  newSecret: string,
): Promise<void> {
  const webhook =
    webhook_url === undefined
      ? {}
      : webhook_url === null
        ? { webhook_url_sealed: null, webhook_secret_sealed: null, webhook_problem: null }
        : {
            // The URL often contains a token, so it is encrypted like the secret.
            webhook_url_sealed: secrets.seal(webhook_url, 'notification_settings.webhook_url', workspaceId),
            webhook_secret_sealed: storedOr(secrets, workspaceId, newSecret),
            webhook_problem: null,
          }
  const changes = { ...flags, ...webhook }
  if (Object.keys(changes).length === 0) return
  await db.updateTable('notification_settings').set(changes).where('workspace_id', '=', workspaceId).execute()
}

/** Returns the secret; creates one for a URL that was set before secrets existed. */
export async function ensureWebhookSecret(
  db: Db,
  workspaceId: string,
  secrets: Secrets,
  newSecret: string,
): Promise<string> {
  const { webhook_secret_sealed } = await db
    .updateTable('notification_settings')
    .set({ webhook_secret_sealed: storedOr(secrets, workspaceId, newSecret) })
    .where('workspace_id', '=', workspaceId)
    .returning(sql<Buffer>`webhook_secret_sealed`.as('webhook_secret_sealed'))
    .executeTakeFirstOrThrow()
  return secrets.open(webhook_secret_sealed, 'notification_settings.webhook_secret', workspaceId)
}

/** The stored secret or else the new one: of two concurrent writers the first wins. */
function storedOr(secrets: Secrets, workspaceId: string, newSecret: string) {
  const sealed = secrets.seal(newSecret, 'notification_settings.webhook_secret', workspaceId)
  return sql<Buffer>`coalesce(webhook_secret_sealed, ${sealed})`
}

/** Stores why alerts do not reach the webhook, or null. Writes only a changed value, because it is called for every alert. */
export async function setWebhookProblem(db: Db, workspaceId: string, problem: string | null): Promise<void> {
  await db
    .updateTable('notification_settings')
    .set({ webhook_problem: problem })
    .where('workspace_id', '=', workspaceId)
    .where('webhook_problem', 'is distinct from', problem)
    .execute()
}
