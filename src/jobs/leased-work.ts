import type { Logger } from 'pino'
import type { Lease, LeasedQueue } from '../db/leases.ts'
import { newId } from '../shared/ids.ts'

/** A lease is renewed three times before it would run out. */
const RENEWALS = 3

/** A new lease. What a killed worker held is free again after so many seconds. */
export function newLease(seconds: number): Lease {
  return { id: newId(), seconds }
}

/** Renews a lease until it is disposed of. A renewal that fails is logged: the next one may come in time. */
export function keepLease(lease: Lease, renew: (lease: Lease) => Promise<void>, log: Logger): Disposable {
  const timer = setInterval(
    () => {
      renew(lease).catch((err) => log.warn({ err }, 'a lease was not renewed'))
    },
    (lease.seconds * 1000) / RENEWALS,
  )
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Aborts with the signal, or when so much time has passed: a job works for so long and hands on to the next. */
export function deadlineAfter(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)])
}

type LeasedWork<T> = {
  queue: LeasedQueue<T>
  lease: Lease
  /** Pieces of work in hand at once. */
  lanes: number
  /** Rows in a piece of work. */
  batch?: number
  /** Rows claimed at once. More than a piece holds are claimed ahead, so that no lane waits for the database. */
  claimed?: number
  work: (rows: T[]) => Promise<void>
  /** Nothing more is taken when this aborts; what is in hand is finished. */
  deadline: AbortSignal
  /** Whether nothing more should be taken for another reason. */
  isOver?: () => boolean
  /** Writes what is still to be written, while the rows are held. */
  finish?: () => Promise<void>
  log: Logger
}

/**
 * Works on the rows of a queue until none is due or the deadline passes. Rows are claimed under a lease, so that several
 * workers share a queue and a killed worker loses nothing. When a lane fails, the others finish what they have in hand;
 * then the rows are given back and the failure is thrown. Answers whether no row was due any more.
 */
export async function workUnderLease<T>(options: LeasedWork<T>): Promise<{ isDrained: boolean }> {
  const { queue, lease, lanes, batch = 1, claimed = batch, work, deadline, isOver = () => false, finish, log } = options
  const fewest = claimed > batch ? claimed / 2 : 1
  const ready: T[] = []
  let claiming: Promise<void> | null = null
  let isDrained = false
  let hasFailed = false

  async function claim(): Promise<void> {
    try {
      const rows = await queue.claim(lease, claimed)
      isDrained = rows.length === 0
      ready.push(...rows)
    } finally {
      claiming = null
    }
  }

  /** The next rows for a lane; none when there are no more. */
  async function take(): Promise<T[]> {
    for (;;) {
      if (ready.length < fewest && !isDrained && !claiming) {
        claiming = claim()
        // Whoever waits for the rows learns of a failure. If nobody does, the next lane asks again.
        claiming.catch(() => {})
      }
      if (ready.length > 0) return ready.splice(0, batch)
      if (!claiming) return []
      await claiming
    }
  }

  async function lane(): Promise<void> {
    while (!hasFailed && !deadline.aborted && !isOver()) {
      const rows = await take()
      if (rows.length === 0) return
      await work(rows)
      // Without a store of rows claimed ahead a lane looks again when it is done: a retry may be due by then.
      if (claimed === batch) isDrained = false
    }
  }

  using _ = keepLease(lease, queue.renew, log)
  try {
    const ends = await Promise.allSettled(
      Array.from({ length: lanes }, () =>
        lane().catch((error: unknown) => {
          hasFailed = true
          throw error
        }),
      ),
    )
    // A claim under way must be over before its rows are given back.
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
