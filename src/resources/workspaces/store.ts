import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { SetWorkspaceSettings, WorkspaceSettings } from './schema.ts'

export function insertWorkspace(db: Db, { name, domain }: { name: string; domain: string | null }) {
  return db.insertInto('workspaces').values({ id: newId(), name, domain }).returningAll().executeTakeFirstOrThrow()
}

export function listWorkspaces(db: Db) {
  return db
    .selectFrom('workspaces')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function getWorkspace(db: Db, id: string) {
  const found = await db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('workspace')
  return found
}

/** Returns the id if there is such a workspace. */
export async function findWorkspaceId(db: Db, id: string): Promise<string | null> {
  const found = await db.selectFrom('workspaces').select('id').where('id', '=', id).executeTakeFirst()
  return found?.id ?? null
}

export async function setWorkspaceDomain(db: Db, id: string, domain: string): Promise<void> {
  await db.updateTable('workspaces').set({ domain }).where('id', '=', id).execute()
}

/** Returns the workspace's sender address for email verification; null: the environment's applies. */
export async function findVerifyFrom(db: Db, id: string): Promise<string | null> {
  const found = await db.selectFrom('workspaces').select('email_verify_from').where('id', '=', id).executeTakeFirst()
  return found?.email_verify_from ?? null
}

export async function setVerifyFrom(db: Db, id: string, from: string | null): Promise<void> {
  await db.updateTable('workspaces').set({ email_verify_from: from }).where('id', '=', id).execute()
}

const SETTINGS = ['scoped_members_claim', 'lost_deal_months'] as const

/** Returns the settings that admins can change. */
export function readWorkspaceSettings(db: Db, id: string): Promise<WorkspaceSettings> {
  return db.selectFrom('workspaces').select(SETTINGS).where('id', '=', id).executeTakeFirstOrThrow()
}

export function writeWorkspaceSettings(db: Db, id: string, settings: SetWorkspaceSettings): Promise<WorkspaceSettings> {
  return db.updateTable('workspaces').set(settings).where('id', '=', id).returning(SETTINGS).executeTakeFirstOrThrow()
}

/**
 * Serializes transactions that change the order or number of a workspace's records. Weaker than `for update`, so that it
 * does not block inserts that reference the workspace.
 */
export async function lockWorkspace(db: Db, id: string): Promise<void> {
  await db.selectFrom('workspaces').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Takes a shared lock, for which `lockWorkspace` waits. */
export async function lockWorkspaceShared(db: Db, id: string): Promise<void> {
  await db.selectFrom('workspaces').select('id').where('id', '=', id).forShare().executeTakeFirstOrThrow()
}

export function findInstallation(db: Db) {
  return db.selectFrom('installation').select(['workspace_id', 'secrets_key_check', 'signed_in_at']).executeTakeFirst()
}

/** Records the first sign-in of a browser. */
export async function markSignedIn(db: Db): Promise<void> {
  await db.updateTable('installation').set({ signed_in_at: sql`now()` }).where('signed_in_at', 'is', null).execute()
}

export async function lockInstallation(db: Db): Promise<void> {
  await sql`lock table installation in share row exclusive mode`.execute(db)
}

export async function insertInstallation(db: Db, workspaceId: string, check: Buffer): Promise<void> {
  await db.insertInto('installation').values({ workspace_id: workspaceId, secrets_key_check: check }).execute()
}

/** Whether the workspace has any erasure; without one, nothing has to be compared. */
export async function hasErasures(db: Db, workspaceId: string): Promise<boolean> {
  const any = db.selectFrom('people_suppressions').select('created_at').where('workspace_id', '=', workspaceId).limit(1)
  return (await any.executeTakeFirst()) !== undefined
}
