import { useSuspenseQuery } from '@tanstack/react-query'
import { queries, type Schemas } from './client.ts'

export type Me = Schemas['Me']

export const meQuery = queries.queryOptions('get', '/v1/me', {}, { staleTime: 60_000 })

/** Who is signed in. Pages are shown only once it is known. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data.data
}

/** What the signed-in member may do: what they may not is not offered. */
export function useRights() {
  const { member, workspace, read_only } = useMe()
  const isAdmin = member.role === 'admin'
  const isScoped = !isAdmin && member.visibility === 'scoped'
  return {
    /** May change what is theirs or the team's, as far as the rights of the call go. */
    write: !read_only,
    admin: isAdmin && !read_only,
    /** May change what the whole team shares: signals, the knowledge base. */
    shared: !read_only && !isScoped,
    /** Sees the people at their own accounts only. */
    scoped: isScoped,
    /** Whether an account or a person with this owner is theirs, for what only owners may do. */
    owns: (ownerId: string | null) => !read_only && (!isScoped || ownerId === member.id),
    /** Whether they may activate an account with this owner: a scoped member claims one without, where that is allowed. */
    activates: (ownerId: string | null) =>
      !read_only && (!isScoped || ownerId === member.id || (ownerId === null && workspace.scoped_members_claim)),
  }
}
