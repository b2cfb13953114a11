import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ProviderProblem } from '../../providers/health.ts'

/** Lists the state of every provider that was used at least once. Provider keys belong to the installation, so every workspace sees the same. */
export function listProviderHealth(db: Db) {
  return db
    .selectFrom('provider_health')
    .select(['provider', 'kind', 'message', 'since', 'failed_at', 'ok_at'])
    .orderBy('provider')
    .execute()
}

/** Stores the outcome of the latest request to a provider: its problem, or null for success. */
export async function saveProviderHealth(db: Db, provider: string, problem: ProviderProblem | null): Promise<void> {
  const { kind, message } = problem ?? { kind: null, message: null }
  await sql`
    insert into provider_health as known (provider, kind, message, since, failed_at, ok_at)
    values (${provider}, ${kind}, ${message}, now(), case when ${problem !== null}::boolean then now() end,
      case when ${problem === null}::boolean then now() end)
    on conflict (provider) do update set kind = excluded.kind, message = excluded.message,
      since = case when (known.kind is null) = (excluded.kind is null) then known.since else excluded.since end,
      failed_at = coalesce(excluded.failed_at, known.failed_at), ok_at = coalesce(excluded.ok_at, known.ok_at)`.execute(
    db,
  )
}
