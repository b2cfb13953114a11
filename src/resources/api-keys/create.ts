import type { Db } from '../../db/connect.ts'
import { AppError } from '../../errors.ts'
import { findMember } from '../members/store.ts'
import { hashKey, keyPrefix, newKey } from './authenticate.ts'
import { insertKey } from './store.ts'

type Request = {
  member_id: string
  name: string
  read_only?: boolean
  expires_at?: string | null
  /** A key chosen by the operator instead of a random one. */
  key?: string | null
}

/** Creates a key for a member and answers it once; only its hash is kept. Throws unknown_member. */
export async function createKey(db: Db, workspaceId: string, request: Request) {
  const { member_id, name, read_only = false, expires_at = null } = request
  if (!(await findMember(db, workspaceId, member_id))) {
    throw new AppError('unknown_member', 'member_id must be a member of this workspace; GET /members lists them.')
  }
  const key = request.key ?? newKey()
  const record = await insertKey(db, workspaceId, {
    member_id,
    name,
    read_only,
    expires_at,
    prefix: keyPrefix(key),
    hash: hashKey(key),
  })
  return { ...record, key }
}
