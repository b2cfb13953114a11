import { sql } from 'kysely'
import { compileOnce } from '../../db/compiled.ts'
import type { Db } from '../../db/connect.ts'
import { escapeMarkdown } from '../../engine/draft/quoting.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'

const FIELDS = [
  ...(['id', 'type', 'title', 'content_md', 'source_url', 'is_ai_generated', 'drawn_from'] as const),
  ...(['position', 'created_at'] as const),
] as const

export type SectionFields = { type: string; title: string; content_md: string; position: number }

/** The source of a drafted section. */
type Origin = { source_url: string | null; is_ai_generated: boolean; drawn_from: DrawnFrom }
type DrawnFrom = { url: string; sentence: string }[]

/** A sentence counts as drawn from the site only while the section still contains it. */
function stillDrawn<S extends { content_md: string; drawn_from: DrawnFrom }>(section: S): S {
  if (section.drawn_from.length === 0) return section
  const lines = new Set(section.content_md.split('\n').map((line) => line.replace(/^\s*[-*+]\s+/, '').trim()))
  return { ...section, drawn_from: section.drawn_from.filter(({ sentence }) => lines.has(escapeMarkdown(sentence))) }
}

/** In the format of the columns. */
function stored({ drawn_from, ...fields }: Partial<SectionFields & Origin>) {
  return { ...fields, ...(drawn_from ? { drawn_from: JSON.stringify(drawn_from) } : {}) }
}

const selectSections = compileOnce((db, workspaceId: string) =>
  db
    .selectFrom('knowledge_sections')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .orderBy('id'),
)

export async function listSections(db: Db, workspaceId: string) {
  return (await selectSections(db, workspaceId)).map(stillDrawn)
}

export async function getSection(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('knowledge_sections')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('section')
  return stillDrawn(found)
}

export function insertSection(db: Db, workspaceId: string, fields: SectionFields & Partial<Origin>) {
  return db
    .insertInto('knowledge_sections')
    .values({ workspace_id: workspaceId, id: newId(), ...fields, drawn_from: JSON.stringify(fields.drawn_from ?? []) })
    .returning(FIELDS)
    .executeTakeFirstOrThrow()
}

export async function updateSectionRow(
  db: Db,
  workspaceId: string,
  id: string,
  fields: Partial<SectionFields & Origin>,
) {
  await db
    .updateTable('knowledge_sections')
    .set(stored(fields))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteSectionRow(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('knowledge_sections').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** The position after the last one, which is the number of sections. */
/** Renames the plays of a signal. */
export async function retitlePlays(db: Db, workspaceId: string, from: string, to: string): Promise<void> {
  await sql`update knowledge_sections set title = ${to} || substr(title, length(${from}) + 1)
    where workspace_id = ${workspaceId} and type = 'playbook' and starts_with(title, ${`${from} × `})`.execute(db)
}

export async function nextPosition(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('knowledge_sections')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

/** Moves the sections from a position on by an offset: 1 makes room there, -1 closes the gap before it. */
export async function shiftFrom(db: Db, workspaceId: string, position: number, by: 1 | -1): Promise<void> {
  await sql`update knowledge_sections set position = position + ${by}
    where workspace_id = ${workspaceId} and position >= ${position}`.execute(db)
}

/** Moves a section to another position; the others keep their order. */
export async function moveSection(db: Db, workspaceId: string, from: number, to: number): Promise<void> {
  await sql`
    update knowledge_sections
    set position = case when position = ${from} then ${to} else position + ${from < to ? -1 : 1} end
    where workspace_id = ${workspaceId} and position between ${Math.min(from, to)} and ${Math.max(from, to)}`.execute(
    db,
  )
}

/** Increments and returns the revision of the knowledge base. */
export async function incrementRevision(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    insert into knowledge_revisions as known (workspace_id, revision) values (${workspaceId}, 1)
    on conflict (workspace_id) do update set revision = known.revision + 1,
      edited_at = case when known.applied = known.revision then excluded.edited_at else known.edited_at end
    returning revision`.execute(db)
  return (rows[0] as { revision: number }).revision
}

/** The revision of the knowledge base: the number of its edits. */
export async function getRevision(db: Db, workspaceId: string): Promise<number> {
  const found = await db
    .selectFrom('knowledge_revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return found?.revision ?? 0
}

/**
 * Claims all edits up to now. Returns false when this revision is already claimed, or when a later one exists that will
 * claim it, unless the first of them has waited for the given number of seconds.
 */
export async function claimRevision(
  db: Db,
  workspaceId: string,
  revision: number,
  longestSeconds: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update knowledge_revisions set applied = revision
    where workspace_id = ${workspaceId} and applied < ${revision}
      and (revision = ${revision} or edited_at < now() - make_interval(secs => ${longestSeconds}))`.execute(db)
  return numAffectedRows === 1n
}

/** The drafts by type of section, with the section that each became. */
export function listDrafts(db: Db, workspaceId: string) {
  return db
    .selectFrom('knowledge_drafts')
    .select(['type', 'section_id', 'hash'])
    .where('workspace_id', '=', workspaceId)
    .execute()
}

export async function saveDraft(
  db: Db,
  workspaceId: string,
  draft: { type: string; section_id: string; hash: Buffer },
): Promise<void> {
  await db
    .insertInto('knowledge_drafts')
    .values({ workspace_id: workspaceId, ...draft })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'type']).doUpdateSet({ hash: draft.hash }))
    .execute()
}
