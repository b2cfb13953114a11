import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { ScanStarted } from '../../resources/accounts/schema.ts'
import { getAccount } from '../../resources/accounts/store.ts'
import { findScan, insertRun, insertTasks, listTasks } from '../../resources/runs/store.ts'
import { listSignals } from '../../resources/signals/store.ts'
import { getSubscription } from '../../resources/subscription/store.ts'
import { scanAccount } from './scan.job.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config'>
type Started = Static<typeof ScanStarted>

/**
 * Starts a research pass over an account for every active signal; while one is running, answers that one. Throws
 * not_found, subscription_required, and no_active_signal when there is nothing to look for.
 */
export async function scan(parts: Parts, workspaceId: string, id: string): Promise<Started> {
  const { name } = await getAccount(parts.db, workspaceId, id)
  const { status } = await getSubscription(parts.db, workspaceId)
  if (status !== 'active')
    throw new AppError('subscription_required', 'Scanning an account needs an active subscription.')
  const started = await parts.db.transaction().execute((db) => startScan(parts, db, workspaceId, { id, name }))
  if (!started) throw new AppError('no_active_signal', 'Every signal is switched off. Switch one on before scanning.')
  return started
}

/** Starts a scan in the caller's transaction, or joins the one that is running. Null when every signal is off. */
export async function startScan(
  { jobs, config }: Pick<Parts, 'jobs' | 'config'>,
  db: Db,
  workspaceId: string,
  { id, name }: { id: string; name: string },
): Promise<Started | null> {
  const signals = (await listSignals(db, workspaceId)).filter(({ enabled }) => enabled)
  if (signals.length === 0) return null
  const run = await insertRun(db, workspaceId, {
    mode: 'monitor',
    name: `Scan of ${name}`,
    account_id: id,
    timeframe_days: config.SCAN_WINDOW_DAYS,
    stats: { candidates: 1, accounts: 0, matched: 0, signals: signals.length },
  })
  if (!run) {
    const running = await findScan(db, workspaceId, id)
    // It may have ended in between: then this one starts.
    if (!running) return startScan({ jobs, config }, db, workspaceId, { id, name })
    const { length } = await listTasks(db, workspaceId, running.id)
    return { run_id: running.id, jobs: length, status: 'running' }
  }
  await insertTasks(
    db,
    workspaceId,
    run.id,
    signals.map((signal) => signal.id),
  )
  await jobs.enqueue(db, scanAccount, { workspace_id: workspaceId, run_id: run.id, account_id: id })
  return { run_id: run.id, jobs: signals.length, status: 'running' }
}
