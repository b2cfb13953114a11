import type { Db } from '../db/connect.ts'
import type { StoredEvidence } from '../db/schema.ts'
import { createFingerprint, type EventFingerprint, isSameEvent } from '../engine/events/index.ts'
import type { Candidate } from '../engine/recipient/index.ts'
import {
  type DetectionRow,
  listAccountEvents,
  writeAbsentSignals,
  writeDetections,
} from '../resources/detections/store.ts'
import { listDocumentOpenings } from '../resources/documents/store.ts'
import { draftDetection } from '../resources/drafts/redraft.ts'
import { listCandidates } from '../resources/people/store.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import { newId } from '../shared/ids.ts'
import { type AssessedAccount, scoreEvent, scoreFit } from './assess.ts'
import type { ResearchContext } from './context.ts'
import type { Finding } from './detector.ts'

export type RecordedFindings = {
  /** Ids of new detections. */
  added: string[]
  /** Ids of detections with new evidence or details. */
  updated: string[]
  /** Ids of the signals of all findings. */
  found: string[]
}

/**
 * Stores findings as detections of a locked account. `visible`: the signals that a complete pass would have shown;
 * those without an event are stored as absent.
 */
export async function recordFindings(
  db: Db,
  workspaceId: string,
  account: AssessedAccount,
  runId: string | null,
  findings: readonly Finding[],
  context: ResearchContext,
  visible: readonly string[],
): Promise<RecordedFindings> {
  if (findings.length === 0 && visible.length === 0) return { added: [], updated: [], found: [] }
  const { known, openings } = await listKnownEvents(db, workspaceId, account.id, findings)
  const { changed, shown } = await mergeFindings(account.name, known, findings, openings)
  const { icp_fit } = scoreFit(context, account)
  const people = changed.length > 0 ? await listCandidates(db, workspaceId, account.id) : []
  const rows: DetectionRow[] = []
  const turn = yieldToEventLoop()
  for (const event of changed) {
    await turn()
    rows.push(rowOf(event, account, people, icp_fit, context))
  }
  await writeDetections(db, workspaceId, account.id, runId, rows)
  const absent = visible.map((signal_id) => ({ id: newId(), signal_id }))
  await writeAbsentSignals(db, workspaceId, account.id, absent, icp_fit)
  const isKnown = new Set(known.map(({ id }) => id))
  return {
    added: rows.filter(({ id }) => !isKnown.has(id)).map(({ id }) => id),
    updated: rows.filter(({ id }) => isKnown.has(id)).map(({ id }) => id),
    found: [...new Set(shown.map(({ signal_id }) => signal_id))],
  }
}

function rowOf(
  event: KnownEvent,
  account: AssessedAccount,
  people: readonly Candidate[],
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
    alpha: scoreEvent(event, account.domain, context),
    sources: [...new Set(evidence.map(({ source_url }) => source_url).filter((url) => url !== null))],
    ...draftDetection(event, account, people, context),
  }
}

/** An event with its evidence. */
type KnownEvent = {
  /** Null before it is stored. */
  id: string | null
  signal_id: string
  /** The day of the event. */
  detected_at: string
  confidence: number
  evidence: StoredEvidence[]
  /** False when a member called it wrong: further evidence is added, and it stays hidden. */
  is_shown: boolean
}

type MergedFindings = {
  /** Events that are new or have changed. */
  changed: KnownEvent[]
  /** The findings without those of events that a member called wrong. */
  shown: Finding[]
}

/** The limit of evidence per event. */
const MAX_EVIDENCE = 20

/**
 * Merges findings with known events: another document about a known event becomes its evidence, any other finding is a
 * new event. Idempotent. `openings`: the beginnings of the documents of the evidence, by address.
 */
export async function mergeFindings(
  companyName: string,
  known: readonly KnownEvent[],
  findings: readonly Finding[],
  openings: ReadonlyMap<string, string>,
): Promise<MergedFindings> {
  // Computing hundreds of fingerprints would block the event loop.
  const turn = yieldToEventLoop()
  const events: { event: KnownEvent; fingerprints: EventFingerprint[] }[] = []
  // Visible events first: a finding that matches both counts for the visible one, so that nothing is hidden without
  // feedback.
  for (const event of known.toSorted((a, b) => Number(b.is_shown) - Number(a.is_shown))) {
    const fingerprints: EventFingerprint[] = []
    for (const proof of event.evidence) {
      await turn()
      fingerprints.push(fingerprintOf(event, proof, companyName, openings))
    }
    events.push({ event: copyOf(event), fingerprints })
  }
  const touched = new Set<KnownEvent>()
  const shown: Finding[] = []
  // The finding with the highest confidence determines the new event.
  for (const finding of findings.toSorted((a, b) => b.confidence - a.confidence)) {
    await turn()
    const { claim, quote, details, judged_by, role, source_url, published_date, signal_id, confidence, date } = finding
    const fingerprint = createFingerprint(finding, companyName)
    const proof: StoredEvidence = {
      claim,
      quote,
      details,
      source_url,
      published_date,
      judged_by,
      ...(role && { role }),
    }
    const same = events.find(({ fingerprints }) => fingerprints.some((one) => isSameEvent(one, fingerprint)))
    if (!same) {
      const event = { id: null, signal_id, detected_at: date, confidence, evidence: [proof], is_shown: true }
      events.push({ event, fingerprints: [fingerprint] })
      touched.add(event)
      shown.push(finding)
      continue
    }
    same.fingerprints.push(fingerprint)
    if (same.event.is_shown) shown.push(finding)
    if (addProof(same.event, proof, date, confidence)) touched.add(same.event)
  }
  return { changed: [...touched], shown }
}

const copyOf = (event: KnownEvent): KnownEvent => ({ ...event, evidence: [...event.evidence] })

function fingerprintOf(
  { signal_id, detected_at }: KnownEvent,
  proof: StoredEvidence,
  companyName: string,
  openings: ReadonlyMap<string, string>,
): EventFingerprint {
  const context = openings.get(proof.source_url ?? '')
  return createFingerprint({ ...proof, signal_id, date: detected_at, context }, companyName)
}

/** Returns whether the event has changed. */
function addProof(event: KnownEvent, proof: StoredEvidence, date: string, confidence: number): boolean {
  let changed = false
  const same = event.evidence.findIndex(({ source_url }) => source_url === proof.source_url)
  const before = event.evidence[same]
  if (!before && event.evidence.length < MAX_EVIDENCE) {
    event.evidence.push(proof)
    changed = true
  } else if (
    before &&
    (before.claim !== proof.claim || before.quote !== proof.quote || before.published_date !== proof.published_date)
  ) {
    // A page that was rewritten, or a board that lists other positions now.
    event.evidence[same] = proof
    changed = true
  }
  if (confidence > event.confidence) {
    event.confidence = confidence
    changed = true
  }
  if (date < event.detected_at) {
    event.detected_at = date
    changed = true
  }
  return changed
}

/** The account's events of the signals of the findings, and the beginnings of the documents that prove them. */
export async function listKnownEvents(
  db: Db,
  workspaceId: string,
  accountId: string,
  findings: readonly Finding[],
): Promise<{ known: KnownEvent[]; openings: ReadonlyMap<string, string> }> {
  const signalIds = new Set(findings.map(({ signal_id }) => signal_id))
  const known = (await listAccountEvents(db, workspaceId, accountId)).filter(({ signal_id }) =>
    signalIds.has(signal_id),
  )
  const urls = known.flatMap(({ evidence }) => evidence.flatMap(({ source_url }) => source_url ?? []))
  return { known, openings: await listDocumentOpenings(db, workspaceId, accountId, [...new Set(urls)]) }
}
