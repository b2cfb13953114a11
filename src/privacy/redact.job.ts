import type { Deps } from '../deps/deps.ts'
import { defineJob } from '../jobs/define.ts'
import { NIL_ID } from '../shared/ids.ts'
import { redactAccount } from './redact-account.ts'
import { redactOtherRecords } from './redact-other-records.ts'
import { listAccountsWithTexts } from './redaction-store.ts'

/** `account_id`: the account of the erased person. The payload contains no name, because the queue stores it. */
type Payload = { workspace_id: string; account_id: string; after?: string }

/** Number of accounts per job; the job enqueues the next batch. */
const ACCOUNTS_PER_JOB = 200
/** Longer than a write without a lock takes (for example monitor events), so that writes in progress at the erasure are redacted, too. */
const DELAY_SECONDS = 60

/** Removes all erased people from all texts of a workspace. Throws if texts are left, so that the job is retried. */
export const redactErasedPeople = defineJob<Payload>({
  name: 'redact-erased',
  concurrency: 1,
  async run(deps, { workspace_id, account_id, after = NIL_ID }, { signal }) {
    const { db, jobs } = deps
    if (after === NIL_ID) await redactOtherRecords(deps, workspace_id, account_id)
    const accounts = await listAccountsWithTexts(db, workspace_id, after, ACCOUNTS_PER_JOB)
    let left = 0
    for (const id of accounts) {
      signal.throwIfAborted()
      if (!(await redactAccount(deps, workspace_id, id))) left++
    }
    if (left > 0) throw new Error(`Texts of ${left} accounts could not be searched for erased people.`)
    const last = accounts.at(-1)
    if (last && accounts.length === ACCOUNTS_PER_JOB) {
      await jobs.enqueue(db, redactErasedPeople, { workspace_id, account_id, after: last })
    }
  },
})

/** Enqueues the redaction of the whole workspace. Call it in the transaction of the erasure. */
export function scheduleRedaction({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, workspaceId: string, accountId: string) {
  const payload = { workspace_id: workspaceId, account_id: accountId }
  return jobs.enqueue(db, redactErasedPeople, payload, { startAfter: DELAY_SECONDS })
}

/** Time limit for redacting the texts about the person's company before the response; the job redacts the rest. */
const INLINE_LIMIT_MS = 10_000

/** Redacts the texts of an account within the time limit, and enqueues a job for the rest. */
export async function redactAccountNow(
  deps: Pick<Deps, 'db' | 'secrets' | 'parserPool' | 'log' | 'jobs' | 'config'>,
  workspaceId: string,
  accountId: string,
): Promise<void> {
  if (await redactAccount(deps, workspaceId, accountId, AbortSignal.timeout(INLINE_LIMIT_MS))) return
  await deps.jobs.enqueue(deps.db, redactErasedPeople, { workspace_id: workspaceId, account_id: accountId })
}
