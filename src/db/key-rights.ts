import { sql } from 'kysely'
import type { KeyScope, Member } from '../shared/member.ts'

/** The scope of a row of `api_keys`. A process of the previous version stores only `read_only`. */
export const KEY_SCOPE = sql<KeyScope>`case when api_keys.read_only then 'read' else api_keys.scope end`

/**
 * The rights of a member with a key, or in a session that a key may have opened. With the scope `work` an admin has the rights
 * of a member who sees the whole workspace.
 */
export const keyRights = () =>
  [
    sql<Member['role']>`case when ${KEY_SCOPE} = 'work' then 'member' else members.role end`.as('role'),
    sql<Member['visibility']>`case when members.role = 'admin' then 'all' else members.visibility end`.as('visibility'),
    sql<boolean>`coalesce(${KEY_SCOPE} = 'read', false)`.as('read_only'),
    'api_keys.operations',
    'api_keys.allowed_ips',
    'api_keys.expires_at as key_expires_at',
  ] as const
