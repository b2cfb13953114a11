import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { onMissingReference, onUniqueViolation } from '../../db/errors.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Secrets } from '../../shared/secrets.ts'

const nameTaken = () => new AppError('name_taken', 'Another destination of this workspace has this name.')

/** With the signing secrets when `secrets` is given to decrypt them. */
export async function listDestinations(db: Db, workspaceId: string, secrets: Secrets | null) {
  const rows = await db
    .selectFrom('webhook_destinations')
    .select(['id', 'name', 'url_masked', 'secret_sealed', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ secret_sealed, ...row }) => ({
    ...row,
    secret: secrets === null ? null : secrets.open(secret_sealed, 'webhook_destinations.secret', workspaceId, row.id),
  }))
}

export async function countDestinations(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_destinations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

type NewDestination = { name: string; url: string; urlMasked: string; secret: string }

/** Throws name_taken. */
export async function insertDestination(
  db: Db,
  workspaceId: string,
  secrets: Secrets,
  { name, url, urlMasked, secret }: NewDestination,
) {
  const id = newId()
  const row = await db
    .insertInto('webhook_destinations')
    .values({
      workspace_id: workspaceId,
      id,
      name,
      url_sealed: secrets.seal(url, 'webhook_destinations.url', workspaceId, id),
      url_masked: urlMasked,
      secret_sealed: secrets.seal(secret, 'webhook_destinations.secret', workspaceId, id),
    })
    .returning(['id', 'name', 'url_masked', 'created_at'])
    .executeTakeFirstOrThrow()
    .catch(onUniqueViolation('webhook_destinations_name', nameTaken))
  return { ...row, secret }
}

const receivesAudit = () =>
  new AppError(
    'invalid_transition',
    'Turn the audit stream off first: this destination receives the audit log (PUT /settings/audit).',
  )

/** A stream of audit entries that was turned off ends with it. Throws not_found, invalid_transition. */
export async function deleteDestination(db: Db, workspaceId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .with('log', (query) =>
      query.deleteFrom('deliveries').where('workspace_id', '=', workspaceId).where('destination_id', '=', id),
    )
    .with('ended', (query) =>
      query
        .deleteFrom('audit_streams')
        .where('workspace_id', '=', workspaceId)
        .where('sends_to', '=', id)
        .where('destination_id', 'is', null),
    )
    .deleteFrom('webhook_destinations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
    .catch(onMissingReference('audit_streams_workspace_id_sends_to_fkey', receivesAudit))
  if (numDeletedRows === 0n) throw notFound('destination')
}

/** The URL of a destination and its current secrets: one, or two during a rotation. */
export type WebhookTarget = { id: string; name: string; url: string; secrets: string[] }

export async function findWebhookTarget(
  db: Db,
  workspaceId: string,
  id: string,
  secrets: Secrets,
): Promise<WebhookTarget | null> {
  const row = await db
    .selectFrom('webhook_destinations')
    .select(['name', 'url_sealed', 'secret_sealed', 'former_secret_sealed'])
    .select(sql<boolean>`coalesce(former_secret_until > now(), false)`.as('is_rotating'))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const open = (sealed: Buffer) => secrets.open(sealed, 'webhook_destinations.secret', workspaceId, id)
  const former = row.former_secret_sealed && row.is_rotating ? [open(row.former_secret_sealed)] : []
  return {
    id,
    name: row.name,
    url: secrets.open(row.url_sealed, 'webhook_destinations.url', workspaceId, id),
    secrets: [open(row.secret_sealed), ...former],
  }
}

/** Locks the destination until the transaction ends; pushes to it continue. Throws not_found. */
export async function lockDestination(db: Db, workspaceId: string, id: string): Promise<void> {
  const found = await db
    .selectFrom('webhook_destinations')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('destination')
}

/** The name and the masked URL. Throws not_found. */
export async function getDestination(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('webhook_destinations')
    .select(['id', 'name', 'url_masked'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('destination')
  return found
}

/** Stores a new secret; the former one also signs during the overlap. Throws not_found. */
export async function replaceSecret(
  db: Db,
  workspaceId: string,
  id: string,
  secrets: Secrets,
  secret: string,
  overlapHours: number,
) {
  const row = await db
    .updateTable('webhook_destinations')
    .set({
      former_secret_sealed: sql`secret_sealed`,
      former_secret_until: sql`now() + make_interval(hours => ${overlapHours})`,
      secret_sealed: secrets.seal(secret, 'webhook_destinations.secret', workspaceId, id),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['id', 'name', 'url_masked', 'created_at'])
    .executeTakeFirst()
  if (!row) throw notFound('destination')
  return { ...row, secret }
}
