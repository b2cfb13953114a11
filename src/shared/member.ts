/** The authenticated caller: a member or service account with one of its API keys, or a member's browser session. */
export type Member = {
  workspace_id: string
  id: string
  kind: 'person' | 'service'
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
  /** The key of the call, or the key that opened the session; null when a sign-in link opened it. */
  key_id: string | null
  session_id: string | null
  read_only: boolean
  /** When the key expires; null for one that does not, and without a key. */
  key_expires_at: string | null
  /** Restrictions of the key; null when it has none. */
  limits: KeyLimits | null
}

/** What a key is restricted to: operations, and the addresses it is used from. */
export type KeyLimits = { operations: string[] | null; allowed_ips: string[] | null }

export type KeyScope = 'read' | 'work' | 'admin'

/** Whose visibility applies to people: a member with scoped visibility (`scoped_to`), or null for all of the workspace. */
export type Viewer = { workspace_id: string; scoped_to: string | null }

/** Whether the member has scoped visibility. An admin sees everything, whatever the setting. */
export function isScoped({ role, visibility }: Member): boolean {
  return visibility === 'scoped' && role !== 'admin'
}

/** A member with scoped visibility sees the people at their accounts and those assigned to them. */
export function viewerOf(member: Member): Viewer {
  return { workspace_id: member.workspace_id, scoped_to: isScoped(member) ? member.id : null }
}

/**
 * Whether the caller may read signing secrets and webhook URLs. A read-only key may not: with a signing secret its holder
 * could forge deliveries.
 */
export function canReadSecrets({ role, read_only }: Member): boolean {
  return role === 'admin' && !read_only
}

/** The restrictions of a stored key; null when it has none. */
export const limitsOf = ({ operations, allowed_ips }: KeyLimits): KeyLimits | null =>
  operations || allowed_ips ? { operations, allowed_ips } : null
