import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../deps/deps.ts'
import { createLease, startLeaseRenewal } from '../jobs/leased-work.ts'
import { AppError } from '../shared/errors.ts'
import { claimLookup, releaseLookup, renewLookup } from './lookup-store.ts'

/** A process that dies in the middle of a lookup holds the others up for so long. */
const LEASE_SECONDS = 30
const POLL_MS = 150

type Lookup<T> = {
  /** What is looked up, such as `email:<person>`; the same subject is looked up once at a time. */
  subject: string
  /** The answer if it is known already, from before or by somebody else's lookup meanwhile. */
  known: () => Promise<T | null>
  run: () => Promise<T>
  signal: AbortSignal
}

/**
 * Answers from what is known, or looks it up; whoever asks for the same meanwhile, in any process, waits for that
 * lookup and gets its answer. A row with a lease and no lock: no connection is held while the network is waited for.
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
    // Between the first look and the claim somebody may have finished.
    return (await known()) ?? (await run())
  } finally {
    await releaseLookup(db, workspaceId, subject, lease)
  }
}

/** For `.catch(…)`: a lookup that its time ended is no error of the service. */
export function tookTooLong(signal: AbortSignal) {
  return (error: unknown): never => {
    if (!signal.aborted || error instanceof AppError) throw error
    const message = 'The lookup took too long and was given up. Nothing was changed.'
    throw new AppError('unavailable', message, { retryAfter: 30, cause: error })
  }
}
