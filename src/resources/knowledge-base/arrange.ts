import { changesTo } from '../../changes.ts'
import type { Deps } from '../../deps.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { getSection, insertSection, makeRoomAt, nextPosition, type SectionFields, updateSectionRow } from './store.ts'

type Parts = Pick<Deps, 'db'>
type NewSection = { title: string; content_md: string; type?: string; position?: number }

/** Adds a section at its position, or at the end. The workspace is locked, so two additions never share a position. */
export function createSection({ db }: Parts, workspaceId: string, section: NewSection) {
  return db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    const position = section.position ?? (await nextPosition(db, workspaceId))
    await makeRoomAt(db, workspaceId, position)
    return insertSection(db, workspaceId, { type: 'custom', ...section, position })
  })
}

/** Changes a section; a new position makes room there. Throws not_found. */
export function updateSection({ db }: Parts, workspaceId: string, id: string, wanted: Partial<SectionFields>) {
  return db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    const section = await getSection(db, workspaceId, id)
    const fields = changesTo(section, wanted)
    if (Object.keys(fields).length === 0) return section
    if (fields.position !== undefined) await makeRoomAt(db, workspaceId, fields.position)
    await updateSectionRow(db, workspaceId, id, fields)
    return getSection(db, workspaceId, id)
  })
}
