import type { Deps } from '../deps/deps.ts'
import { cannotJudge } from '../engine/classifier/index.ts'
import { defineJob } from '../jobs/define.ts'
import { listActiveAccounts } from '../resources/accounts/store.ts'
import { listDocuments } from '../resources/documents/store.ts'
import { daysBefore } from '../shared/days.ts'
import { readContext } from './context.ts'
import { detectAndRecord } from './detect-and-record.ts'
import { claimRereadings } from './judgement-store.ts'

/** `signal_id`: the one to look for; all of the workspace's when it is null. */
type Payload = { workspace_id: string; signal_id: string | null; after?: string }

/** A job works through so many accounts and hands on to the next: judging all they have read must end in time. */
const ACCOUNTS = 20

/**
 * Looks through what was read before: for a signal that is new or was changed, or for all with a reader that is new.
 * Nothing is fetched again, and nobody is alerted.
 */
export const redetectSignal = defineJob<Payload>({
  name: 'redetect-signal',
  concurrency: 1,
  async run(deps: Deps, { workspace_id, signal_id, after }, { signal }) {
    const { db, config, jobs, classifier } = deps
    const status = await classifier.status()
    if (!status.ready) throw new Error(cannotJudge(status.reason))
    const context = await readContext(deps, workspace_id)
    const signals = context.signals.filter(({ id }) => signal_id === null || id === signal_id)
    // Switched off or deleted meanwhile.
    if (signals.length === 0) return
    const since = daysBefore(context.today, config.SCAN_WINDOW_DAYS)
    const accounts = await listActiveAccounts(db, workspace_id, after ?? null, ACCOUNTS)
    for (const { id, name, domain } of accounts) {
      signal.throwIfAborted()
      const documents = await listDocuments(db, workspace_id, id, since)
      if (documents.length === 0) continue
      const target = { workspace_id, account_id: id, run_id: null }
      const options = { wanted: signals, isKnown: true, signal }
      await detectAndRecord(deps, context, target, { name, domain }, documents, options)
    }
    const last = accounts.at(-1)
    if (last && accounts.length === ACCOUNTS) {
      await jobs.enqueue(db, redetectSignal, { workspace_id, signal_id, after: last.id })
    }
  },
})

/** Has what was read before judged again when the reader's weights are new to a workspace: once, and without alerts. */
export const rejudgeDocuments = defineJob({
  name: 'rejudge-documents',
  atStart: true,
  schedule: '35 4 * * *',
  async run({ db, jobs, classifier, log }) {
    if (!(await classifier.outlook()).ready) return
    await db.transaction().execute(async (db) => {
      const workspaces = await claimRereadings(db, classifier.version)
      for (const workspace_id of workspaces) await jobs.enqueue(db, redetectSignal, { workspace_id, signal_id: null })
      if (workspaces.length > 0)
        log.info({ version: classifier.version, workspaces: workspaces.length }, 'the reader is new')
    })
  },
})
