import type { Db } from '../../db/connect.ts'

type EventFilter = { meaningful: boolean | undefined }

function eventsOf(db: Db, workspaceId: string, accountId: string, { meaningful }: EventFilter) {
  return db
    .selectFrom('monitor_events')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .$if(meaningful !== undefined, (query) => query.where('meaningful', '=', meaningful as boolean))
}

export function listEvents(
  db: Db,
  workspaceId: string,
  accountId: string,
  { page, per_page, ...filter }: { page: number; per_page: number } & EventFilter,
) {
  return eventsOf(db, workspaceId, accountId, filter)
    .select(['id', 'url', 'status', 'search_status', 'meaningful', 'confidence', 'reason', 'run_id', 'created_at'])
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
