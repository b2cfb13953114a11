import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { clampPage, type Page, toPage } from '../../http/schema.ts'
import { countEvents, listEvents } from './event-store.ts'
import type { EventsQuery, MonitorEvent } from './schema.ts'
import { getAccount } from './store.ts'

/** What happened on the account's pages, newest first; other looks at them only when asked for. Throws not_found. */
export async function readEvents(
  db: Db,
  workspaceId: string,
  id: string,
  { all, meaningful = all ? undefined : true, ...asked }: Static<typeof EventsQuery>,
): Promise<Page<Static<typeof MonitorEvent>>> {
  const request = clampPage(asked)
  await getAccount(db, workspaceId, id)
  const [events, total] = await Promise.all([
    listEvents(db, workspaceId, id, { ...request, meaningful }),
    countEvents(db, workspaceId, id, { meaningful }),
  ])
  return toPage(events, total, request)
}
