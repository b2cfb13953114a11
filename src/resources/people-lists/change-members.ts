import type { Deps } from '../../deps/deps.ts'
import { isId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'
import { addMembers, findVisible, holdList, removeMembers } from './store.ts'

/** Adds and removes people, in one statement each. Ids of people the viewer may not see are answered, not changed. Throws not_found. */
export function changeMembers(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  listId: string,
  { add = [], remove = [] }: { add?: string[]; remove?: string[] },
) {
  const { workspace_id } = viewer
  return db.transaction().execute(async (db) => {
    await holdList(db, workspace_id, listId)
    const asked = [...new Set([...add, ...remove])]
    const visible = await findVisible(db, viewer, asked.filter(isId))
    const seen = (ids: string[]) => ids.filter((id) => visible.has(id.toLowerCase()))
    const added = await addMembers(db, workspace_id, listId, seen(add))
    const removed = await removeMembers(db, workspace_id, listId, seen(remove))
    return { list_id: listId, added, removed, not_found: asked.filter((id) => !visible.has(id.toLowerCase())) }
  })
}
