import type { Logger } from 'pino'
import type { Lease, LeasedQueue } from '../db/leases.ts'
import { newId } from '../shared/ids.ts'

/** A lease is renewed three times before it would expire. */
const RENEWALS = 3

/** A new lease. Rows of a killed worker can be claimed again after `seconds`. */
export function createLease(seconds: number): Lease {
  return { id: newId(), seconds }
}

/** Renews a lease until it is disposed. A failed renewal is logged: the next one may come in time. */
export function startLeaseRenewal(lease: Lease, renew: (lease: Lease) => Promise<unknown>, log: Logger): Disposable {
  const timer = setInterval(
    () => {
      renew(lease).catch((err) => log.warn({ err }, 'a lease was not renewed'))
    },
    (lease.seconds * 1000) / RENEWALS,
  )
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Aborts with the signal or after `ms`: a job with more work than that enqueues a follow-up job. */
export function deadlineAfter(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)])
}

type LeasedWork<T> = {
  queue: LeasedQueue<T>
  lease: Lease
  /** Concurrent calls of `work`. */
  lanes: number
  /** Rows per call of `work`. */
  batch?: number
  /** Rows per claim. More than `batch` are claimed ahead, so that no lane waits for the database. */
  claimed?: number
  work: (rows: T[]) => Promise<void>
  /** No further rows are claimed when this aborts; claimed batches are finished. */
  deadline: AbortSignal
  /** Whether to stop claiming rows for another reason. */
  isOver?: () => boolean
  /** Writes pending results while the rows are still leased. */
  finish?: () => Promise<void>
  log: Logger
}

/**
 * Processes the rows of a queue until none is due or the deadline passes. Rows are claimed under a lease, so that several
 * workers share a queue and rows of a killed worker are claimed again. When a lane fails, the others finish their batches;
 * then the remaining rows are released and the error is thrown. Returns whether no row was due any more.
 */
export async function processLeasedRows<T>(options: LeasedWork<T>): Promise<{ isDrained: boolean }> {
  const { queue, lease, lanes, batch = 1, claimed = batch, work, deadline, isOver = () => false, finish, log } = options
  const fewest = claimed > batch ? claimed / 2 : 1
  let ready: T[] = []
  /** The first of them that no lane has. Removing rows from the front of hundreds moves the others each time. */
  let next = 0
  let claiming: Promise<void> | null = null
  let isDrained = false
  let hasFailed = false

  async function claim(): Promise<void> {
    try {
      const rows = await queue.claim(lease, claimed)
      isDrained = rows.length === 0
      ready = [...ready.slice(next), ...rows]
      next = 0
    } finally {
      claiming = null
    }
  }

  /** The next rows for a lane; none when there are no more. */
  async function take(): Promise<T[]> {
    for (;;) {
      if (ready.length - next < fewest && !isDrained && !claiming) {
        claiming = claim()
        // Avoids an unhandled rejection when no lane awaits the claim; the next lane claims again.
        claiming.catch(() => {})
      }
      if (next < ready.length) {
        const taken = ready.slice(next, next + batch)
        next += taken.length
        return taken
      }
      if (!claiming) return []
      await claiming
    }
  }

  async function lane(): Promise<void> {
    while (!hasFailed && !deadline.aborted && !isOver()) {
      const rows = await take()
      if (rows.length === 0) return
      await work(rows)
      // Without rows claimed ahead, a lane claims again after its work: a retry may be due by then.
      if (claimed === batch) isDrained = false
    }
  }

  using _ = startLeaseRenewal(lease, queue.renew, log)
  try {
    const ends = await Promise.allSettled(
      Array.from({ length: lanes }, () =>
        lane().catch((error: unknown) => {
          hasFailed = true
          throw error
        }),
      ),
    )
    // A pending claim must finish before its rows are released.
    await (claiming as Promise<void> | null)?.catch(() => {})
    const failure = ends.find((end) => end.status === 'rejected')
    await finish?.().catch((error: unknown) => {
      throw failure ? failure.reason : error
    })
    if (failure) throw failure.reason
    return { isDrained }
  } finally {
    await queue.release(lease)
  }
}
