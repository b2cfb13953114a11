import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { clampPage, type Page, toPage } from '../../http/schema.ts'
import { countEvents, listEvents } from './event-store.ts'
import type { EventsQuery, MonitorEvent } from './schema.ts'
import { getAccount } from './store.ts'

/**
 * The monitor events of an account, newest first: changes and failures, or all checks where requested. Throws
 * not_found.
 */
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
