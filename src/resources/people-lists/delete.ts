import type { Deps } from '../../deps/deps.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { deleteListRow, lockList } from './store.ts'

/** Deletes a list; its people stay. A list that another member made is an admin's to delete. Throws not_found, forbidden. */
export function deleteList({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  return db.transaction().execute(async (db) => {
    const { created_by } = await lockList(db, member.workspace_id, id)
    if (member.role !== 'admin' && created_by !== member.id) {
      throw new AppError('forbidden', 'You may delete lists that you made; the others an admin may.')
    }
    await deleteListRow(db, member.workspace_id, id)
  })
}
