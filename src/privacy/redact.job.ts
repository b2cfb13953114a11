import type { Deps } from '../deps/deps.ts'
import { defineJob } from '../jobs/define.ts'
import { NIL_ID } from '../shared/ids.ts'
import { redactAccount } from './redact-account.ts'
import { redactOtherRecords } from './redact-other-records.ts'
import { listAccountsWithTexts } from './redaction-store.ts'

/** `account_id`: where somebody was erased. No name: what the queue keeps must not name them. */
type Payload = { workspace_id: string; account_id: string; after?: string }

/** A job works through so many accounts and hands on to the next. */
const ACCOUNTS_PER_JOB = 200
/** Longer than what was under way at the erasure takes to be written without a lock, as events of monitors are: it is redacted, too. */
const DELAY_SECONDS = 60

/** Takes everybody who was erased out of all texts of a workspace. Throws where texts are left, to be tried again. */
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

/** Call it in the transaction of the erasure. */
export function scheduleRedaction({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, workspaceId: string, accountId: string) {
  const payload = { workspace_id: workspaceId, account_id: accountId }
  return jobs.enqueue(db, redactErasedPeople, payload, { startAfter: DELAY_SECONDS })
}

/** How long an erasure waits until the texts about the person's company are redacted; what is left then is done by the job. */
const INLINE_LIMIT_MS = 10_000

/** Redacts what is stored about an account within the time that the caller of an erasure waits. */
export async function redactAccountNow(
  deps: Pick<Deps, 'db' | 'secrets' | 'parserPool' | 'log' | 'jobs' | 'config'>,
  workspaceId: string,
  accountId: string,
): Promise<void> {
  if (await redactAccount(deps, workspaceId, accountId, AbortSignal.timeout(INLINE_LIMIT_MS))) return
  await deps.jobs.enqueue(deps.db, redactErasedPeople, { workspace_id: workspaceId, account_id: accountId })
}
