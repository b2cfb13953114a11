import type { Static } from 'typebox'
import type { Deps } from '../../deps/deps.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import type { CrmSync, UpdateCrmSync } from '../../resources/crm-sync/schema.ts'
import { findSync, listSyncs, restartSync, updateSync } from '../../resources/crm-sync/store.ts'
import { notFound } from '../../shared/errors.ts'
import { applyCrmFields } from './account-fields.ts'
import { announceAccounts, rescoreChanged } from './changed-accounts.ts'
import { findMatchedAccounts } from './match-store.ts'
import { pullCrms } from './pull.ts'

type Sync = Static<typeof CrmSync>
type Parts = Pick<Deps, 'db' | 'jobs' | 'config'>
type StoredSync = Awaited<ReturnType<typeof listSyncs>>[number]

/** Lists the CRMs that are or were read, with their state. */
export async function describeSyncs({ db, config }: Pick<Parts, 'db' | 'config'>, workspaceId: string) {
  const syncs = await listSyncs(db, workspaceId)
  return syncs.map((sync) => describe(sync, config.CRM_PULL_MINUTES > 0))
}

function describe(
  { failures, problem_kind, first_finished_at, is_connected, ...sync }: StoredSync,
  isOn: boolean,
): Sync {
  const state = stateOf({ ...sync, problem_kind, first_finished_at, is_connected }, isOn)
  const isIdle = state === 'paused' || state === 'reconnect' || state === 'disconnected' || state === 'off'
  return {
    ...sync,
    state,
    next_at: isIdle ? null : sync.next_at,
    failures: Object.entries(failures).map(([kind, failure]) => ({ kind, ...failure })),
  }
}

function stateOf(
  sync: Pick<StoredSync, 'problem_kind' | 'first_finished_at' | 'is_connected' | 'is_paused'>,
  isOn: boolean,
): Sync['state'] {
  if (!sync.is_connected) return 'disconnected'
  if (!isOn) return 'off'
  if (sync.problem_kind === 'auth') return 'reconnect'
  if (sync.is_paused) return 'paused'
  if (sync.problem_kind === 'quota') return 'waiting'
  if (sync.problem_kind === 'busy' || sync.problem_kind === 'refused') return 'retrying'
  if (sync.first_finished_at === null) return 'reading'
  return sync.problem_kind === 'rights' ? 'limited' : 'up_to_date'
}

async function getSync(parts: Parts, workspaceId: string, provider: CrmProvider): Promise<Sync> {
  const found = (await describeSyncs(parts, workspaceId)).find((sync) => sync.provider === provider)
  if (!found) throw notFound('CRM')
  return found
}

/** Accounts that are locked together when the choice of a field changes. */
const BATCH = 500

/** Changes the settings of a sync. Another choice of fields is applied at once. Throws not_found. */
export async function changeSync(
  parts: Parts,
  workspaceId: string,
  provider: CrmProvider,
  { field_sources, ...changes }: Static<typeof UpdateCrmSync>,
): Promise<Sync> {
  const { db, jobs } = parts
  const key = { workspace_id: workspaceId, provider }
  await db.transaction().execute(async (db) => {
    const before = await findSync(db, key)
    if (!before) throw notFound('CRM')
    await updateSync(db, key, {
      ...changes,
      ...(field_sources ? { field_sources: { ...before.field_sources, ...field_sources } } : {}),
    })
    await jobs.enqueue(db, pullCrms, {})
  })
  const accounts = field_sources ? await findMatchedAccounts(db, key) : []
  for (let at = 0; at < accounts.length; at += BATCH)
    await db.transaction().execute(async (db) => {
      const changed = await applyCrmFields(db, workspaceId, accounts.slice(at, at + BATCH))
      await announceAccounts({ db, jobs }, workspaceId, changed)
    })
  if (accounts.length > 0) await rescoreChanged(parts, workspaceId)
  return getSync(parts, workspaceId, provider)
}

/** Reads a CRM from the beginning; what it no longer has is marked as deleted afterwards. Throws not_found. */
export async function resync(parts: Parts, workspaceId: string, provider: CrmProvider): Promise<Sync> {
  await parts.db.transaction().execute(async (db) => {
    await restartSync(db, { workspace_id: workspaceId, provider })
    await parts.jobs.enqueue(db, pullCrms, {})
  })
  return getSync(parts, workspaceId, provider)
}
