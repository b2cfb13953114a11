import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Viewer } from '../../member.ts'
import { insertRun, reopenRun } from '../../resources/push-runs/store.ts'
import { findTarget, type Target } from '../../resources/webhook-destinations/store.ts'
import type { Pushed } from '../../resources/webhook-push/schema.ts'
import { pushInline } from './inline.ts'
import { pushWebhook } from './push.job.ts'
import { readRows } from './row-store.ts'

/** Up to this many records are sent while the caller waits. */
const INLINE_LIMIT = 100
/** Jobs that share one run, so that two worker processes can. */
const JOBS_PER_RUN = 2

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'jobs' | 'config'>

/**
 * Pushes records to a destination: a few at once, many as a run in the background. An id that comes twice is one record;
 * one that names nothing the viewer may see is skipped. Throws unknown_destination.
 */
export async function push(
  deps: Parts,
  viewer: Viewer,
  recordType: PushRecordType,
  destinationId: string,
  given: string[],
): Promise<Pushed> {
  const { db } = deps
  const target = await getTarget(deps, viewer.workspace_id, destinationId)
  const asked = new Set(given.map((id) => id.toLowerCase()))
  const ids = [...asked].filter(isId)
  if (asked.size <= INLINE_LIMIT) {
    const rows = await readRows(db, viewer, recordType, ids)
    const { pushed, failed, errors } = await pushInline(deps, viewer, target, [...rows.values()])
    return { pushed, failed, skipped: asked.size - rows.size, errors }
  }
  const run = await db.transaction().execute(async (db) => {
    const malformed = asked.size - ids.length
    const run = await insertRun(db, viewer, {
      channel: 'webhook',
      recordType,
      destinationId: target.id,
      ids,
      malformed,
    })
    await enqueue({ ...deps, db }, viewer.workspace_id, run.run_id)
    return run
  })
  return { ...run, status: 'running' }
}

/** Sends the failed rows of a run again, under the same ids. Throws not_found, unknown_destination. */
export async function retryRun(
  deps: Parts,
  workspaceId: string,
  runId: string,
  destinationId: string | null,
): Promise<void> {
  await getTarget(deps, workspaceId, destinationId ?? '')
  await deps.db.transaction().execute(async (db) => {
    if ((await reopenRun(db, workspaceId, runId)) > 0) await enqueue({ ...deps, db }, workspaceId, runId)
  })
}

async function enqueue({ db, jobs }: Pick<Parts, 'db' | 'jobs'>, workspace_id: string, run_id: string): Promise<void> {
  for (let n = 0; n < JOBS_PER_RUN; n++) await jobs.enqueue(db, pushWebhook, { workspace_id, run_id })
}

async function getTarget({ db, secrets }: Parts, workspaceId: string, id: string): Promise<Target> {
  const target = isId(id) ? await findTarget(db, workspaceId, id, secrets) : null
  if (target) return target
  throw new AppError(
    'unknown_destination',
    'destination_id must be a destination of this workspace; GET /webhook-destinations lists them.',
  )
}
