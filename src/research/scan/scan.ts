import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { defineJob, LOST_WORKER_MESSAGE } from '../../jobs/define.ts'
import { storeRedacted } from '../../people/redact/redact-findings.ts'
import { readIdentity, toNamedCompany } from '../../resources/account-relations/identity-store.ts'
import { listDueScans } from '../../resources/accounts/due-store.ts'
import { saveAccountBoards } from '../../resources/accounts/hiring-store.ts'
import type { ScanStarted } from '../../resources/accounts/schema.ts'
import { findAccount, getAccount, markScanned } from '../../resources/accounts/store.ts'
import {
  endRun,
  endTasks,
  failIdleRuns,
  findRun,
  findScan,
  insertScans,
  insertTasks,
  listTasks,
  type RunStats,
  touchRun,
} from '../../resources/runs/store.ts'
import { listSignals } from '../../resources/signals/store.ts'
import { getSubscription } from '../../resources/subscription/store.ts'
import { daysBefore } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import { readContext } from '../context.ts'
import { createSignalFinder, excludeNotJudged } from '../find-signals.ts'
import { listKnownBoards, snapshotJobBoards } from '../hiring.ts'
import { ingest } from '../ingest.ts'
import { seedWatchedPages } from '../monitor/page-schedule.ts'
import { enqueueMoveDetection } from '../moves/detect-moves.ts'
import { findUniverseFirmographics } from '../profile.ts'
import { streamResearch } from '../research.ts'
import { observableSignals, reportUnread, siteFailureReason, totalFailureReason } from '../source-reports.ts'
import { findStreamDocuments } from '../streams/items.ts'
import { nameFromSite } from './name-account.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config'>
type Started = Static<typeof ScanStarted>

/**
 * Starts a scan of an account for every active signal, or returns the one that is running. Throws not_found,
 * subscription_required, and no_active_signal when every signal is switched off.
 */
export async function requestScan(parts: Parts, workspaceId: string, id: string): Promise<Started> {
  const { name } = await getAccount(parts.db, workspaceId, id)
  await requireScanSubscription(parts.db, workspaceId)
  const started = await parts.db.transaction().execute((db) => startScan(parts, db, workspaceId, { id, name }))
  if (!started) throw noActiveSignal()
  return started
}

/** Throws subscription_required. */
export async function requireScanSubscription(db: Db, workspaceId: string): Promise<void> {
  const { status } = await getSubscription(db, workspaceId)
  if (status === 'active') return
  throw new AppError('subscription_required', 'Scanning an account needs an active subscription.')
}

export const noActiveSignal = () =>
  new AppError('no_active_signal', 'Every signal is switched off. Switch one on before scanning.')

/**
 * Starts a scan in the caller's transaction, or joins the running one. Returns null when every signal is switched off.
 */
async function startScan(
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
  // The running scan has ended in between: start a new one.
  if (!running) return startScan(parts, db, workspaceId, account)
  const { length } = await listTasks(db, workspaceId, running.id)
  return { run_id: running.id, jobs: length, status: 'running' }
}

/**
 * Starts a scan of each account that has none running, in few statements. Returns null when every signal is switched
 * off.
 */
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

type Payload = { workspace_id: string; run_id: string; account_id: string }

const RETRIES = 3

/** Reads the sources about an account once for all signals, and detects the signals in their documents. */
export const scanAccount = defineJob<Payload>({
  name: 'scan-account',
  retries: RETRIES,
  timeout: 600,
  onLost: ({ db }, { workspace_id, run_id }) => endRun(db, workspace_id, run_id, { failure: LOST_WORKER_MESSAGE }),
  async run(deps, payload, { signal, attempt }) {
    try {
      await scanOnce(deps, payload, signal)
    } catch (error) {
      if (attempt >= RETRIES && !signal.aborted) {
        await endRun(deps.db, payload.workspace_id, payload.run_id, {
          failure: 'The scan failed repeatedly with an internal error. See the log of the service.',
        })
      }
      throw error
    }
  },
})

async function scanOnce(deps: Deps, { workspace_id, run_id, account_id }: Payload, signal: AbortSignal): Promise<void> {
  const { db, config } = deps
  deps.parserPool.warmUp()
  const run = await findRun(db, workspace_id, run_id)
  if (run?.status !== 'running') return
  const stored = await findAccount(db, workspace_id, account_id)
  if (!stored) return endRun(db, workspace_id, run_id, { failure: 'The account was deleted.' })
  await touchRun(db, workspace_id, run_id)
  const account = await readIdentity(db, workspace_id, await nameFromSite(deps, workspace_id, stored, signal))
  const context = await readContext(deps, workspace_id)
  const signalIds = new Set((await listTasks(db, workspace_id, run_id)).map(({ signal_id }) => signal_id))
  // A signal that was switched on or off after the start belongs to the next scan.
  const wanted = context.signals.filter(({ id }) => signalIds.has(id))
  const wantedIds = wanted.map(({ id }) => id)
  const windowDays = config.SCAN_WINDOW_DAYS
  const since = daysBefore(context.today, windowDays)
  const options = { today: context.today, windowDays, signal, model: { account_id } }
  const finder = createSignalFinder(deps, workspace_id, toNamedCompany(account), wanted, options)
  const scope = {
    since,
    onPage: reportPages(db, workspace_id, run),
    rejectedRecords: account.rejected_records,
    knownBoards: await listKnownBoards(db, workspace_id, account_id),
  }
  const [research, streams] = await Promise.all([
    streamResearch(deps, account, scope, signal, finder.detect),
    findStreamDocuments(deps, account, since, signal),
  ])
  const { positions, listings, firmographics, pages, technologies, structure } = research
  const reports = [...research.sources, ...streams.sources]
  const count = research.documents.length + streams.documents.length
  const known = { ...run.stats, accounts: 1, documents: count, sources: reports }
  // Streams are read for all accounts: that they contain nothing about this company does not make up for failed sources.
  const failure = streams.documents.length > 0 ? null : totalFailureReason(research.sources)
  if (failure) return endRun(db, workspace_id, run_id, { stats: { ...known, accounts: 0 }, failure })
  await touchRun(db, workspace_id, run_id, known)
  const detections = [...research.documents, ...streams.documents.map(finder.detect)]
  const documents = detections.map(({ document }) => document)
  const { findings: detected, unread, skipped } = await finder.conclude(detections, positions)
  const hiring = await snapshotJobBoards(db, workspace_id, account, listings, context.today)
  const changes = (hiring?.findings ?? []).filter(({ signal_id }) => wantedIds.includes(signal_id))
  const universe = await findUniverseFirmographics(db, workspace_id, account.domain)
  const discovered = {
    firmographics,
    ...(universe && { universe }),
    documents: excludeNotJudged(documents, unread),
    // Hiring changes first: among findings of equal confidence, the first one determines the event.
    findings: [...changes, ...detected],
    technologies,
    structure,
    ...(hiring && { hiring: hiring.snapshot }),
  }
  await storeRedacted(deps, workspace_id, account_id, discovered, async (db, { found: kept, state, failed }) => {
    const sources = reportUnread(reports, documents, [...unread, ...failed], skipped)
    const stats = { ...known, sources }
    // Without the company's own site, a scan without findings proves nothing; what other sources report is stored.
    const siteFailure = kept.findings.length === 0 ? siteFailureReason(sources) : null
    const visible = siteFailure ? [] : observableSignals(sources, wantedIds)
    if (!siteFailure) {
      // The account before its monitor, as deactivation locks them, to avoid a deadlock.
      await markScanned(db, workspace_id, account_id)
      await seedWatchedPages(db, workspace_id, account_id, pages)
    }
    const target = { workspace_id, account_id, run_id }
    const ingested = await ingest(
      { ...deps, db },
      context,
      target,
      { found: { ...kept, visible }, state },
      'detections',
    )
    if (!ingested) return endRun(db, workspace_id, run_id, { stats, failure: 'The account was deleted.' })
    await saveAccountBoards(db, workspace_id, account, research.boards)
    if (siteFailure) return endRun(db, workspace_id, run_id, { stats: { ...stats, accounts: 0 }, failure: siteFailure })
    const { added, found } = ingested
    await enqueueMoveDetection({ ...deps, db }, workspace_id, account_id, ingested.documents)
    await endTasks(db, workspace_id, run_id, found, visible)
    await endRun(db, workspace_id, run_id, {
      stats: { ...stats, matched: found.length > 0 ? 1 : 0, detections: added.length },
    })
  })
}

/** A person who watches a scan needs no more. */
const REPORT_MS = 500

/** Records the pages that a scan reads, a few of them, so that its progress can be shown. */
function reportPages(db: Db, workspaceId: string, { id, stats }: { id: string; stats: RunStats }) {
  let pages = 0
  let reported = -REPORT_MS
  return async ({ url }: { url: string }) => {
    pages++
    if (performance.now() - reported < REPORT_MS) return
    reported = performance.now()
    await touchRun(db, workspaceId, id, { ...stats, reading: { url, pages } })
  }
}

/** The limit per hour, so that the scans of accounts activated together spread out over time. */
const BATCH = 500

/**
 * Scans active accounts again at an interval: only scans read job boards, filings, news and the whole site. Between
 * scans the monitor checks the watched pages.
 */
export const rescanAccounts = defineJob({
  name: 'rescan-accounts',
  schedule: '25 * * * *',
  concurrency: 1,
  async run({ db, jobs, config }, _payload, { signal }) {
    for (const { workspace_id, id, name } of await listDueScans(db, config.RESCAN_DAYS, BATCH)) {
      signal.throwIfAborted()
      await db.transaction().execute((db) => startScan({ jobs, config }, db, workspace_id, { id, name }))
    }
  },
})

/**
 * Longer than the queue needs to assign the job of a killed worker to another one, including retries and their delays.
 */
const FORGOTTEN_SECONDS = 15 * 60

/** Fails runs without activity, so that a run whose job is lost does not stay running. */
export const failAbandonedRuns = defineJob<{ idle?: number }>({
  name: 'end-forgotten-runs',
  schedule: '*/5 * * * *',
  async run({ db, log }, { idle = FORGOTTEN_SECONDS }) {
    const count = await failIdleRuns(db, idle)
    if (count > 0) log.warn({ count }, 'failed abandoned runs')
  },
})
