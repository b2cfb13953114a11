import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps/deps.ts'
import {
  insertSection,
  listDrafts,
  listSections,
  nextPosition,
  saveDraft,
  updateSectionRow,
} from '../../resources/knowledge-base/store.ts'
import { lockWorkspace } from '../../resources/workspaces/store.ts'
import { enqueueKnowledgeUpdate } from './apply.ts'

type Draft = {
  type: string
  title: string
  content_md: string
  source_url: string
  drawn_from: { url: string; sentence: string }[]
}

export type SeedResult = {
  /** Types of sections that were added, that were updated, and that stay because a member wrote or changed them. */
  added: string[]
  updated: string[]
  kept: string[]
}

/**
 * Adds drafted sections to the knowledge base, and replaces earlier drafts. A section that a member has changed,
 * deleted or written does not change. Call it in a transaction.
 */
export async function seedSections(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  drafts: readonly Draft[],
): Promise<SeedResult> {
  await lockWorkspace(db, workspaceId)
  const sections = await listSections(db, workspaceId)
  const before = new Map((await listDrafts(db, workspaceId)).map((draft) => [draft.type, draft]))
  const seeded: SeedResult = { added: [], updated: [], kept: [] }
  for (const draft of drafts) {
    const { type } = draft
    const former = before.get(type)
    const section = former && sections.find(({ id }) => id === former.section_id)
    const hash = hashOf(draft)
    if (!former && sections.every((other) => other.type !== type)) {
      const position = await nextPosition(db, workspaceId)
      const { id } = await insertSection(db, workspaceId, { ...draft, position, is_ai_generated: true })
      await saveDraft(db, workspaceId, { type, section_id: id, hash })
      seeded.added.push(type)
    } else if (former && section && hashOf(section).equals(former.hash)) {
      if (isDeepStrictEqual(pick(section), pick(draft))) continue
      await updateSectionRow(db, workspaceId, section.id, draft)
      // The same sentences, from another page.
      if (hash.equals(former.hash)) continue
      await saveDraft(db, workspaceId, { type, section_id: section.id, hash })
      seeded.updated.push(type)
    } else seeded.kept.push(type)
  }
  if (seeded.added.length + seeded.updated.length > 0) await enqueueKnowledgeUpdate({ db, jobs }, workspaceId)
  return seeded
}

function pick({
  title,
  content_md,
  source_url,
  drawn_from,
}: Omit<Draft, 'source_url'> & { source_url: string | null }) {
  return { title, content_md, source_url, drawn_from }
}

/** Moving a section keeps it a draft; changing its text does not. */
function hashOf({ type, title, content_md }: Pick<Draft, 'type' | 'title' | 'content_md'>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([type, title, content_md]))
    .digest()
}
