/** The caller: a member, seen through one of their keys, or through a browser that is signed in. */
export type Member = {
  workspace_id: string
  id: string
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
  /** The key they call with, or the one their session was opened with; null when it was opened by a link. */
  key_id: string | null
  session_id: string | null
  read_only: boolean
}

/** Who looks at people: a member of a workspace, or the service itself (`scoped_to: null`). */
export type Viewer = { workspace_id: string; scoped_to: string | null }

/** Whether they have scoped visibility. An admin sees all, whatever is set. */
export function isScoped({ role, visibility }: Member): boolean {
  return visibility === 'scoped' && role !== 'admin'
}

/** A member with scoped visibility sees the people at their accounts and those assigned to them. */
export function viewerOf(member: Member): Viewer {
  return { workspace_id: member.workspace_id, scoped_to: isScoped(member) ? member.id : null }
}

/**
 * Whether they are told what signs deliveries and where the workspace's webhooks lead. A key that may only read is not: with
 * a secret it could send in the name of the service.
 */
export function readsSecrets({ role, read_only }: Member): boolean {
  return role === 'admin' && !read_only
}
