import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

export type KnownTechnology = {
  technology: string
  category: string
  evidence: string
  evidence_url: string | null
  /** Pages that contained it at their last read. */
  pages: string[]
  is_gone: boolean
}

/** All technologies ever found at an account. */
export function listTechnologies(db: Db, workspaceId: string, accountId: string): Promise<KnownTechnology[]> {
  return db
    .selectFrom('account_technologies')
    .select(['technology', 'category', 'evidence', 'evidence_url', 'pages'])
    .select(sql<boolean>`gone_at is not null`.as('is_gone'))
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .orderBy('technology')
    .execute()
}

/** The domain, pages and signatures of the last snapshot; null when there is none. */
export async function findTechnologySnapshot(db: Db, workspaceId: string, accountId: string) {
  const found = await db
    .selectFrom('technology_looks')
    .select(['domain', 'pages', 'signs'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return found ?? null
}

export type ObservedTechnology = Omit<KnownTechnology, 'is_gone'>

/** Stores technologies that were found now; one that had disappeared is present again. */
export async function upsertTechnologies(
  db: Db,
  workspaceId: string,
  accountId: string,
  rows: readonly ObservedTechnology[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into account_technologies (workspace_id, account_id, technology, category, evidence, evidence_url, pages)
    select ${workspaceId}::uuid, ${accountId}::uuid, technology, category, evidence, evidence_url, pages
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (technology text, category text, evidence text, evidence_url text, pages text[])
    on conflict (workspace_id, account_id, technology) do update set category = excluded.category,
      evidence = excluded.evidence, evidence_url = excluded.evidence_url, pages = excluded.pages, last_seen = excluded.last_seen,
      gone_at = null`.execute(db)
}

/** Stores the remaining pages of technologies that were not found now; one without pages has disappeared. */
export async function updateMissingTechnologies(
  db: Db,
  workspaceId: string,
  accountId: string,
  rows: readonly { technology: string; pages: string[] }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update account_technologies as known set pages = given.pages,
      gone_at = case when given.pages = '{}' then clock.at end
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (technology text, pages text[]),
      (select now() as at) as clock
    where known.workspace_id = ${workspaceId} and account_id = ${accountId} and known.technology = given.technology`.execute(
    db,
  )
}

export async function writeTechnologySnapshot(
  db: Db,
  workspaceId: string,
  accountId: string,
  snapshot: { domain: string; pages: string[]; signs: number[] },
): Promise<void> {
  await db
    .insertInto('technology_looks')
    .values({ workspace_id: workspaceId, account_id: accountId, ...snapshot })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id']).doUpdateSet(snapshot))
    .execute()
}

/** Deletes the technologies of a former domain. */
export async function deleteTechnologies(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await db
    .deleteFrom('account_technologies')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}
