import type { LeasedQueue } from '../../db/leases.ts'
import type { Deps } from '../../deps/deps.ts'
import { BatchWriter } from '../../jobs/batch-writer.ts'
import { defineJob } from '../../jobs/define.ts'
import { createLease, deadlineAfter, processLeasedRows } from '../../jobs/leased-work.ts'
import { definePurge } from '../../jobs/purge.ts'
import { redactEvents } from '../../people/redact/redact-findings.ts'
import { newId } from '../../shared/ids.ts'
import { oldRobotsFiles } from '../robots-store.ts'
import { checkAccountPages } from './check.ts'
import {
  type CheckResult,
  type ClaimedMonitor,
  dueMonitors,
  oldNewsEvents,
  oldQuietEvents,
  recordChecks,
} from './store.ts'

/** The lease of a killed worker's accounts expires after this. */
const LEASE_SECONDS = 60
/**
 * Results are written in batches, after a short delay: unwritten results are lost when the worker is killed, and
 * checked again.
 */
const FLUSH_CHECKS = 200
const FLUSH_MS = 200

type Parts = Deps & { signal: AbortSignal }

/** Checks due accounts until none is left or the deadline passes. Returns whether there is more to do. */
async function checkDueMonitors(deps: Parts, deadline: AbortSignal): Promise<boolean> {
  const { db, log, config, signal } = deps
  const { request, visit } = deps.outbound
  // Sites are requested with `visit`; the language model is at a configured address, for which the allow list applies.
  const byTrust: typeof request = (url, options) => (options.trust === 'public' ? visit : request)(url, options)
  const visiting = { ...deps, outbound: { ...deps.outbound, request: byTrust } }
  const lease = createLease(LEASE_SECONDS)
  const recorder = new BatchWriter<CheckResult>((results) => record(deps, lease.id, results), {
    size: FLUSH_CHECKS,
    everyMs: FLUSH_MS,
  })
  const { isDrained } = await processLeasedRows({
    queue: knowingRobots(dueMonitors(db), deps.robots),
    lease,
    lanes: config.MONITOR_CONCURRENCY,
    claimed: 4 * config.MONITOR_CONCURRENCY,
    deadline,
    log,
    async work(monitors) {
      for (const monitor of monitors) {
        const result = await checkSafely(visiting, monitor, lease.id)
        if (result) await recorder.add(result)
      }
    },
    finish: () => recorder.end(),
  })
  return !signal.aborted && !isDrained
}

/** Loads the cached robots.txt of all claimed sites in one query. */
function knowingRobots(queue: LeasedQueue<ClaimedMonitor>, robots: Deps['robots']): LeasedQueue<ClaimedMonitor> {
  return {
    ...queue,
    async claim(lease, limit) {
      const monitors = await queue.claim(lease, limit)
      await robots.preload(monitors.flatMap(({ pages }) => pages.map(({ url }) => new URL(url).origin)))
      return monitors
    },
  }
}

/** An error in one account must not stop the others; it becomes an event of the account. */
async function checkSafely(deps: Parts, monitor: ClaimedMonitor, leaseId: string): Promise<CheckResult | null> {
  const { workspace_id, account_id, domain, pages } = monitor
  try {
    const result = await checkAccountPages(deps, monitor, leaseId)
    return result && { ...result, events: await redactEvents(deps, workspace_id, account_id, result.events) }
  } catch (err) {
    if (deps.signal.aborted) return null
    deps.log.error({ err, workspace_id, account_id }, 'failed to check an account')
    return cutShort(monitor, pages[0]?.url ?? `https://${domain}/`)
  }
}

/**
 * Writes the results of each workspace in one statement. If that fails, each is written separately, so that content of one site cannot block
 * the others; one that still fails is replaced by an error event.
 */
async function record(deps: Deps, leaseId: string, results: CheckResult[]): Promise<void> {
  const { db, log } = deps
  const seconds = deps.config.MONITOR_INTERVAL_MINUTES * 60
  for (const [workspaceId, checks] of Map.groupBy(results, ({ workspace_id }) => workspace_id))
    try {
      await recordChecks(db, workspaceId, leaseId, checks, seconds)
    } catch (err) {
      log.warn({ err, count: checks.length }, 'failed to write checks in one statement')
      for (const result of checks) {
        await recordChecks(db, workspaceId, leaseId, [result], seconds).catch((err) => {
          log.error({ err, account_id: result.account_id }, 'failed to write a check')
          return recordChecks(db, workspaceId, leaseId, [cutShort(result, result.events[0]?.url ?? '')], seconds)
        })
      }
    }
}

function cutShort(
  { workspace_id, account_id }: Pick<CheckResult, 'workspace_id' | 'account_id'>,
  url: string,
): CheckResult {
  const reason = 'The check was cut short by an error of the service. It is repeated at the next interval.'
  const event = { status: 'failed', search_status: 'skipped', meaningful: false, confidence: 1, run_id: null } as const
  const events = [{ id: newId(), url, reason, ...event }]
  return { workspace_id, account_id, complete: false, pages: [], events, settled: [] }
}

/** After this a job ends and enqueues its successor. */
const DEADLINE_MS = 5 * 60_000

/** Checks the accounts that are due. Concurrent workers share them. */
export const sweepMonitors = defineJob({
  name: 'sweep-monitors',
  schedule: '* * * * *',
  atStart: true,
  concurrency: 1,
  async run(deps, _payload, { signal }) {
    if (!deps.config.SOURCES.has('website')) return
    const isMore = await checkDueMonitors({ ...deps, signal }, deadlineAfter(DEADLINE_MS, signal))
    if (isMore) await deps.jobs.enqueue(deps.db, sweepMonitors, {})
  },
})

/** After this many days without a request, the cached robots.txt of a site is deleted. */
const ROBOTS_DAYS = 30

/** Deletes events without news early, the others after the retention time of documents. */
export const purgeMonitorEvents = definePurge('purge-monitor-events', 20, (config) => ({
  'events without news': oldQuietEvents(config.MONITOR_EVENTS_DAYS),
  'events with news': oldNewsEvents(config.DOCUMENT_RETENTION_DAYS),
  'unused robots.txt files': oldRobotsFiles(ROBOTS_DAYS),
}))
