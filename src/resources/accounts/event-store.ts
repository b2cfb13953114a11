import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** `happened`: meaningful changes and failures; null for all checks. */
type EventFilter = { only: 'meaningful' | 'quiet' | 'happened' | null }

const ONLY = {
  meaningful: sql<boolean>`meaningful`,
  quiet: sql<boolean>`not meaningful`,
  happened: sql<boolean>`(meaningful or status = 'failed')`,
}

function eventsOf(db: Db, workspaceId: string, accountId: string, { only }: EventFilter) {
  const events = db
    .selectFrom('monitor_events')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
  return only ? events.where(ONLY[only]) : events
}

export function listEvents(
  db: Db,
  workspaceId: string,
  accountId: string,
  { page, per_page, ...filter }: { page: number; per_page: number } & EventFilter,
) {
  return eventsOf(db, workspaceId, accountId, filter)
    .select(['id', 'url', 'status', 'search_status', 'meaningful', 'confidence', 'reason', 'run_id', 'created_at'])
    .select(['count', 'last_seen_at', sql<boolean>`failing <> '{}'`.as('is_ongoing')])
    .select(sql<string[]>`case when urls = '{}' then array[url] else urls end`.as('urls'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute()
}

export async function countEvents(
  db: Db,
  workspaceId: string,
  accountId: string,
  filter: EventFilter,
): Promise<number> {
  const { count } = await eventsOf(db, workspaceId, accountId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
