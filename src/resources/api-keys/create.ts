import type { Db } from '../../db/connect.ts'
import { onMissingReference } from '../../db/errors.ts'
import type { Deps } from '../../deps/deps.ts'
import { normalizeNetwork } from '../../http/key-limits.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import type { KeyScope } from '../../shared/member.ts'
import { hashToken, newToken } from '../../shared/tokens.ts'
import { insertKey } from './store.ts'

type Request = {
  member_id: string
  name: string
  scope?: KeyScope | undefined
  /** The same as the scope `read`. */
  read_only?: boolean | undefined
  operations?: string[] | null
  allowed_ips?: string[] | null
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
  const { allowed_ips, read_only, scope } = request
  if (read_only && scope && scope !== 'read') {
    throw new AppError('invalid_request', 'read_only is the scope read. Send only scope.', {
      details: [{ path: 'read_only', message: `does not fit the scope ${scope}` }],
    })
  }
  const networks = allowed_ips?.map((one, at) => normalizeNetwork(one.trim(), `allowed_ips.${at}`)) ?? null
  return createKey(db, workspaceId, { ...request, allowed_ips: networks && [...new Set(networks)] })
}

/** Throws invalid_request for an operation that the API does not have. */
export function requireKnownOperations(known: ReadonlySet<string>, operations: string[]): void {
  const at = operations.findIndex((id) => !known.has(id))
  if (at < 0) return
  const message = 'must be an operationId of /openapi.json'
  throw new AppError('invalid_request', `operations.${at} ${message}.`, {
    details: [{ path: `operations.${at}`, message }],
  })
}

/** Creates a key for a member and returns it; only its hash is stored. Throws unknown_member. */
export async function createKey(db: Db, workspaceId: string, request: Request) {
  const { member_id, name, read_only, operations = null, allowed_ips = null, expires_at = null } = request
  if (!isId(member_id)) throw unknownMember()
  const key = request.key ?? newToken('key')
  const record = await insertKey(db, workspaceId, {
    member_id,
    name,
    scope: request.scope ?? (read_only ? 'read' : 'admin'),
    operations: operations && [...new Set(operations)],
    allowed_ips,
    expires_at,
    prefix: keyPrefix(key),
    hash: hashToken(key),
  }).catch(onMissingReference('api_keys_member', unknownMember))
  return { ...record, key }
}

function unknownMember(): AppError {
  return new AppError('unknown_member', 'member_id must be a member of this workspace; GET /members lists them.')
}
