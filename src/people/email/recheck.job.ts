import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { AppError } from '../../shared/errors.ts'
import { lookUpEmail } from './look-up-email.ts'

type Payload = { workspace_id: string; person_id: string }

/** Longer than greylisting usually defers an unknown sender. */
const DELAY_SECONDS = 900
/** A lookup takes a minute; the rest is time in the queue. */
const LIMIT_MS = 600_000

/** Queries a mail server again that deferred the request for longer than a caller waits. */
export const recheckEmail = defineJob<Payload>({
  name: 'recheck-email',
  retries: 1,
  async run(deps, { workspace_id, person_id }, { signal }) {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
    try {
      await lookUpEmail(deps, workspace_id, person_id, bounded, { again: true })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      deps.log.info('a person was deleted before the email recheck')
    }
  },
})

export function scheduleEmailRecheck({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, workspaceId: string, personId: string) {
  const payload = { workspace_id: workspaceId, person_id: personId }
  return jobs.enqueue(db, recheckEmail, payload, { startAfter: DELAY_SECONDS })
}
