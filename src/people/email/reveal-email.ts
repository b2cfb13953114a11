import type { Deps } from '../../deps/deps.ts'
import { getPerson } from '../../resources/people/store.ts'
import type { Viewer } from '../../shared/member.ts'
import { rethrowTimeout } from '../lookup.ts'
import { lookUpEmail } from './look-up-email.ts'
import { scheduleEmailRecheck } from './recheck.job.ts'

/** Beyond the check itself: waiting for a turn at the domain's mail server. */
const WAIT_MS = 60_000

/**
 * Answers the verified work email, and looks it up where it is not known. A mail server that asked to come back is asked
 * once more in the background. Throws not_found, unavailable.
 */
export async function revealEmail(deps: Deps, viewer: Viewer, id: string) {
  const person = await getPerson(deps.db, viewer, id)
  if (person.email) return { id: person.id, email: person.email, reason: null }
  const signal = AbortSignal.timeout(deps.config.EMAIL_VERIFY_SECONDS * 1000 + WAIT_MS)
  const found = await lookUpEmail(deps, viewer.workspace_id, person.id, signal).catch(rethrowTimeout(signal))
  if (found.later) await scheduleEmailRecheck(deps, viewer.workspace_id, person.id)
  return { id: person.id, email: found.email, reason: found.reason }
}
