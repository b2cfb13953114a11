import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import { AppError, notFound } from '../../errors.ts'

const FIELDS = ['id', 'name', 'description', 'is_builtin', 'enabled', 'created_at', 'updated_at'] as const

export type NewSignal = { id: string; name: string; description: string; is_builtin: boolean; enabled?: boolean }
export type SignalFields = { name: string; description: string; enabled: boolean }

const nameTaken = () => new AppError('name_taken', 'Another signal of this workspace has this name.')

export function listSignals(db: Db, workspaceId: string) {
  return db
    .selectFrom('signals')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('is_builtin', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Throws not_found. */
export async function getSignal(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('signals')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('signal')
  return found
}

export async function insertSignals(db: Db, workspaceId: string, signals: NewSignal[]): Promise<void> {
  await db
    .insertInto('signals')
    .values(signals.map((signal) => ({ workspace_id: workspaceId, enabled: true, ...signal })))
    .execute()
}

/** Adds a signal, or answers null when its id is taken. Throws name_taken. */
export async function insertSignal(db: Db, workspaceId: string, signal: NewSignal) {
  const row = await db
    .insertInto('signals')
    .values({ workspace_id: workspaceId, enabled: true, ...signal })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .returning(FIELDS)
    .executeTakeFirst()
    .catch(onUniqueViolation('signals_name', nameTaken))
  return row ?? null
}

/** Throws name_taken. */
export function updateSignalRow(db: Db, workspaceId: string, id: string, fields: Partial<SignalFields>) {
  return db
    .updateTable('signals')
    .set({ ...fields, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(FIELDS)
    .executeTakeFirstOrThrow()
    .catch(onUniqueViolation('signals_name', nameTaken))
}

export async function deleteSignalRow(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('signals').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
