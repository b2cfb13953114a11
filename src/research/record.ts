import type { Db } from '../db/connect.ts'
import { draftSignal } from '../engine/draft/index.ts'
import { newId } from '../ids.ts'
import { lockForAssessment } from '../resources/accounts/store.ts'
import { type DetectionRow, listKnown, writeAbsent, writeDetections } from '../resources/detections/store.ts'
import { alphaOf, assess, fitOf } from './assess.ts'
import type { Context } from './context.ts'
import type { Finding } from './find-signals.ts'
import { type KnownEvent, mergeFindings } from './merge.ts'

export type Recorded = {
  /** Detections that were not there before. */
  added: string[]
  /** Detections that know more than before. */
  updated: string[]
  /** Signals that this pass found, new or known. */
  found: string[]
  /** Whether the account is active, so that its news is told. */
  is_active: boolean
}

/**
 * Makes findings into detections of an account and assesses it anew, in the caller's transaction. Of two that come at
 * once, one waits for the other, so an event is never stored twice. `lookedFor` names the signals a full pass looked
 * for: those without an event are kept as absent. Answers null when the account is gone.
 */
export async function recordFindings(
  db: Db,
  workspaceId: string,
  { accountId, runId }: { accountId: string; runId: string | null },
  findings: readonly Finding[],
  context: Context,
  lookedFor: readonly string[] = [],
): Promise<Recorded | null> {
  const account = await lockForAssessment(db, workspaceId, accountId)
  if (!account) return null
  const known = await listKnown(db, workspaceId, accountId)
  const changed = mergeFindings(account.name, known, findings)
  const { icp_fit } = fitOf(context, account)
  const rows = changed.map((event) => rowOf(event, account, icp_fit, context))
  await writeDetections(db, workspaceId, accountId, runId, rows)
  const absent = lookedFor.map((signal_id) => ({ id: newId(), signal_id }))
  await writeAbsent(db, workspaceId, accountId, absent, icp_fit)
  await assess(db, workspaceId, account, context)
  const isKnown = new Set(known.map(({ id }) => id))
  return {
    added: rows.filter(({ id }) => !isKnown.has(id)).map(({ id }) => id),
    updated: rows.filter(({ id }) => isKnown.has(id)).map(({ id }) => id),
    found: [...new Set(findings.map(({ signal_id }) => signal_id))],
    is_active: account.status === 'active',
  }
}

function rowOf(
  event: KnownEvent,
  account: { name: string; domain: string | null },
  icp_fit: number,
  { today, signals, sections, sender }: Context,
): DetectionRow {
  const { signal_id, detected_at, confidence, evidence } = event
  const name = signals.find(({ id }) => id === signal_id)?.name
  const draft = draftSignal({
    account,
    signal: { signal_id, ...(name ? { name } : {}) },
    evidence,
    knowledge_base: sections,
    sender,
  })
  return {
    id: event.id ?? newId(),
    signal_id,
    detected_at,
    confidence,
    evidence,
    icp_fit,
    alpha: alphaOf(event, account.domain, today),
    sources: [...new Set(evidence.map(({ source_url }) => source_url).filter((url) => url !== null))],
    ...draft,
  }
}
