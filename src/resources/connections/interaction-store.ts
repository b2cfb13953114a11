import type { Db } from '../../db/connect.ts'
import { purgeOlderThan } from '../../db/purge.ts'

/** Stores the signature of a click. Returns false when it was accepted before. */
export async function insertInteraction(db: Db, workspaceId: string, signature: string): Promise<boolean> {
  const inserted = await db
    .insertInto('chat_interactions')
    .values({ workspace_id: workspaceId, signature })
    .onConflict((conflict) => conflict.doNothing())
    .returning('signature')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Old requests are refused by their time, so their signatures are not needed. */
export const oldInteractions = purgeOlderThan({ table: 'chat_interactions', time: 'created_at', days: 1 })
