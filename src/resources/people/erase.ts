import type { Deps } from '../../deps.ts'
import type { Viewer } from '../../member.ts'
import { suppressionHashes } from '../../people/identity.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { deletePersonRow, insertSuppressions } from './store.ts'

/** Erases a person for good: an import, sync or search that finds them again does not store them. Throws not_found. */
export function erase({ db, secrets }: Pick<Deps, 'db' | 'secrets'>, viewer: Viewer, id: string): Promise<void> {
  return db.transaction().execute(async (db) => {
    await lockWorkspace(db, viewer.workspace_id)
    const person = await deletePersonRow(db, viewer, id)
    await insertSuppressions(db, viewer.workspace_id, suppressionHashes(secrets, viewer.workspace_id, person))
  })
}
