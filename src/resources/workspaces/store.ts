import type { Db } from '../../db/connect.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../ids.ts'

export function insertWorkspace(db: Db, { name, domain }: { name: string; domain: string | null }) {
  return db.insertInto('workspaces').values({ id: newId(), name, domain }).returningAll().executeTakeFirstOrThrow()
}

export function listWorkspaces(db: Db) {
  return db.selectFrom('workspaces').selectAll().orderBy('created_at').orderBy('id').execute()
}

export async function getWorkspace(db: Db, id: string) {
  const found = await db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('workspace')
  return found
}

/**
 * Makes transactions that change the order or the number of a workspace's records wait for each other. Weaker than
 * `for update`, so it does not hold up inserts that refer to the workspace.
 */
export async function lockWorkspace(db: Db, id: string): Promise<void> {
  await db.selectFrom('workspaces').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Lets many go on together, and makes whoever locks the workspace wait for them. */
export async function shareWorkspace(db: Db, id: string): Promise<void> {
  await db.selectFrom('workspaces').select('id').where('id', '=', id).forShare().executeTakeFirstOrThrow()
}
