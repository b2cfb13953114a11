import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import { redactExamples } from '../../people/redact/redact-findings.ts'
import { deleteSignalDetections, markAccountsStale } from '../../resources/detections/store.ts'
import { retitlePlays } from '../../resources/knowledge-base/store.ts'
import { clearExampleConfidences, upsertExamples } from '../../resources/signals/examples-store.ts'
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
import { rescoreAccounts } from '../assess.ts'
import { redetectSignal } from '../redetect.ts'
import { presentSignal, requireCustomSignal } from './describe.ts'
import { normalizeExample } from './examples.ts'

type Parts = Pick<Deps, 'db' | 'jobs'>

/**
 * Creates a custom signal with an id derived from its name and the examples marked in its preview, and enqueues
 * detection in stored documents. Throws name_taken, unclear_description, builtin_signal, unavailable.
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
    const marked = await redactExamples({ ...deps, db }, workspaceId, examples.map(normalizeExample))
    // Different names may have the same slug ("R&D", "R D"): the later one gets a number.
    for (let n = 1; ; n++) {
      const id = n === 1 ? slug : `${slug}_${n}`
      const created = await insertSignal(db, workspaceId, { ...signal, id, is_builtin: false })
      if (!created) continue
      await upsertExamples(db, workspaceId, id, memberId, marked)
      if (created.enabled) await jobs.enqueue(db, redetectSignal, { workspace_id: workspaceId, signal_id: id })
      return presentSignal(created)
    }
  })
}

/**
 * Updates a signal. Throws not_found, name_taken, unclear_description, and builtin_signal for any change of a built-in
 * signal except switching it on or off.
 */
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
      'A built-in signal can be switched on and off, not changed. Create a custom signal instead.',
    )
  }
  if (Object.keys(fields).length === 0) return presentSignal(signal)
  if (fields.description !== undefined) requireCustomSignal(fields.description)
  return db.transaction().execute(async (db) => {
    const isOther = fields.description !== undefined
    const isSwitched = fields.enabled !== undefined
    // Lock accounts before the signal, as storing findings does, to avoid a deadlock.
    if (isOther || isSwitched) await markAccountsStale(db, workspaceId, id)
    const updated = await updateSignalRow(db, workspaceId, id, fields)
    if (fields.name !== undefined) await retitlePlays(db, workspaceId, signal.name, fields.name)
    if (isOther || isSwitched) {
      // Detections by the former description do not prove the new one.
      if (isOther) {
        await deleteSignalDetections(db, workspaceId, id)
        await clearExampleConfidences(db, workspaceId, id)
      }
      await jobs.enqueue(db, rescoreAccounts, {})
    }
    if (updated.enabled && (isOther || isSwitched))
      await jobs.enqueue(db, redetectSignal, { workspace_id: workspaceId, signal_id: id })
    return presentSignal(await getSignal(db, workspaceId, id))
  })
}

/** Throws not_found, builtin_signal. */
export async function deleteSignal({ db, jobs }: Parts, workspaceId: string, id: string): Promise<void> {
  const signal = await getSignal(db, workspaceId, id)
  if (signal.is_builtin) {
    throw new AppError('builtin_signal', 'A built-in signal cannot be deleted. Switch it off with {"enabled": false}.')
  }
  await db.transaction().execute(async (db) => {
    await markAccountsStale(db, workspaceId, id)
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
