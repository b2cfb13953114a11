import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import { redactExamples } from '../../people/redact/redact-findings.ts'
import { deleteOfSignal, markStale } from '../../resources/detections/store.ts'
import { forgetConfidences, upsertExamples } from '../../resources/signals/examples-store.ts'
import type { CreateSignal } from '../../resources/signals/schema.ts'
import {
  deleteSignalRow,
  getSignal,
  insertSignal,
  type SignalFields,
  updateSignalRow,
} from '../../resources/signals/store.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { redetectSignal } from '../redetect.job.ts'
import { rescoreAccounts } from '../rescore.job.ts'
import { requireCustomSignal, shown } from './describe.ts'
import { toMarked } from './examples.ts'

type Parts = Pick<Deps, 'db' | 'jobs'>

/**
 * Adds a signal of the workspace's own under an id made from its name, with the examples marked in its preview, and has
 * what was read before looked through for it. Throws name_taken, unclear_description, builtin_signal, unavailable.
 */
export async function createSignal(
  deps: Parts & Pick<Deps, 'secrets' | 'parserPool'>,
  { workspace_id: workspaceId, id: memberId }: Member,
  { examples = [], ...signal }: Static<typeof CreateSignal>,
) {
  const slug = slugOf(signal.name)
  requireCustomSignal(signal.description)
  const { jobs } = deps
  return deps.db.transaction().execute(async (db) => {
    const marked = await redactExamples({ ...deps, db }, workspaceId, examples.map(toMarked))
    // Names that differ may give one slug ("R&D", "R D"): the later one gets a number.
    for (let n = 1; ; n++) {
      const id = n === 1 ? slug : `${slug}_${n}`
      const created = await insertSignal(db, workspaceId, { ...signal, id, is_builtin: false })
      if (!created) continue
      await upsertExamples(db, workspaceId, id, memberId, marked)
      if (created.enabled) await jobs.enqueue(db, redetectSignal, { workspace_id: workspaceId, signal_id: id })
      return shown(created)
    }
  })
}

/** Changes a signal. Throws not_found, name_taken, unclear_description, and builtin_signal for anything but switching a built-in one. */
export async function updateSignal(
  { db, jobs }: Parts,
  workspaceId: string,
  id: string,
  wanted: Partial<SignalFields>,
) {
  const signal = await getSignal(db, workspaceId, id)
  const fields = changedFields(signal, wanted)
  if (signal.is_builtin && (fields.name !== undefined || fields.description !== undefined)) {
    throw new AppError(
      'builtin_signal',
      'A built-in signal can be switched on and off, not changed. Create one of your own.',
    )
  }
  if (Object.keys(fields).length === 0) return shown(signal)
  if (fields.description !== undefined) requireCustomSignal(fields.description)
  return db.transaction().execute(async (db) => {
    const isOther = fields.description !== undefined
    const isSwitched = fields.enabled !== undefined
    // Lock accounts before the signal, as storing findings does, to avoid a deadlock.
    if (isOther || isSwitched) await markStale(db, workspaceId, id)
    const updated = await updateSignalRow(db, workspaceId, id, fields)
    if (isOther || isSwitched) {
      // What was found under the former description proves nothing about this one.
      if (isOther) {
        await deleteOfSignal(db, workspaceId, id)
        await forgetConfidences(db, workspaceId, id)
      }
      await jobs.enqueue(db, rescoreAccounts, {})
    }
    if (updated.enabled && (isOther || isSwitched))
      await jobs.enqueue(db, redetectSignal, { workspace_id: workspaceId, signal_id: id })
    return shown(await getSignal(db, workspaceId, id))
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
