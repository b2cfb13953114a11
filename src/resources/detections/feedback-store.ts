import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { FeedbackVerdict, StoredEvidence } from '../../db/schema.ts'
import { notFound } from '../../shared/errors.ts'
import { NIL_ID } from '../../shared/ids.ts'
import type { Feedback } from './schema.ts'
import { FEEDBACK } from './store.ts'

/**
 * The feedback on a detection; null when there is none. Throws not_found for a detection that does not exist or is
 * absent.
 */
export async function getFeedback(
  db: Db,
  workspaceId: string,
  accountId: string,
  id: string,
): Promise<Feedback | null> {
  const found = await db
    .selectFrom('signal_detections')
    .select(FEEDBACK.as('feedback'))
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('signal_present', '=', true)
    .executeTakeFirst()
  if (!found) throw notFound('finding')
  return found.feedback
}

/** Writes or deletes the feedback on a detection. */
export async function writeVerdict(
  db: Db,
  workspaceId: string,
  id: string,
  said: { verdict: FeedbackVerdict; reason: string | null; by: string } | null,
): Promise<void> {
  await db
    .updateTable('signal_detections')
    .set({
      verdict: said?.verdict ?? null,
      verdict_reason: said?.reason ?? null,
      verdict_by: said?.by ?? null,
      verdict_at: said ? sql`now()` : null,
      verdict_proofs: said ? sql`jsonb_array_length(evidence)` : null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export type StoredProof = {
  proof: StoredEvidence
  kept: boolean
  title: string | null
  text: string | null
  published_date: string | null
}

const documentOf = (
  workspaceId: string,
) => sql`left join documents as document on document.workspace_id = ${workspaceId}
  and document.account_id = d.account_id and md5(document.url) = md5(proofs.proof ->> 'source_url')`

/** The proofs of a detection with their documents, as far as these are stored. Throws not_found. */
export async function getProofs(db: Db, workspaceId: string, accountId: string, id: string): Promise<StoredProof[]> {
  const { rows } = await sql<StoredProof>`
    select proofs.proof, document.id is not null as kept, document.title, document.text, document.published_date
    from signal_detections as d
      cross join lateral jsonb_array_elements(d.evidence) with ordinality as proofs (proof, place)
      ${documentOf(workspaceId)}
    where d.workspace_id = ${workspaceId} and d.account_id = ${accountId} and d.id = ${id} and d.signal_present
    order by proofs.place`.execute(db)
  // A present detection has at least one proof.
  if (rows.length === 0) throw notFound('finding')
  return rows
}

export type JudgedProof = StoredProof & {
  detection_id: string
  place: number
  signal_id: string
  verdict: FeedbackVerdict
  reason: string | null
  confidence: number
  account_name: string
}

const BATCH = 100

/** All proofs with feedback, in batches ordered by the id of the detection. */
export async function* streamJudgedProofs(db: Db, workspaceId: string): AsyncGenerator<JudgedProof> {
  for (let after = NIL_ID; ; ) {
    const { rows } = await sql<JudgedProof>`
      select d.id as detection_id, d.signal_id, d.verdict, d.verdict_reason as reason, d.confidence,
        accounts.name as account_name, proofs.place::int as place, proofs.proof,
        document.id is not null as kept, document.title, document.text, document.published_date
      from (
          select * from signal_detections
          where workspace_id = ${workspaceId} and verdict is not null and id > ${after} order by id limit ${BATCH}
        ) as d
        join accounts on accounts.workspace_id = ${workspaceId} and accounts.id = d.account_id
        cross join lateral jsonb_array_elements(d.evidence) with ordinality as proofs (proof, place)
        ${documentOf(workspaceId)}
      where proofs.place <= d.verdict_proofs
      order by d.id, proofs.place`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.detection_id
  }
}
