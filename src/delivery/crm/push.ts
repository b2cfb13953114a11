import type { CrmProvider, PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Viewer } from '../../member.ts'
import { CRM_VENDORS } from '../../providers/crm/registry.ts'
import { listConnections } from '../../resources/connections/store.ts'
import { insertRun, reopenRun } from '../../resources/push-runs/store.ts'
import { BATCH } from './deliver.ts'
import { pushInline } from './inline.ts'
import { pushCrm } from './push.job.ts'
import { readRecords } from './record-store.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'jobs' | 'config'>

/** Up to this many records are pushed while the caller waits. */
const INLINE_LIMIT = BATCH

/**
 * Pushes records to one CRM or to every connected one: a few at once, many as a run in the background. An id that comes
 * twice is one record; one that names nothing the viewer may see is skipped. Throws crm_not_connected.
 */
export async function push(
  deps: Parts,
  viewer: Viewer,
  recordType: PushRecordType,
  given: string[],
  wanted: CrmProvider | undefined,
) {
  const { db } = deps
  const providers = await connectedOf(deps, viewer.workspace_id, wanted)
  const asked = new Set(given.map((id) => id.toLowerCase()))
  const ids = [...asked].filter(isId)
  if (asked.size <= INLINE_LIMIT) {
    const records = await readRecords(db, viewer, recordType, ids)
    const { pushed, failed, skipped, results } = await pushInline(deps, viewer.workspace_id, providers, recordType, [
      ...records.values(),
    ])
    return { pushed, failed, unknown: asked.size - records.size, withoutIdentity: skipped, providers, results }
  }
  return db.transaction().execute(async (db) => {
    const malformed = asked.size - ids.length
    const run = await insertRun(db, viewer, {
      channel: 'crm',
      recordType,
      destinationId: null,
      providers,
      ids,
      malformed,
    })
    await deps.jobs.enqueue(db, pushCrm, { workspace_id: viewer.workspace_id, run_id: run.run_id })
    return { ...run, status: 'running' as const }
  })
}

/** Pushes the failed rows of a run again, where they did not arrive. Throws not_found, crm_not_connected. */
export async function retryCrmRun(
  deps: Parts,
  workspaceId: string,
  runId: string,
  providers: CrmProvider[],
): Promise<void> {
  const connected = await connectedOf(deps, workspaceId, undefined)
  if (!providers.some((provider) => connected.includes(provider))) throw notConnected(providers[0])
  await deps.db.transaction().execute(async (db) => {
    if ((await reopenRun(db, workspaceId, runId)) > 0)
      await deps.jobs.enqueue(db, pushCrm, { workspace_id: workspaceId, run_id: runId })
  })
}

async function connectedOf(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  wanted: CrmProvider | undefined,
): Promise<CrmProvider[]> {
  const connected = (await listConnections(db, workspaceId)).flatMap(({ provider }) =>
    provider === 'chat' ? [] : [provider],
  )
  const chosen = wanted ? connected.filter((provider) => provider === wanted) : connected
  if (chosen.length === 0) throw notConnected(wanted)
  return chosen
}

function notConnected(provider: CrmProvider | undefined): AppError {
  return new AppError(
    'crm_not_connected',
    `${provider ? `${CRM_VENDORS[provider].label} is not` : 'No CRM is'} connected. Connect it with POST /connections.`,
  )
}
