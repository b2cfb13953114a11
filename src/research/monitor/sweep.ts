import type { LeasedQueue } from '../../db/leases.ts'
import type { Deps } from '../../deps/deps.ts'
import { BatchWriter } from '../../jobs/batch-writer.ts'
import { newLease, workUnderLease } from '../../jobs/leased-work.ts'
import { eventsWithoutErased } from '../../people/redact/found.ts'
import { newId } from '../../shared/ids.ts'
import { checkAccountPages } from './check.ts'
import { type CheckResult, type ClaimedMonitor, dueMonitors, recordChecks } from './store.ts'

/** Accounts of a killed worker are free again after this. */
const LEASE_SECONDS = 60
/** Results are written together, and soon: what is not written yet is looked at again after a kill. */
const FLUSH_CHECKS = 200
const FLUSH_MS = 200

type Parts = Deps & { signal: AbortSignal }

/** Checks accounts that are due until there is none left or the deadline passes. Answers whether there is more to do. */
export async function sweep(deps: Parts, deadline: AbortSignal): Promise<boolean> {
  const { db, log, config, signal } = deps
  const { request, visit } = deps.outbound
  // Sites are visited; the language model is at an address of the settings, where what the allow list says counts.
  const byTrust: typeof request = (url, options) => (options.trust === 'public' ? visit : request)(url, options)
  const visiting = { ...deps, outbound: { ...deps.outbound, request: byTrust } }
  const lease = newLease(LEASE_SECONDS)
  const recorder = new BatchWriter<CheckResult>((results) => record(deps, lease.id, results), {
    size: FLUSH_CHECKS,
    everyMs: FLUSH_MS,
  })
  const { isDrained } = await workUnderLease({
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

/** Looks up in one question what the robots.txt of all the sites say that are visited next. */
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

/** One account that cannot be checked must not keep the others from it; it says so in its own feed. */
async function checkSafely(deps: Parts, monitor: ClaimedMonitor, leaseId: string): Promise<CheckResult | null> {
  const { workspace_id, account_id, domain, pages } = monitor
  try {
    const result = await checkAccountPages(deps, monitor, leaseId)
    return result && { ...result, events: await eventsWithoutErased(deps, workspace_id, account_id, result.events) }
  } catch (err) {
    if (deps.signal.aborted) return null
    deps.log.error({ err, workspace_id, account_id }, 'an account could not be checked')
    return cutShort(monitor, pages[0]?.url ?? `https://${domain}/`)
  }
}

/**
 * Writes results together. When that fails, each is written alone, so that what one site says cannot keep the others from
 * being looked at; one that cannot be written even then says so in its feed.
 */
async function record(deps: Deps, leaseId: string, results: CheckResult[]): Promise<void> {
  const { db, log } = deps
  const seconds = deps.config.MONITOR_INTERVAL_MINUTES * 60
  try {
    await recordChecks(db, leaseId, results, seconds)
  } catch (err) {
    log.warn({ err, count: results.length }, 'checks could not be written together')
    for (const result of results) {
      await recordChecks(db, leaseId, [result], seconds).catch((err) => {
        log.error({ err, account_id: result.account_id }, 'a check could not be written')
        return recordChecks(db, leaseId, [cutShort(result, result.events[0]?.url ?? '')], seconds)
      })
    }
  }
}

function cutShort(
  { workspace_id, account_id }: Pick<CheckResult, 'workspace_id' | 'account_id'>,
  url: string,
): CheckResult {
  const reason = 'The check was cut short by an error of the service. It is made again at the next turn.'
  const event = { status: 'failed', search_status: 'skipped', meaningful: false, confidence: 1, run_id: null } as const
  const events = [{ id: newId(), url, reason, ...event }]
  return { workspace_id, account_id, complete: false, pages: [], events, settled: [] }
}
