import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Relationship, StoredDraft, StoredEvidence } from '../../db/schema.ts'
import { visibleCondition } from '../../db/visibility.ts'
import { type MessageDraft, toMarkdown } from '../../engine/draft/index.ts'
import type { Viewer } from '../../shared/member.ts'
import type { DetectionDraft, Feedback } from './schema.ts'

export const DETECTION_COLUMNS = [
  ...(['id', 'signal_id', 'signal_present', 'alpha', 'icp_fit', 'detected_at', 'headline', 'narrative'] as const),
  ...(['why_reach_out_md', 'evidence', 'key_facts', 'personas', 'sources', 'confidence', 'created_at'] as const),
] as const

/**
 * The feedback on a detection as the API returns it. PostgreSQL writes the JSON of the feed, so the timestamp has its
 * format.
 */
export const feedbackOf = (table: string) => `case when ${table}.verdict is not null then json_build_object(
  'verdict', ${table}.verdict, 'reason', ${table}.verdict_reason, 'by', ${table}.verdict_by,
  'at', to_char(${table}.verdict_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`

/**
 * The draft and its Markdown form as the API returns them. A draft to a person whom the viewer may not see is left out,
 * because it names them.
 */
export function draftFields(table: string, viewer: Viewer): { draft: string; drafted_message_md: string } {
  const visible = visibleCondition(viewer, (id) => `'${id}'::uuid`)
  const shown = (value: string) =>
    visible === null
      ? value
      : `case when ${table}.draft_person_id is null or exists (select from people where people.workspace_id = '${viewer.workspace_id}'::uuid
          and people.id = ${table}.draft_person_id and ${visible}) then ${value} end`
  return {
    drafted_message_md: shown(`${table}.drafted_message_md`),
    draft: shown(`case when ${table}.draft is not null then json_build_object('person_id', ${table}.draft_person_id,
      'full_name', ${table}.draft -> 'to' -> 'full_name', 'title', ${table}.draft -> 'to' -> 'title',
      'subject', ${table}.draft -> 'message' -> 'subject', 'body', ${table}.draft -> 'message' -> 'body',
      'short_message', ${table}.draft -> 'message' -> 'short_message',
      'call_opener', ${table}.draft -> 'message' -> 'call_opener', 'is_signed', ${table}.draft -> 'is_signed',
      'note', ${table}.draft -> 'note', 'edited_at', ${table}.draft -> 'edited_at') end`),
  }
}

export const FEEDBACK = sql.raw<Feedback | null>(feedbackOf('signal_detections'))

/** The detections of an account: events, the latest first, then absent signals; or those that a member called wrong. */
export function listDetections(
  db: Db,
  viewer: Viewer,
  accountId: string,
  { present, wrong = false, id }: { present?: boolean | undefined; wrong?: boolean | undefined; id?: string },
) {
  const { draft, drafted_message_md } = draftFields('signal_detections', viewer)
  return db
    .selectFrom('signal_detections')
    .select([...DETECTION_COLUMNS, FEEDBACK.as('feedback')])
    .select([
      sql.raw<string | null>(drafted_message_md).as('drafted_message_md'),
      sql.raw<DetectionDraft | null>(draft).as('draft'),
    ])
    .where('workspace_id', '=', viewer.workspace_id)
    .where('account_id', '=', accountId)
    .where('verdict', wrong ? '=' : 'is distinct from', 'wrong')
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .$if(present !== undefined, (query) => query.where('signal_present', '=', present as boolean))
    .orderBy('signal_present', 'desc')
    .orderBy('detected_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The events of an account, the oldest first, including those that a member called wrong. */
export async function listAccountEvents(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('signal_detections')
    .select(['id', 'signal_id', 'alpha', 'confidence', 'detected_at', 'evidence', 'is_shown', 'verdict'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('signal_present', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export type DetectionRow = {
  id: string
  signal_id: string
  alpha: number
  icp_fit: number
  detected_at: string
  headline: string
  narrative: string
  why_reach_out_md: string
  drafted_message_md: string | null
  draft: MessageDraft
  evidence: StoredEvidence[]
  key_facts: string[]
  personas: string[]
  sources: string[]
  confidence: number
}

/** Inserts new events and updates known ones. A draft that a member edited does not change. */
export async function writeDetections(
  db: Db,
  workspaceId: string,
  accountId: string,
  runId: string | null,
  rows: DetectionRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into signal_detections (workspace_id, account_id, run_id, signal_present, id, signal_id, alpha, icp_fit,
      detected_at, headline, narrative, why_reach_out_md, drafted_message_md, draft, draft_person_id, evidence, key_facts,
      personas, sources, confidence, draft_hash)
    select ${workspaceId}::uuid, ${accountId}::uuid, ${runId}::uuid, true, given.*, ${draftHash}
    from json_to_recordset(${JSON.stringify(rows.map(toRow))}::json) as given (id uuid, signal_id text, alpha integer,
      icp_fit integer, detected_at date, headline text, narrative text, why_reach_out_md text, drafted_message_md text,
      draft jsonb, draft_person_id uuid, evidence jsonb, key_facts text[], personas text[], sources text[],
      confidence double precision)
    on conflict (workspace_id, id) do update set alpha = excluded.alpha, icp_fit = excluded.icp_fit,
      detected_at = excluded.detected_at, headline = excluded.headline, narrative = excluded.narrative,
      why_reach_out_md = excluded.why_reach_out_md, ${keepEdited('signal_detections', 'excluded')},
      evidence = excluded.evidence, key_facts = excluded.key_facts, personas = excluded.personas,
      sources = excluded.sources, confidence = excluded.confidence, draft_hash = excluded.draft_hash`.execute(db)
}

function toRow<R extends { draft: MessageDraft }>({ draft: { person_id, ...draft }, ...row }: R) {
  return { ...row, draft: draft satisfies StoredDraft, draft_person_id: person_id }
}

/** Sets the draft, unless a member edited it. */
const keepEdited = (table: string, given: string) =>
  sql.raw(
    ['drafted_message_md', 'draft_person_id', 'draft']
      .map(
        (column) =>
          `${column} = case when ${table}.draft ? 'edited_at' then ${table}.${column} else ${given}.${column} end`,
      )
      .join(', '),
  )

/** The hash of the generated texts in `given`. */
const draftHash = sql`md5(json_build_array(given.headline, given.narrative, given.why_reach_out_md, given.drafted_message_md,
  given.draft, given.draft_person_id, given.key_facts, given.personas)::text)`

/**
 * Stores one row for each observable signal without an event that counts, and deletes the rows of those that have one.
 */
export async function writeAbsentSignals(
  db: Db,
  workspaceId: string,
  accountId: string,
  rows: { id: string; signal_id: string }[],
  icpFit: number,
): Promise<void> {
  await deleteContradicted(db, workspaceId, accountId)
  if (rows.length === 0) return
  await sql`
    insert into signal_detections (workspace_id, account_id, id, signal_id, signal_present, alpha, icp_fit, detected_at)
    select ${workspaceId}::uuid, ${accountId}::uuid, id, signal_id, false, 0, ${icpFit}, current_date
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, signal_id text)
    where not exists (select from signal_detections found where found.workspace_id = ${workspaceId}
      and found.account_id = ${accountId} and found.signal_id = given.signal_id and found.is_shown)
    on conflict (workspace_id, account_id, signal_id) where not signal_present
      do update set detected_at = excluded.detected_at, icp_fit = excluded.icp_fit`.execute(db)
}

/** Deletes the rows of absent signals that have an event. */
export async function deleteContradicted(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await sql`
    delete from signal_detections absent
    where workspace_id = ${workspaceId} and account_id = ${accountId} and not signal_present and exists (
      select from signal_detections found where found.workspace_id = ${workspaceId}
        and found.account_id = absent.account_id and found.signal_id = absent.signal_id and found.is_shown)`.execute(db)
}

/** The texts of present detections and their inputs, for a language model to rewrite. */
export function listTextsToRewrite(db: Db, workspaceId: string, ids: string[]) {
  return db
    .selectFrom('signal_detections as detection')
    .innerJoin('accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'detection.workspace_id')
        .onRef('account.id', '=', 'detection.account_id'),
    )
    .select([
      'detection.id',
      'detection.signal_id',
      'detection.evidence',
      'detection.headline',
      'detection.narrative',
      'detection.why_reach_out_md',
      'detection.drafted_message_md',
      'detection.key_facts',
      'detection.personas',
    ])
    .select([
      sql<DraftOfAccount>`json_build_object('id', account.id, 'name', account.name, 'domain', account.domain,
        'industry', account.industry, 'employees', account.employees, 'owner_id', account.owner_id,
        'relationship', account.relationship, 'relationship_on', account.relationship_on)`.as('account'),
      sql<MessageDraft>`detection.draft || jsonb_build_object('person_id', detection.draft_person_id)`.as('draft'),
    ])
    .where('detection.workspace_id', '=', workspaceId)
    .where('detection.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('detection.signal_present', '=', true)
    .where(sql<boolean>`detection.draft is not null and not detection.draft ? 'edited_at'`)
    .execute()
}

type DraftOfAccount = {
  id: string
  name: string
  domain: string | null
  industry: string | null
  employees: number | null
  owner_id: string | null
  relationship: Relationship
  relationship_on: string | null
}

export type DetectionTexts = {
  headline: string
  narrative: string
  why_reach_out_md: string
  drafted_message_md: string | null
  draft: MessageDraft
}

/** Stores rewritten texts only while the evidence and the texts are unchanged. */
export async function updateRewrittenTexts(
  db: Db,
  workspaceId: string,
  id: string,
  from: DetectionTexts & { evidence: StoredEvidence[] },
  { headline, narrative, why_reach_out_md, drafted_message_md, draft }: DetectionTexts,
): Promise<void> {
  const { person_id: _, ...message } = draft
  const { person_id: __, ...before } = from.draft
  await db
    .updateTable('signal_detections')
    .set({ headline, narrative, why_reach_out_md, drafted_message_md, draft: JSON.stringify(message) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('headline', '=', from.headline)
    .where('narrative', '=', from.narrative)
    .where('why_reach_out_md', '=', from.why_reach_out_md)
    .where('drafted_message_md', 'is not distinct from', from.drafted_message_md)
    .where('draft', '=', sql<StoredDraft>`${JSON.stringify(before)}::jsonb`)
    .where('draft_person_id', 'is not distinct from', from.draft.person_id)
    .where('evidence', '=', sql<StoredEvidence[]>`${JSON.stringify(from.evidence)}::jsonb`)
    .execute()
}

/** Writes the generated texts that differ, and returns the ids of their detections. A draft that a member edited stays. */
export async function writeTexts(
  db: Db,
  workspaceId: string,
  rows: (DetectionTexts & { id: string; key_facts: string[]; personas: string[] })[],
): Promise<string[]> {
  if (rows.length === 0) return []
  const written = await sql<{ id: string }>`
    update signal_detections as d set headline = given.headline, narrative = given.narrative,
      why_reach_out_md = given.why_reach_out_md, ${keepEdited('d', 'given')},
      key_facts = given.key_facts, personas = given.personas, draft_hash = given.draft_hash
    from (select *, ${draftHash} as draft_hash from json_to_recordset(${JSON.stringify(rows.map(toRow))}::json) as given (id uuid, headline text, narrative text,
      why_reach_out_md text, drafted_message_md text, draft jsonb, draft_person_id uuid, key_facts text[],
      personas text[])) as given
    where d.workspace_id = ${workspaceId} and d.id = given.id
      and d.draft_hash is distinct from given.draft_hash
    returning d.id`.execute(db)
  return written.rows.map(({ id }) => id)
}

/** Stores a member's version of a draft. */
export async function writeEditedDraft(
  db: Db,
  workspaceId: string,
  id: string,
  message: NonNullable<StoredDraft['message']>,
): Promise<void> {
  await db
    .updateTable('signal_detections')
    .set({
      drafted_message_md: toMarkdown(message),
      draft: sql`draft || jsonb_build_object('message', ${JSON.stringify(message)}::jsonb, 'note', null, 'is_signed', true,
        'edited_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Drops a member's version; the next draft replaces it. */
export async function clearEditedDraft(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('signal_detections')
    .set({ draft: sql`draft - 'edited_at'`, draft_hash: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Updates the scores of detections. */
export async function writeScores(
  db: Db,
  workspaceId: string,
  alphas: { id: string; alpha: number }[],
  accountId: string,
  icpFit: number,
): Promise<void> {
  if (alphas.length > 0) {
    await sql`
      update signal_detections set alpha = given.alpha
      from json_to_recordset(${JSON.stringify(alphas)}::json) as given (id uuid, alpha integer)
      where signal_detections.workspace_id = ${workspaceId} and signal_detections.id = given.id`.execute(db)
  }
  await db
    .updateTable('signal_detections')
    .set({ icp_fit: icpFit })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('icp_fit', '<>', icpFit)
    .execute()
}

/** Marks the accounts with detections of a signal for rescoring, because the signal changes or is deleted. */
export async function markAccountsStale(db: Db, workspaceId: string, signalId: string): Promise<void> {
  await sql`
    update accounts set scored_at = 'epoch'
    where workspace_id = ${workspaceId} and id in (select account_id from signal_detections
      where workspace_id = ${workspaceId} and signal_id = ${signalId} and signal_present)`.execute(db)
}

/**
 * Deletes the detections of a signal whose description has changed. Those that a member called wrong stay hidden, so
 * that they do not reappear.
 */
export async function deleteSignalDetections(db: Db, workspaceId: string, signalId: string): Promise<void> {
  await db
    .deleteFrom('signal_detections')
    .where('workspace_id', '=', workspaceId)
    .where('signal_id', '=', signalId)
    .where('verdict', 'is distinct from', 'wrong')
    .execute()
}
