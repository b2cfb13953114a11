import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { passageAround } from '../../engine/passage.ts'
import { getProofs } from './feedback-store.ts'
import type { Passage } from './schema.ts'

/** Each proof of a finding in its place in the document it was read from, as far as that is kept. Throws not_found. */
export async function readEvidence(
  db: Db,
  workspaceId: string,
  accountId: string,
  detectionId: string,
): Promise<Static<typeof Passage>[]> {
  const proofs = await getProofs(db, workspaceId, accountId, detectionId)
  return proofs.map(({ proof, kept, title, text, published_date }) => {
    const { claim, quote = null, source_url, role = null } = proof
    const passage = quote === null || text === null ? null : passageAround(title, text, quote)
    return {
      source_url,
      title,
      published_date: proof.published_date ?? published_date,
      claim,
      quote,
      before: passage?.before ?? null,
      after: passage?.after ?? null,
      role,
      document_kept: kept,
    }
  })
}
