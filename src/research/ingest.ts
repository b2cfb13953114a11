import { queueAlert } from '../delivery/alerts/queue.ts'
import type { Deps } from '../deps.ts'
import { lockForAssessment } from '../resources/accounts/store.ts'
import { readContext } from './context.ts'
import { type SourcedDocument, saveDocuments } from './document-store.ts'
import { type Board, findSignals, type WantedSignal } from './find-signals.ts'
import { type Recorded, recordFindings } from './record.ts'
import { wordDetections } from './rewrite-texts.job.ts'

type Target = { workspace_id: string; account_id: string; run_id: string | null }
type Subject = { name: string; domain: string | null }

/** What was read about a company. A document that is fresh has just appeared, so it needs no date to count. */
export type Reading = { documents: readonly (SourcedDocument & { fresh?: boolean })[]; boards?: readonly Board[] }

type Options = {
  /** The signals to look for; all active ones when left out. */
  lookFor?: readonly WantedSignal[]
  /** Of a pass over everything, the signals it could have seen: without an event they are kept as absent. */
  seen?: readonly string[]
  /** What was read before is neither kept again nor told: nobody waits for it. */
  again?: boolean
}

/**
 * Keeps what was read, looks through it for every active signal, and stores what it finds with the account's new score,
 * all or nothing. The same reading again adds nothing. Answers null when the account is gone.
 */
export async function detectIn(
  deps: Deps,
  { workspace_id, account_id, run_id }: Target,
  subject: Subject,
  { documents, boards = [] }: Reading,
  { lookFor, seen = [], again = false }: Options = {},
): Promise<Recorded | null> {
  const context = await readContext(deps, workspace_id)
  const signals = lookFor ?? context.signals
  const windowDays = deps.config.SCAN_WINDOW_DAYS
  const findings = findSignals(subject, documents, boards, signals, { today: context.today, windowDays })
  return deps.db.transaction().execute(async (db) => {
    const target = { accountId: account_id, runId: run_id }
    // First: whoever scores an account holds others up until the end.
    if (!(await lockForAssessment(db, workspace_id, account_id))) return null
    if (!again) await saveDocuments(db, workspace_id, account_id, documents)
    const recorded = await recordFindings(db, workspace_id, target, findings, context, seen)
    if (!recorded) return null
    if (recorded.is_active && recorded.added.length > 0 && !again) {
      await queueAlert({ ...deps, db }, workspace_id, {
        type: 'signal.detected',
        account_id,
        run_id,
        detection_ids: recorded.added,
      })
    }
    const changed = [...recorded.added, ...recorded.updated]
    if (deps.config.LLM_BASE_URL && changed.length > 0) {
      await deps.jobs.enqueue(db, wordDetections, { workspace_id, detection_ids: changed })
    }
    return recorded
  })
}
