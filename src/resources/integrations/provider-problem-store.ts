import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ProviderProblem } from '../../providers/health.ts'

/** Providers whose last call failed. Their keys are the installation's, so every workspace sees the same. */
export function listProviderProblems(db: Db) {
  return db
    .selectFrom('provider_problems')
    .select(['provider', 'kind', 'message', 'failed_at'])
    .orderBy('provider')
    .execute()
}

export async function saveProviderProblem(db: Db, provider: string, problem: ProviderProblem): Promise<void> {
  const row = { ...problem, failed_at: sql<string>`now()` }
  await db
    .insertInto('provider_problems')
    .values({ provider, ...row })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(row))
    .execute()
}

export async function clearProviderProblem(db: Db, provider: string): Promise<void> {
  await db.deleteFrom('provider_problems').where('provider', '=', provider).execute()
}
