import type { Deps } from '../../deps/deps.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import type { Member, Viewer } from '../../shared/member.ts'
import {
  addListMembers,
  deleteListRow,
  findVisiblePeople,
  lockList,
  lockListShared,
  removeListMembers,
} from './store.ts'

/** Adds and removes people, in one statement each. Ids of people the viewer may not see are returned in `not_found`. Throws not_found. */
export function changeListMembers(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  listId: string,
  { add = [], remove = [] }: { add?: string[]; remove?: string[] },
) {
  const { workspace_id } = viewer
  return db.transaction().execute(async (db) => {
    await lockListShared(db, workspace_id, listId)
    const requested = [...new Set([...add, ...remove])]
    const visible = await findVisiblePeople(db, viewer, requested.filter(isId))
    const seen = (ids: string[]) => ids.filter((id) => visible.has(id.toLowerCase()))
    const added = await addListMembers(db, workspace_id, listId, seen(add))
    const removed = await removeListMembers(db, workspace_id, listId, seen(remove))
    return { list_id: listId, added, removed, not_found: requested.filter((id) => !visible.has(id.toLowerCase())) }
  })
}

/** Deletes a list but not its people. Only an admin may delete a list of another member. Throws not_found, forbidden. */
export function deleteList({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  return db.transaction().execute(async (db) => {
    const { created_by } = await lockList(db, member.workspace_id, id)
    if (member.role !== 'admin' && created_by !== member.id) {
      throw new AppError('forbidden', 'You may delete only your own lists. Ask an admin to delete this one.')
    }
    await deleteListRow(db, member.workspace_id, id)
  })
}
