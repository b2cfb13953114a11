import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { clampPage, type Page, type PageRequest, toPage } from '../../http/schema.ts'
import { listDetections } from '../detections/store.ts'
import type { MonitorEvent } from './schema.ts'
import { countEvents, getAccount, listEvents } from './store.ts'

/** Every detection of an account, newest first. Throws not_found. */
export async function readSignals(db: Db, workspaceId: string, id: string) {
  await getAccount(db, workspaceId, id)
  return listDetections(db, workspaceId, id)
}

/** What the account's monitor saw, newest first. Throws not_found. */
export async function readEvents(
  db: Db,
  workspaceId: string,
  id: string,
  asked: PageRequest,
): Promise<Page<Static<typeof MonitorEvent>>> {
  const request = clampPage(asked)
  await getAccount(db, workspaceId, id)
  const [events, total] = await Promise.all([
    listEvents(db, workspaceId, id, request),
    countEvents(db, workspaceId, id),
  ])
  return toPage(events, total, request)
}
