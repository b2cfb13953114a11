import type { Deps } from '../../deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { listDescribedAccounts } from './redaction-store.ts'
import { redactAccount, redactElsewhere } from './stored.ts'

/** `account_id`: where somebody was erased. No name: what the queue keeps must not name them. */
type Payload = { workspace_id: string; account_id: string; after?: string }

const FIRST = '00000000-0000-0000-0000-000000000000'
/** A job works through so many accounts and hands on to the next. */
const ACCOUNTS = 200
/** Longer than what was under way at the erasure takes to be written: it is redacted, too. */
const LATER_SECONDS = 60

/** Takes whoever was erased out of all texts of a workspace. */
export const redactErased = defineJob<Payload>({
  name: 'redact-erased',
  concurrency: 1,
  async run(deps, { workspace_id, account_id, after = FIRST }, { signal }) {
    const { db, jobs } = deps
    if (after === FIRST) await redactElsewhere(deps, workspace_id, account_id)
    const accounts = await listDescribedAccounts(db, workspace_id, after, ACCOUNTS)
    for (const id of accounts) {
      signal.throwIfAborted()
      await redactAccount(deps, workspace_id, id)
    }
    const last = accounts.at(-1)
    if (last && accounts.length === ACCOUNTS) {
      await jobs.enqueue(db, redactErased, { workspace_id, account_id, after: last })
    }
  },
})

/** Call it in the transaction of the erasure. */
export function redactLater({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, workspaceId: string, accountId: string) {
  const payload = { workspace_id: workspaceId, account_id: accountId }
  return jobs.enqueue(db, redactErased, payload, { startAfter: LATER_SECONDS })
}
