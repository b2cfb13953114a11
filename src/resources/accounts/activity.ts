import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { clampPage, type Page, toPage } from '../../http/schema.ts'
import { countEvents, listEvents } from './event-store.ts'
import type { EventsQuery, MonitorEvent } from './schema.ts'
import { getAccount } from './store.ts'

/** What happened on the account's pages and which fail, newest first; other looks at them only when asked for. Throws not_found. */
export async function readMonitorEvents(
  db: Db,
  workspaceId: string,
  id: string,
  { all, meaningful, ...asked }: Static<typeof EventsQuery>,
): Promise<Page<Static<typeof MonitorEvent>>> {
  const request = clampPage(asked)
  const only = meaningful === undefined ? (all ? null : 'happened') : meaningful ? 'meaningful' : 'quiet'
  await getAccount(db, workspaceId, id)
  const [events, total] = await Promise.all([
    listEvents(db, workspaceId, id, { ...request, only }),
    countEvents(db, workspaceId, id, { only }),
  ])
  return toPage(events, total, request)
}
