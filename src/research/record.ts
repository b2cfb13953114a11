import type { Db } from '../db/connect.ts'
import { type DetectionRow, writeAbsent, writeDetections } from '../resources/detections/store.ts'
import { listClosestTitles } from '../resources/people/store.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import { newId } from '../shared/ids.ts'
import { type AssessedAccount, alphaOf, fitOf } from './assess.ts'
import type { ResearchContext } from './context.ts'
import { draftOf } from './drafts/redraft.ts'
import type { Finding } from './find-signals.ts'
import { listKnownEvents } from './known-events.ts'
import { type KnownEvent, mergeFindings } from './merge.ts'

export type Recorded = {
  /** Detections that were not there before. */
  added: string[]
  /** Detections that know more than before. */
  updated: string[]
  /** Signals that the findings show, new or known. */
  found: string[]
}

/**
 * Makes findings into detections of a locked account. `visible` names the signals that a full pass could have seen: those
 * without an event are kept as absent.
 */
export async function recordFindings(
  db: Db,
  workspaceId: string,
  account: AssessedAccount,
  runId: string | null,
  findings: readonly Finding[],
  context: ResearchContext,
  visible: readonly string[],
): Promise<Recorded> {
  if (findings.length === 0 && visible.length === 0) return { added: [], updated: [], found: [] }
  const { known, openings } = await listKnownEvents(db, workspaceId, account.id, findings)
  const { changed, shown } = await mergeFindings(account.name, known, findings, openings)
  const { icp_fit } = fitOf(context, account)
  const people = changed.length > 0 ? await listClosestTitles(db, workspaceId, account.id) : []
  const rows: DetectionRow[] = []
  const turn = yieldToEventLoop()
  for (const event of changed) {
    await turn()
    rows.push(rowOf(event, account, people, icp_fit, context))
  }
  await writeDetections(db, workspaceId, account.id, runId, rows)
  const absent = visible.map((signal_id) => ({ id: newId(), signal_id }))
  await writeAbsent(db, workspaceId, account.id, absent, icp_fit)
  const isKnown = new Set(known.map(({ id }) => id))
  return {
    added: rows.filter(({ id }) => !isKnown.has(id)).map(({ id }) => id),
    updated: rows.filter(({ id }) => isKnown.has(id)).map(({ id }) => id),
    found: [...new Set(shown.map(({ signal_id }) => signal_id))],
  }
}

type Titled = { title: string | null }

function rowOf(
  event: KnownEvent,
  account: { name: string; domain: string | null },
  people: readonly Titled[],
  icp_fit: number,
  context: ResearchContext,
): DetectionRow {
  const { signal_id, detected_at, confidence, evidence } = event
  return {
    id: event.id ?? newId(),
    signal_id,
    detected_at,
    confidence,
    evidence,
    icp_fit,
    alpha: alphaOf(event, account.domain, context),
    sources: [...new Set(evidence.map(({ source_url }) => source_url).filter((url) => url !== null))],
    ...draftOf(event, account, people, context),
  }
}
