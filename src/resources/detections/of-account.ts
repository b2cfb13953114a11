import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { getAccount } from '../accounts/store.ts'
import type { SignalsQuery } from './schema.ts'
import { listDetections } from './store.ts'

/** The detections of an account, the latest events first. Throws not_found. */
export async function readAccountSignals(db: Db, workspaceId: string, id: string, asked: Static<typeof SignalsQuery>) {
  await getAccount(db, workspaceId, id)
  return listDetections(db, workspaceId, id, asked)
}
