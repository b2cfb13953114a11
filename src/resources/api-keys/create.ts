import type { Db } from '../../db/connect.ts'
import { onMissingReference } from '../../db/errors.ts'
import type { Deps } from '../../deps/deps.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import { hashToken, newToken } from '../../shared/tokens.ts'
import { insertKey } from './store.ts'

type Request = {
  member_id: string
  name: string
  read_only?: boolean
  expires_at?: string | null
  /** A key chosen by the operator instead of a random one. */
  key?: string | null
}

/** Enough to distinguish keys, and at most a quarter of the key, because a key chosen by the operator may be short. */
const keyPrefix = (key: string): string => key.slice(0, Math.min(11, key.length >> 2))

/** Creates a key for an API request. Throws unknown_member, and invalid_request for an expiry in the past. */
export async function issueKey({ db, now }: Pick<Deps, 'db' | 'now'>, workspaceId: string, request: Request) {
  const { expires_at } = request
  if (expires_at && Date.parse(expires_at) <= now().getTime()) {
    const details = [{ path: 'expires_at', message: 'must be in the future' }]
    throw new AppError('invalid_request', 'expires_at must be in the future.', { details })
  }
  return createKey(db, workspaceId, request)
}

/** Creates a key for a member and returns it; only its hash is stored. Throws unknown_member. */
export async function createKey(db: Db, workspaceId: string, request: Request) {
  const { member_id, name, read_only = false, expires_at = null } = request
  if (!isId(member_id)) throw unknownMember()
  const key = request.key ?? newToken('key')
  const record = await insertKey(db, workspaceId, {
    member_id,
    name,
    read_only,
    expires_at,
    prefix: keyPrefix(key),
    hash: hashToken(key),
  }).catch(onMissingReference('api_keys_member', unknownMember))
  return { ...record, key }
}

function unknownMember(): AppError {
  return new AppError('unknown_member', 'member_id must be a member of this workspace; GET /members lists them.')
}
