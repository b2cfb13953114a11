import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { AccountStatus, ScoreComponent } from '../../db/schema.ts'
import { notFound } from '../../shared/errors.ts'

/** Throws not_found. */
export async function explainScore(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('accounts')
    .select(['id as account_id', 'score', 'scored_at', 'score_components as components'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('account')
  return found
}

/**
 * Locks an account for an assessment and returns what it needs; concurrent assessments wait. Null when it does not
 * exist.
 */
export async function lockForAssessment(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'domain', 'owner_id', 'status', 'source', 'overridden', 'researched', 'from_crm'])
    .select(['employees', 'industry', 'country', 'location', 'network_url', 'short_description', 'founded_year'])
    .select(['relationship', 'relationship_on'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found ?? null
}

export type Assessment = {
  status: AccountStatus
  score: number
  score_components: ScoreComponent[]
  is_hot: boolean
  icp_fit: number
  qualified: boolean
  why_now_md: string | null
  last_signal_at: string | null
}

export async function writeAssessment(
  db: Db,
  workspaceId: string,
  id: string,
  { score_components, ...assessment }: Assessment,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ ...assessment, score_components: JSON.stringify(score_components), scored_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Writes the first assessment of accounts without findings. */
export async function writeFirstAssessments(
  db: Db,
  workspaceId: string,
  rows: readonly (Pick<Assessment, 'score' | 'score_components' | 'icp_fit' | 'qualified'> & { id: string })[],
): Promise<void> {
  await sql`
    update accounts set score = given.score, score_components = given.score_components, icp_fit = given.icp_fit,
      qualified = given.qualified, scored_at = now()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (id uuid, score integer, score_components jsonb, icp_fit smallint, qualified boolean)
    where accounts.workspace_id = ${workspaceId} and accounts.id = given.id`.execute(db)
}
