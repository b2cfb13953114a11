import type { Deps } from '../../deps/deps.ts'
import { getPerson } from '../../resources/people/store.ts'
import type { Viewer } from '../../shared/member.ts'
import { rethrowTimeout } from '../lookup.ts'
import { recordReveal } from '../record-reveal.ts'
import { lookUpEmail } from './look-up-email.ts'
import { scheduleEmailRecheck } from './recheck.job.ts'

/** Time in the queue for the domain's mail server, in addition to the verification itself. */
const QUEUE_MS = 60_000

/**
 * Returns the verified work email, and looks it up when it is not stored. A mail server that defers the request (greylisting)
 * is queried again in the background. Throws not_found, unavailable.
 */
export async function revealEmail(deps: Deps, viewer: Viewer, id: string, memberId: string) {
  const person = await getPerson(deps.db, viewer, id)
  if (person.email) return { id: person.id, email: person.email, reason: null }
  const signal = AbortSignal.timeout(deps.config.EMAIL_VERIFY_SECONDS * 1000 + QUEUE_MS)
  const found = await lookUpEmail(deps, viewer.workspace_id, person.id, signal).catch(rethrowTimeout(signal))
  if (found.later) await scheduleEmailRecheck(deps, viewer.workspace_id, person.id)
  if (found.email) await recordReveal(deps.db, viewer.workspace_id, person, memberId, 'email')
  return { id: person.id, email: found.email, reason: found.reason }
}
