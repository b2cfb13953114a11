import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../deps/deps.ts'
import { createLease, startLeaseRenewal } from '../jobs/leased-work.ts'
import { AppError } from '../shared/errors.ts'
import { claimLookup, releaseLookup, renewLookup } from './lookup-store.ts'

/** Time for which a lookup stays claimed when its process dies. */
const LEASE_SECONDS = 30
const POLL_MS = 150

type Lookup<T> = {
  /** The lookup's key, such as `email:<person>`; a subject is looked up once at a time. */
  subject: string
  /** Returns the result if it is stored, from an earlier or a concurrent lookup. */
  known: () => Promise<T | null>
  run: () => Promise<T>
  signal: AbortSignal
}

/**
 * Returns the stored result, or runs the lookup. Concurrent callers with the same subject, in any process, wait for that
 * lookup and get its result. Uses a row with a lease instead of a database lock, so that no connection is held during
 * network requests.
 */
export async function lookUpOnce<T>(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  workspaceId: string,
  { subject, known, run, signal }: Lookup<T>,
): Promise<T> {
  const lease = createLease(LEASE_SECONDS)
  for (;;) {
    const before = await known()
    if (before !== null) return before
    if (await claimLookup(db, workspaceId, subject, lease)) break
    await wait(POLL_MS, undefined, { signal })
  }
  using _ = startLeaseRenewal(lease, (lease) => renewLookup(db, workspaceId, subject, lease), log)
  try {
    // Another process may have finished the lookup between the first check and the claim.
    return (await known()) ?? (await run())
  } finally {
    await releaseLookup(db, workspaceId, subject, lease)
  }
}

/** For `.catch(…)`: reports a lookup that timed out as `unavailable` instead of an internal error. */
export function rethrowTimeout(signal: AbortSignal) {
  return (error: unknown): never => {
    if (!signal.aborted || error instanceof AppError) throw error
    const message = 'The lookup timed out. Nothing was changed. Try again later.'
    throw new AppError('unavailable', message, { retryAfter: 30, cause: error })
  }
}
