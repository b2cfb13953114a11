import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../member.ts'
import { deleteListRow, hasHidden, lockList } from './store.ts'

/**
 * Deletes a list; its people stay. A list that holds people the viewer may not see is also somebody else's. Throws
 * not_found, forbidden.
 */
export function deleteList({ db }: Pick<Deps, 'db'>, viewer: Viewer, id: string): Promise<void> {
  return db.transaction().execute(async (db) => {
    await lockList(db, viewer.workspace_id, id)
    if (await hasHidden(db, viewer, id)) {
      throw new AppError('forbidden', 'You may delete lists of your own people only.')
    }
    await deleteListRow(db, viewer.workspace_id, id)
  })
}
