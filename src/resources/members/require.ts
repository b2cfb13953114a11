import type { Db } from '../../db/connect.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import { findMemberIds } from './store.ts'

/** Makes sure that every owner named is a member of the workspace. Throws unknown_member. */
export async function requireMembers(db: Db, workspaceId: string, ids: (string | null | undefined)[]): Promise<void> {
  const named = [...new Set(ids.filter((id) => id !== null && id !== undefined))]
  if (named.length === 0) return
  const known = named.every(isId) ? await findMemberIds(db, workspaceId, named) : new Set<string>()
  if (!named.every((id) => known.has(id.toLowerCase()))) throw unknownMember()
}

export function unknownMember(): AppError {
  return new AppError('unknown_member', 'owner_id must be a member of this workspace; GET /members lists them.')
}
