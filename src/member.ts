/** The caller: a member, seen through one of their keys. */
export type Member = {
  workspace_id: string
  id: string
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
  key_id: string
  read_only: boolean
}

/** Who looks at people: a member of a workspace, or the service itself (`scoped_to: null`). */
export type Viewer = { workspace_id: string; scoped_to: string | null }

/** A member with scoped visibility sees the people at their accounts and those assigned to them; an admin sees all. */
export function viewerOf({ workspace_id, id, role, visibility }: Member): Viewer {
  return { workspace_id, scoped_to: visibility === 'scoped' && role !== 'admin' ? id : null }
}
