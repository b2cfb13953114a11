import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import {
  deleteSectionRow,
  getSection,
  insertSection,
  listSections,
  moveSection,
  nextPosition,
  type SectionFields,
  shiftFrom,
  updateSectionRow,
} from '../../resources/knowledge-base/store.ts'
import { lockWorkspace } from '../../resources/workspaces/store.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { enqueueKnowledgeUpdate } from './apply.ts'

type Parts = Pick<Deps, 'db' | 'jobs'>
type Titled = { type: string; title: string; content_md: string }
type NewSection = { title: string; content_md: string; type?: string; position?: number }

/** Inserts a section at its position, or at the end; the following ones move down. */
export function createSection(parts: Parts, workspaceId: string, section: NewSection) {
  return editing(parts, workspaceId, async (db) => {
    const end = await nextPosition(db, workspaceId)
    const position = Math.min(section.position ?? end, end)
    await shiftFrom(db, workspaceId, position, 1)
    return insertSection(db, workspaceId, { type: 'custom', ...section, position })
  })
}

/** Updates a section. A position beyond the end is the last one. Throws not_found. */
export async function updateSection(parts: Parts, workspaceId: string, id: string, wanted: Partial<SectionFields>) {
  const known = await getSection(parts.db, workspaceId, id)
  // Values that do not differ are not an edit.
  if (Object.keys(changedFields(known, wanted)).length === 0) return known
  return editing(parts, workspaceId, async (db) => {
    const section = await getSection(db, workspaceId, id)
    const { position, ...fields } = changedFields(section, wanted)
    if (position !== undefined) {
      const last = (await nextPosition(db, workspaceId)) - 1
      await moveSection(db, workspaceId, section.position, Math.min(position, last))
    }
    if (Object.keys(fields).length > 0) await updateSectionRow(db, workspaceId, id, fields)
    return getSection(db, workspaceId, id)
  })
}

/** Changes the only section with a type and title, or adds it at the end. */
export function putSection(parts: Parts, workspaceId: string, { type, title, content_md }: Titled) {
  return editing(parts, workspaceId, async (db) => {
    const known = (await listSections(db, workspaceId)).find((one) => one.type === type && one.title === title)
    if (known) await updateSectionRow(db, workspaceId, known.id, { content_md })
    else
      await insertSection(db, workspaceId, { type, title, content_md, position: await nextPosition(db, workspaceId) })
  })
}

/** Deletes a section; the following ones move up. Throws not_found. */
export function deleteSection(parts: Parts, workspaceId: string, id: string): Promise<void> {
  return editing(parts, workspaceId, async (db) => {
    const { position } = await getSection(db, workspaceId, id)
    await deleteSectionRow(db, workspaceId, id)
    await shiftFrom(db, workspaceId, position, -1)
  })
}

/**
 * Serializes edits, so that positions have no gaps, and enqueues the update of all that depends on the knowledge base.
 */
function editing<T>({ db, jobs }: Parts, workspaceId: string, edit: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    const result = await edit(db)
    await enqueueKnowledgeUpdate({ db, jobs }, workspaceId)
    return result
  })
}
