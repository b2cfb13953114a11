import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import type { ScanStarted } from '../../resources/accounts/schema.ts'
import { getAccount } from '../../resources/accounts/store.ts'
import { findScan, insertScans, insertTasks, listTasks } from '../../resources/runs/store.ts'
import { listSignals } from '../../resources/signals/store.ts'
import { getSubscription } from '../../resources/subscription/store.ts'
import { AppError } from '../../shared/errors.ts'
import { scanAccount } from './scan.job.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config'>
type Started = Static<typeof ScanStarted>

/**
 * Starts a research pass over an account for every active signal; while one is running, answers that one. Throws
 * not_found, subscription_required, and no_active_signal when there is nothing to look for.
 */
export async function scan(parts: Parts, workspaceId: string, id: string): Promise<Started> {
  const { name } = await getAccount(parts.db, workspaceId, id)
  await requireScans(parts.db, workspaceId)
  const started = await parts.db.transaction().execute((db) => startScan(parts, db, workspaceId, { id, name }))
  if (!started) throw noActiveSignal()
  return started
}

/** Throws subscription_required. */
export async function requireScans(db: Db, workspaceId: string): Promise<void> {
  const { status } = await getSubscription(db, workspaceId)
  if (status === 'active') return
  throw new AppError('subscription_required', 'Scanning an account needs an active subscription.')
}

export const noActiveSignal = () =>
  new AppError('no_active_signal', 'Every signal is switched off. Switch one on before scanning.')

/** Starts a scan in the caller's transaction, or joins the one that is running. Null when every signal is off. */
export async function startScan(
  parts: Pick<Parts, 'jobs' | 'config'>,
  db: Db,
  workspaceId: string,
  account: { id: string; name: string },
): Promise<Started | null> {
  const started = await startScans(parts, db, workspaceId, [account])
  if (!started) return null
  const [run] = started.runs
  if (run) return { run_id: run.id, jobs: started.signals, status: 'running' }
  const running = await findScan(db, workspaceId, account.id)
  // It may have ended in between: then this one starts.
  if (!running) return startScan(parts, db, workspaceId, account)
  const { length } = await listTasks(db, workspaceId, running.id)
  return { run_id: running.id, jobs: length, status: 'running' }
}

/** Starts a scan of each account that none is running of, in few statements. Null when every signal is off. */
export async function startScans(
  { jobs, config }: Pick<Parts, 'jobs' | 'config'>,
  db: Db,
  workspaceId: string,
  accounts: readonly { id: string; name: string }[],
) {
  const signals = (await listSignals(db, workspaceId)).flatMap(({ id, enabled }) => (enabled ? [id] : []))
  if (signals.length === 0) return null
  const runs = await insertScans(db, workspaceId, accounts, {
    timeframe_days: config.SCAN_WINDOW_DAYS,
    stats: { candidates: 1, accounts: 0, matched: 0, signals: signals.length },
  })
  await insertTasks(
    db,
    workspaceId,
    runs.map(({ id }) => id),
    signals,
  )
  await jobs.enqueueAll(
    db,
    scanAccount,
    runs.map(({ id, account_id }) => ({ workspace_id: workspaceId, run_id: id, account_id })),
  )
  return { runs, signals: signals.length }
}
