import type { Deps } from '../../deps/deps.ts'
import type { ConsentPage } from '../../http/oauth-callback.ts'
import { connectWithToken, disconnectProvider } from '../../resources/connections/connect.ts'
import type { ConnectionProvider } from '../../resources/connections/provider-schema.ts'
import { deleteConnection } from '../../resources/connections/store.ts'
import { deleteSync, endLease, insertMissingSyncs } from '../../resources/crm-sync/store.ts'
import { notFound } from '../../shared/errors.ts'
import { announceAccounts, rescoreChanged } from './changed-accounts.ts'
import { removePulledRecords } from './disconnect.ts'
import { pullCrms } from './pull.ts'

type Given = Parameters<typeof connectWithToken>[3]

/** Connects a CRM or the chat, and reads the CRM at once. Throws as connectWithToken. */
export async function connectAndRead(deps: Deps, workspaceId: string, provider: ConnectionProvider, given: Given) {
  const connected = await connectWithToken(deps, workspaceId, provider, given)
  if (provider === 'chat') return connected
  await insertMissingSyncs(deps.db)
  await deps.jobs.enqueue(deps.db, pullCrms, {})
  return connected
}

/** Reads a CRM at once when its consent succeeded. */
export async function pullWhenConnected({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, consent: Promise<ConsentPage>) {
  const page = await consent
  if (page.ok) await jobs.enqueue(db, pullCrms, {})
  return page
}

/**
 * Disconnects. With `remove`, everything that was read from the CRM is removed, also when it was disconnected before. Throws
 * not_found.
 */
export async function disconnect(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  provider: ConnectionProvider,
  records: 'keep' | 'remove',
) {
  if (provider === 'chat' || records === 'keep') return disconnectProvider({ db }, workspaceId, provider)
  const key = { workspace_id: workspaceId, provider }
  await db.transaction().execute(async (db) => {
    // Before the records, so that a worker that reads the CRM at this moment stores nothing more.
    const wasRead = await endLease(db, key)
    const wasConnected = await deleteConnection(db, workspaceId, provider)
    if (!wasRead && !wasConnected) throw notFound('connection')
  })
  await removePulledRecords(db, key, (work) =>
    db.transaction().execute(async (db) => announceAccounts({ db, jobs }, workspaceId, await work(db))),
  )
  await rescoreChanged({ db, jobs }, workspaceId)
  await deleteSync(db, key)
  return { provider, deleted: true as const }
}
