import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import { visibleTo } from '../../db/visibility.ts'
import { AppError, notFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Viewer } from '../../member.ts'
import type { Secrets } from '../../secrets.ts'

const nameTaken = () => new AppError('name_taken', 'Another destination of this workspace has this name.')

const purpose = (workspaceId: string, id: string, what: 'url' | 'secret') =>
  `webhook_destinations.${what} ${workspaceId} ${id}`

/** With their signing secrets where `secrets` are given, to open them with. */
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
    secret: secrets === null ? null : secrets.open(secret_sealed, purpose(workspaceId, row.id, 'secret')),
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
      url_sealed: secrets.seal(url, purpose(workspaceId, id, 'url')),
      url_masked: urlMasked,
      secret_sealed: secrets.seal(secret, purpose(workspaceId, id, 'secret')),
    })
    .returning(['id', 'name', 'url_masked', 'created_at'])
    .executeTakeFirstOrThrow()
    .catch(onUniqueViolation('webhook_destinations_name', nameTaken))
  return { ...row, secret }
}

/** Throws not_found. */
export async function deleteDestination(db: Db, workspaceId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .with('log', (query) =>
      query.deleteFrom('deliveries').where('workspace_id', '=', workspaceId).where('destination_id', '=', id),
    )
    .deleteFrom('webhook_destinations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('destination')
}

/** Where a destination leads and what signs for it now: one secret, or two during a rotation. */
export type Target = { id: string; url: string; secrets: string[] }

export async function findTarget(db: Db, workspaceId: string, id: string, secrets: Secrets): Promise<Target | null> {
  const row = await db
    .selectFrom('webhook_destinations')
    .select(['url_sealed', 'secret_sealed', 'former_secret_sealed'])
    .select(sql<boolean>`coalesce(former_secret_until > now(), false)`.as('is_rotating'))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const open = (sealed: Buffer) => secrets.open(sealed, purpose(workspaceId, id, 'secret'))
  const former = row.former_secret_sealed && row.is_rotating ? [open(row.former_secret_sealed)] : []
  return {
    id,
    url: secrets.open(row.url_sealed, purpose(workspaceId, id, 'url')),
    secrets: [open(row.secret_sealed), ...former],
  }
}

/** Puts a new secret in place; the present one goes on to sign for a while. Throws not_found. */
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
      secret_sealed: secrets.seal(secret, purpose(workspaceId, id, 'secret')),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['id', 'name', 'url_masked', 'created_at'])
    .executeTakeFirst()
  if (!row) throw notFound('destination')
  return { ...row, secret }
}

export type DeliveryRow = {
  destination_id: string
  run_id: string | null
  record_id: string | null
  webhook_id: string
  attempt: number
  status: number | null
  message: string | null
  latency_ms: number
  answer: string | null
}

/** Logs attempts. What is logged after its destination was deleted is forgotten with age. */
export async function insertDeliveries(db: Db, workspaceId: string, rows: DeliveryRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into deliveries (workspace_id, id, destination_id, run_id, record_id, webhook_id, attempt, status, message, latency_ms, answer)
    select ${workspaceId}::uuid, given.id, destination_id, run_id, record_id, webhook_id, attempt, status, message, latency_ms, answer
    from json_to_recordset(${JSON.stringify(rows.map((row) => ({ id: newId(), ...row })))}::json) as given (id uuid, destination_id uuid,
      run_id uuid, record_id uuid, webhook_id text, attempt integer, status integer, message text, latency_ms integer, answer text)`.execute(
    db,
  )
}

/** The log of a destination: of what was sent about people, a scoped viewer sees what is about those they see. */
function deliveriesTo(db: Db, viewer: Viewer, destinationId: string) {
  return db
    .selectFrom('deliveries')
    .where('workspace_id', '=', viewer.workspace_id)
    .where('destination_id', '=', destinationId)
    .$if(viewer.scoped_to !== null, (query) =>
      query.where(sql<boolean>`(record_id is null
        or exists (select from accounts where accounts.workspace_id = deliveries.workspace_id and accounts.id = record_id)
        or exists (select from people where people.workspace_id = deliveries.workspace_id and people.id = record_id
          and ${visibleTo(viewer)}))`),
    )
}

export function listDeliveries(
  db: Db,
  viewer: Viewer,
  destinationId: string,
  { page, per_page }: { page: number; per_page: number },
) {
  return deliveriesTo(db, viewer, destinationId)
    .select([
      'id',
      'run_id',
      'record_id',
      'webhook_id',
      'attempt',
      'status',
      'message',
      'latency_ms',
      'answer',
      'created_at',
    ])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute()
}

export async function countDeliveries(db: Db, viewer: Viewer, destinationId: string): Promise<number> {
  const { count } = await deliveriesTo(db, viewer, destinationId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Of all workspaces: called by the nightly purge. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<void> {
  await sql`delete from deliveries where created_at < now() - make_interval(days => ${days})`.execute(db)
}
