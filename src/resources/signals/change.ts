import { changesTo } from '../../changes.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { redetectSignal } from '../../research/redetect.job.ts'
import { rescoreAccounts } from '../../research/rescore.job.ts'
import { deleteOfSignal, markStale } from '../detections/store.ts'
import { readDescription } from './describe.ts'
import { deleteSignalRow, getSignal, insertSignal, type SignalFields, updateSignalRow } from './store.ts'

type Parts = Pick<Deps, 'db' | 'jobs'>

/**
 * Adds a signal of the workspace's own under an id made from its name, and has what was read before looked through for
 * it. Throws name_taken, invalid_request.
 */
export function createSignal(
  { db, jobs }: Parts,
  workspaceId: string,
  signal: { name: string; description: string; enabled?: boolean },
) {
  const slug = slugOf(signal.name)
  readDescription(slug, signal.description)
  return db.transaction().execute(async (db) => {
    // Names that differ may give one slug ("R&D", "R D"): the later one gets a number.
    for (let n = 1; ; n++) {
      const id = n === 1 ? slug : `${slug}_${n}`
      const created = await insertSignal(db, workspaceId, { ...signal, id, is_builtin: false })
      if (!created) continue
      if (created.enabled) await jobs.enqueue(db, redetectSignal, { workspace_id: workspaceId, signal_id: id })
      return created
    }
  })
}

/** Changes a signal. Throws not_found, name_taken, invalid_request, and builtin_signal for anything but switching a built-in one. */
export async function updateSignal(
  { db, jobs }: Parts,
  workspaceId: string,
  id: string,
  wanted: Partial<SignalFields>,
) {
  const signal = await getSignal(db, workspaceId, id)
  const fields = changesTo(signal, wanted)
  if (signal.is_builtin && (fields.name !== undefined || fields.description !== undefined)) {
    throw new AppError(
      'builtin_signal',
      'A built-in signal can be switched on and off, not changed. Create one of your own.',
    )
  }
  if (Object.keys(fields).length === 0) return signal
  if (fields.description !== undefined) readDescription(id, fields.description)
  return db.transaction().execute(async (db) => {
    const updated = await updateSignalRow(db, workspaceId, id, fields)
    const isOther = updated.description !== signal.description
    if (isOther || updated.enabled !== signal.enabled) {
      await markStale(db, workspaceId, id)
      // What was found under the former description proves nothing about this one.
      if (isOther) await deleteOfSignal(db, workspaceId, id)
      await jobs.enqueue(db, rescoreAccounts, {})
    }
    if (updated.enabled && (isOther || !signal.enabled))
      await jobs.enqueue(db, redetectSignal, { workspace_id: workspaceId, signal_id: id })
    return getSignal(db, workspaceId, id)
  })
}

/** Throws not_found, builtin_signal. */
export async function deleteSignal({ db, jobs }: Parts, workspaceId: string, id: string): Promise<void> {
  const signal = await getSignal(db, workspaceId, id)
  if (signal.is_builtin) {
    throw new AppError('builtin_signal', 'A built-in signal cannot be deleted. Switch it off with {"enabled": false}.')
  }
  await db.transaction().execute(async (db) => {
    await markStale(db, workspaceId, id)
    await deleteSignalRow(db, workspaceId, id)
    await jobs.enqueue(db, rescoreAccounts, {})
  })
}

function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
  return ascii.replaceAll(/^_+|_+$/g, '').slice(0, 60) || 'signal'
}
