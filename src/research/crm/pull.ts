import type { Db } from '../../db/connect.ts'
import type { CrmProblemKind } from '../../db/schema.ts'
import { storeConnectionProblem } from '../../delivery/crm/push-batch.ts'
import { type OpenCrm, openCrm } from '../../delivery/crm/session.ts'
import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { createLease, deadlineAfter, processLeasedRows } from '../../jobs/leased-work.ts'
import { CrmError, type CrmReader, PULLED_OBJECTS, type PulledObject } from '../../providers/crm/vendor/types.ts'
import {
  beginRun,
  type ClaimedSync,
  dueSyncs,
  failRun,
  finishRun,
  holdLease,
  insertMissingSyncs,
  releaseSync,
  restartSync,
  savePosition,
} from '../../resources/crm-sync/store.ts'
import { NIL_ID } from '../../shared/ids.ts'
import { readContext } from '../context.ts'
import { addAccountsByRules } from './account-rules.ts'
import { applyPage, applyToAccounts } from './apply-page.ts'
import { announceAccounts, rescoreChanged } from './changed-accounts.ts'
import { placeContacts } from './contacts.ts'
import { removePulledRecords } from './disconnect.ts'
import { matchCompanies } from './match-store.ts'
import { findMatchable, findReassigned } from './pending-store.ts'
import { analyzeRecords, findUnseen, saveOwners } from './record-store.ts'

/** The sync of a killed worker can be claimed again after this. */
const LEASE_SECONDS = 60
/** A long read is interrupted after this, so that other CRMs have their turn. */
const SLICE_MS = 60_000
/** After this a job ends and enqueues its successor. */
const DEADLINE_MS = 5 * 60_000
/** Records per transaction where no page of the vendor limits them. */
const BATCH = 500
/** Records of a page per statement. */
const PART = 200

/** Records of a first read after which the tables are analyzed, and the growth after which they are again. */
const ANALYZE_FIRST = 100
const ANALYZE_FACTOR = 4

/** Reads the connected CRMs that are due. Concurrent jobs share them. */
export const pullCrms = defineJob({
  name: 'pull-crms',
  schedule: '* * * * *',
  atStart: true,
  concurrency: 4,
  async run(deps, _payload, { signal, progressed }) {
    const { db, log, config } = deps
    await insertMissingSyncs(db)
    if (config.CRM_PULL_MINUTES === 0) return
    const { isDrained } = await processLeasedRows({
      queue: dueSyncs(db),
      lease: createLease(LEASE_SECONDS),
      lanes: 1,
      deadline: deadlineAfter(DEADLINE_MS, signal),
      log,
      async work([sync]) {
        if (sync) await pullCrm({ ...deps, signal, progressed }, sync)
      },
    })
    if (!isDrained && !signal.aborted) await deps.jobs.enqueue(db, pullCrms, {})
  },
})

type Parts = Deps & { signal: AbortSignal; progressed: () => Promise<void> }

/** Another worker has taken the sync over, or it was restarted: nothing more may be stored. */
class LeaseLost extends Error {}

/** Reads one CRM until everything is read or its slice of time is over. A failure is stored with the sync. */
async function pullCrm(deps: Parts, sync: ClaimedSync): Promise<void> {
  const { db, log, config, signal } = deps
  let target: OpenCrm | null = null
  try {
    target = await openCrm(deps, sync.workspace_id, sync.provider, signal)
    if (!target) return
    if (target.vendorAccount === sync.portal && !sync.is_outdated) await readCrm(deps, sync, target)
    else if (sync.is_outdated) await startAgain(deps, sync)
    else await startWithAnotherAccount(deps, sync, target.vendorAccount)
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) return
    if (!(error instanceof CrmError)) log.error({ err: error, ...keyOf(sync) }, 'failed to read a CRM')
    else if (target) await storeConnectionProblem(deps, sync.workspace_id, target, authOnly(error))
    await failRun(db, sync, toProblem(error), config.CRM_PULL_MINUTES)
  }
}

const keyOf = ({ workspace_id, provider }: ClaimedSync) => ({ workspace_id, provider })

/** A quota that reading has used up is shown with the sync; a push finds out itself. */
const authOnly = (error: CrmError) => (error.kind === 'quota' ? new CrmError('busy', error.message) : error)

function toProblem(error: unknown): { kind: CrmProblemKind; message: string; wait: number } {
  if (!(error instanceof CrmError))
    return { kind: 'busy', message: 'An error of the service interrupted reading. It is tried again.', wait: 0 }
  const { kind, message, retryAfterSeconds: wait } = error
  return { kind: kind === 'schema' ? 'refused' : kind, message, wait }
}

/** A full read finds deletions that the CRM no longer lists. */
async function startAgain(deps: Parts, sync: ClaimedSync): Promise<void> {
  await store(deps, sync, async (db) => {
    await restartSync(db, sync)
    return []
  })
}

/** The ids of one account at the vendor mean nothing in another: its records are removed. */
async function startWithAnotherAccount(deps: Parts, sync: ClaimedSync, portal: string): Promise<void> {
  await removePulledRecords(deps.db, sync, (work) => store(deps, sync, work))
  await store(deps, sync, async (db) => {
    await restartSync(db, sync, portal)
    return []
  })
}

/**
 * Reads owners, then all pages that are new; then matches what could not be matched before. An interrupted read is due again
 * at once. Throws CrmError, LeaseLost.
 */
async function readCrm(deps: Parts, sync: ClaimedSync, { crm: { reader } }: OpenCrm): Promise<void> {
  const { db, config } = deps
  const deadline = deadlineAfter(SLICE_MS, deps.signal)
  const startedAt = await beginRun(db, sync)
  if (startedAt === null) throw new LeaseLost()
  await readOwners(deps, sync, reader)
  const complete: PulledObject[] = []
  for (const object of PULLED_OBJECTS) {
    const end = await readObject(deps, sync, reader, object, deadline)
    if (end === 'interrupted') return releaseSync(db, sync)
    if (end === 'complete') complete.push(object)
  }
  // A record that a full read did not return was deleted, unless it may not be read.
  if (sync.is_first) for (const object of complete) await removeUnseen(deps, sync, object, startedAt)
  await settle(deps, sync)
  await rescoreChanged(deps, sync.workspace_id)
  await finishRun(db, sync, await reader.missingRights(), config.CRM_PULL_MINUTES)
}

async function readOwners(deps: Parts, sync: ClaimedSync, reader: CrmReader): Promise<void> {
  const owners = await reader.listOwners()
  if (owners)
    await store(deps, sync, async (db) => {
      await saveOwners(db, sync, owners)
      return []
    })
  await inBatches(deps, sync, findReassigned, NIL_ID, applyToAccounts)
}

/** Each page is stored with its position in one transaction, so that a killed worker loses and repeats nothing. */
async function readObject(
  deps: Parts,
  sync: ClaimedSync,
  reader: CrmReader,
  object: PulledObject,
  deadline: AbortSignal,
): Promise<'complete' | 'unreadable' | 'interrupted'> {
  let reading = reader.readPage(object, sync.positions[object] ?? null)
  let stored = 0
  let analyzeAt = ANALYZE_FIRST
  for (;;) {
    const page = await reading
    const isOver = page.is_last || deadline.aborted
    // The next page is read while this one is stored.
    if (!isOver) {
      reading = reader.readPage(object, page.position)
      // Avoids an unhandled rejection when this page cannot be stored.
      reading.catch(() => {})
    }
    let isPaused = false
    await store(deps, sync, async (db) => {
      const accounts: string[] = []
      const { records, gone } = page
      // In parts, because the planner chooses joins over whole tables for thousands of ids.
      for (let at = 0; at === 0 || at < records.length; at += PART) {
        const part = { records: records.slice(at, at + PART), gone: at + PART >= records.length ? gone : [] }
        accounts.push(...(await applyPage({ ...deps, db }, sync, object, part)))
      }
      isPaused = await savePosition(db, sync, object, page.position, reader.callsLeft())
      return accounts
    })
    stored += page.records.length
    if (sync.is_first && stored >= analyzeAt) {
      await analyzeRecords(deps.db, object)
      analyzeAt = stored * ANALYZE_FACTOR
    }
    await deps.progressed()
    if (isPaused) return 'interrupted'
    if (page.is_unreadable) return 'unreadable'
    if (isOver) return page.is_last ? 'complete' : 'interrupted'
  }
}

/** Stores in a transaction while the lease is held, and has the returned accounts ranked and their drafts written again. */
async function store(deps: Parts, sync: ClaimedSync, work: (db: Db) => Promise<string[]>): Promise<void> {
  await deps.db.transaction().execute(async (db) => {
    if (!(await holdLease(db, sync))) throw new LeaseLost()
    await announceAccounts({ ...deps, db }, sync.workspace_id, await work(db))
  })
}

type Find = (db: Db, sync: ClaimedSync, after: string, limit: number) => Promise<string[]>

/** Applies what is pending, in the order of the ids. What a killed worker left is still pending in the next run. */
async function inBatches(
  deps: Parts,
  sync: ClaimedSync,
  find: Find,
  first: string,
  apply: (db: Db, workspaceId: string, ids: string[]) => Promise<string[]>,
): Promise<void> {
  for (let after: string | undefined = first; after !== undefined; ) {
    const ids = await find(deps.db, sync, after, BATCH)
    if (ids.length > 0) await store(deps, sync, (db) => apply(db, sync.workspace_id, ids))
    after = ids.at(-1)
  }
}

async function removeUnseen(deps: Parts, sync: ClaimedSync, object: PulledObject, since: string): Promise<void> {
  for (;;) {
    const ids = await findUnseen(deps.db, sync, object, since, BATCH)
    if (ids.length === 0) return
    const gone = ids.map((id) => ({ id, merged_into: null }))
    await store(deps, sync, (db) => applyPage({ ...deps, db }, sync, object, { records: [], gone }))
  }
}

/** Matches companies with accounts that were added since, adds accounts by rule, and makes their contacts people. */
async function settle(deps: Parts, sync: ClaimedSync): Promise<void> {
  const match = async (db: Db, workspaceId: string, ids: string[] | null) =>
    applyToAccounts(db, workspaceId, await matchCompanies(db, sync, sync.portal, ids))
  await inBatches(deps, sync, findMatchable, '', match)
  // By name, which only few have left.
  await store(deps, sync, (db) => match(db, sync.workspace_id, null))
  const context = await readContext(deps, sync.workspace_id)
  for (let added = 1; added > 0; ) {
    await store(deps, sync, async (db) => {
      added = await addAccountsByRules(db, sync, context, BATCH)
      return []
    })
  }
  for (let placed = 1; placed > 0; ) {
    await store(deps, sync, async (db) => {
      const { count, accounts } = await placeContacts({ ...deps, db }, sync, { limit: BATCH })
      placed = count
      return accounts
    })
  }
}
