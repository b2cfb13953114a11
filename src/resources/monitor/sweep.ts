import type { Deps } from '../../deps.ts'
import { newId } from '../../ids.ts'
import { check } from './check.ts'
import {
  type CheckResult,
  type ClaimedMonitor,
  claimMonitors,
  recordChecks,
  releaseMonitors,
  renewLeases,
} from './store.ts'

/** Accounts of a killed worker are free again after this. */
const LEASE_SECONDS = 60
const RENEW_MS = 15_000
/** Results are written together, and soon: what is not written yet is looked at again after a kill. */
const FLUSH_CHECKS = 200
const FLUSH_MS = 200

type Parts = Deps & { signal: AbortSignal }

/**
 * Checks accounts that are due until there is none left or the stint ends. Each is claimed under a lease, so that
 * several workers share the work. Answers whether there is more to do.
 */
export async function sweep(deps: Parts, stint: AbortSignal): Promise<boolean> {
  const { db, log, config, signal } = deps
  const leaseId = newId()
  const recorder = new Recorder(deps, leaseId)
  const renewal = setInterval(() => {
    renewLeases(db, leaseId, LEASE_SECONDS).catch((err) => log.warn({ err }, 'leases were not renewed'))
  }, RENEW_MS)
  const claimed = 4 * config.MONITOR_CONCURRENCY
  const queue: ClaimedMonitor[] = []
  let claiming: Promise<ClaimedMonitor[]> | null = null
  let isDone = false

  /** The next account; claims ahead so that nobody waits for the database. */
  async function next(): Promise<ClaimedMonitor | undefined> {
    if (queue.length < claimed / 2 && !isDone && !claiming) {
      claiming = claimMonitors(db, leaseId, claimed, LEASE_SECONDS)
      // Whoever needs more accounts learns of a failure; until then it must not end the process.
      claiming.catch(() => {})
    }
    const waiting = queue.shift()
    if (waiting || !claiming) return waiting
    const current = claiming
    const more = await current
    if (claiming === current) {
      claiming = null
      isDone = more.length === 0
      queue.push(...more)
    }
    return queue.shift()
  }

  async function work(): Promise<void> {
    while (!stint.aborted) {
      const monitor = await next()
      if (!monitor) return
      const result = await checkSafely(deps, monitor, leaseId)
      if (result) recorder.add(result)
    }
  }

  try {
    await Promise.all(Array.from({ length: config.MONITOR_CONCURRENCY }, work))
    // A claim under way must be over before its accounts are given back.
    await (claiming as Promise<ClaimedMonitor[]> | null)
    await recorder.end()
    return !signal.aborted && !isDone
  } finally {
    clearInterval(renewal)
    recorder.stop()
    await releaseMonitors(db, leaseId)
  }
}

/** One account that cannot be checked must not keep the others from it; it says so in its own feed. */
async function checkSafely(deps: Parts, monitor: ClaimedMonitor, leaseId: string): Promise<CheckResult | null> {
  const { workspace_id, account_id, domain, pages } = monitor
  try {
    return await check(deps, monitor, leaseId)
  } catch (err) {
    if (deps.signal.aborted) return null
    deps.log.error({ err, workspace_id, account_id }, 'an account could not be checked')
    const url = pages[0]?.url ?? `https://${domain}/`
    const reason = 'The check was cut short by an error of the service. It is made again at the next turn.'
    const event = { status: 'failed', search_status: 'skipped', meaningful: false, confidence: 1 } as const
    return { workspace_id, account_id, pages: [], events: [{ id: newId(), url, reason, ...event }] }
  }
}

/** Writes results in batches, one write at a time. */
class Recorder {
  readonly #deps: Deps
  readonly #leaseId: string
  #results: CheckResult[] = []
  #writing: Promise<void> = Promise.resolve()
  #failure: unknown
  readonly #timer: NodeJS.Timeout

  constructor(deps: Deps, leaseId: string) {
    this.#deps = deps
    this.#leaseId = leaseId
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS)
  }

  add(result: CheckResult): void {
    if (this.#failure) throw this.#failure
    this.#results.push(result)
    if (this.#results.length >= FLUSH_CHECKS) this.#flush()
  }

  async end(): Promise<void> {
    this.#flush()
    await this.#writing
    if (this.#failure) throw this.#failure
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #flush(): void {
    if (this.#results.length === 0) return
    const results = this.#results
    this.#results = []
    const { db, config } = this.#deps
    this.#writing = this.#writing
      .then(() => recordChecks(db, this.#leaseId, results, config.MONITOR_INTERVAL_MINUTES * 60))
      .catch((error) => {
        this.#failure ??= error
      })
  }
}
