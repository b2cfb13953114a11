import { useSuspenseQuery } from '@tanstack/react-query'
import { queries, type Schemas } from './client.ts'

export type Me = Schemas['Me']

export const meQuery = queries.queryOptions('get', '/v1/me', {}, { staleTime: 60_000 })

/** The signed-in member. The router loads it before it renders a page. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data.data
}

/** The permissions of the signed-in member. Actions without permission are hidden. */
export function useRights() {
  const { member, workspace, read_only } = useMe()
  const isAdmin = member.role === 'admin'
  const isScoped = !isAdmin && member.visibility === 'scoped'
  return {
    /** False for a read-only key. */
    write: !read_only,
    admin: isAdmin && !read_only,
    /** May edit what the whole team shares: signals and the knowledge base. */
    shared: !read_only && !isScoped,
    /** Sees only people at the accounts they own. */
    scoped: isScoped,
    /** May edit an account or a person with this owner. */
    owns: (ownerId: string | null) => !read_only && (!isScoped || ownerId === member.id),
    /** May activate an account with this owner. Scoped members may claim an account without an owner if the workspace allows it. */
    activates: (ownerId: string | null) =>
      !read_only && (!isScoped || ownerId === member.id || (ownerId === null && workspace.scoped_members_claim)),
  }
}
