import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../ids.ts'

const FIELDS = ['id', 'type', 'title', 'content_md', 'source_url', 'is_ai_generated', 'position', 'created_at'] as const

export type SectionFields = { type: string; title: string; content_md: string; position: number }

/** Where a drafted section comes from. */
type Origin = { source_url: string | null; is_ai_generated: boolean }

export function listSections(db: Db, workspaceId: string) {
  return db
    .selectFrom('knowledge_sections')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

export async function getSection(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('knowledge_sections')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('section')
  return found
}

export function insertSection(db: Db, workspaceId: string, fields: SectionFields & Partial<Origin>) {
  return db
    .insertInto('knowledge_sections')
    .values({ workspace_id: workspaceId, id: newId(), ...fields })
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
    .set(fields)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteSection(db: Db, workspaceId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('knowledge_sections')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('section')
}

/** One behind the last position; 0 for the first section. */
export async function nextPosition(db: Db, workspaceId: string): Promise<number> {
  const { next } = await db
    .selectFrom('knowledge_sections')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return next
}

/** Moves the section at a position, and all behind it, down by one. Does nothing when the position is free. */
export async function makeRoomAt(db: Db, workspaceId: string, position: number): Promise<void> {
  await sql`
    update knowledge_sections set position = position + 1
    where workspace_id = ${workspaceId} and position >= ${position}
      and exists (
        select from knowledge_sections
        where workspace_id = ${workspaceId} and position = ${position}
      )`.execute(db)
}

/** What was drafted for each type of section, by whichever section it became. */
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
