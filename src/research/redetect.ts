import type { Deps } from '../deps/deps.ts'
import { classifierUnavailableMessage } from '../engine/classifier/index.ts'
import { defineJob } from '../jobs/define.ts'
import { listActiveAccounts } from '../resources/accounts/store.ts'
import { listDocuments } from '../resources/documents/store.ts'
import { daysBefore } from '../shared/days.ts'
import { readContext } from './context.ts'
import { detectAndRecord } from './detect-and-record.ts'
import { claimRereadings } from './judgement-store.ts'

/** `signal_id`: null for all signals of the workspace. */
type Payload = { workspace_id: string; signal_id: string | null; after?: string }

/** The number of accounts that a job processes before it enqueues its successor, to stay within its timeout. */
const ACCOUNTS = 20

/**
 * Detects signals in stored documents: a new or changed signal, or all signals with a new version of the classifier.
 * Fetches nothing and sends no alerts.
 */
export const redetectSignal = defineJob<Payload>({
  name: 'redetect-signal',
  concurrency: 1,
  async run(deps: Deps, { workspace_id, signal_id, after }, { signal }) {
    const { db, config, jobs, classifier } = deps
    const context = await readContext(deps, workspace_id)
    const signals = context.signals.filter(({ id }) => signal_id === null || id === signal_id)
    // Switched off or deleted in the meantime.
    if (signals.length === 0) return
    const since = daysBefore(context.today, config.SCAN_WINDOW_DAYS)
    const accounts = await listActiveAccounts(db, workspace_id, after ?? null, ACCOUNTS)
    for (const { id, name, domain } of accounts) {
      signal.throwIfAborted()
      const documents = await listDocuments(db, workspace_id, id, since)
      if (documents.length === 0) continue
      // Here, because the loaded network takes 90 MB.
      const status = await classifier.status()
      if (!status.ready) throw new Error(classifierUnavailableMessage(status.reason))
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

/** Enqueues detection in stored documents, once for each workspace and version of the classifier. */
export const rejudgeDocuments = defineJob({
  name: 'rejudge-documents',
  atStart: true,
  schedule: '35 4 * * *',
  async run({ db, jobs, classifier, log }) {
    if (!(await classifier.checkRuntime()).ready) return
    await db.transaction().execute(async (db) => {
      const workspaces = await claimRereadings(db, classifier.version)
      for (const workspace_id of workspaces) await jobs.enqueue(db, redetectSignal, { workspace_id, signal_id: null })
      if (workspaces.length > 0)
        log.info(
          { version: classifier.version, workspaces: workspaces.length },
          'new version of the classifier: stored documents are judged again',
        )
    })
  },
})
