import { useMemo } from 'react'
import { queries, type Schemas } from './client.ts'
import { useMe } from './me.ts'

const CACHE_5_MIN = { staleTime: 5 * 60_000 }

/** The members of the workspace, and the display name of each and of each service account. */
export function useMembers() {
  const me = useMe().member
  const { data } = queries.useQuery('get', '/v1/members', {}, CACHE_5_MIN)
  const { data: accounts } = queries.useQuery('get', '/v1/service-accounts', {}, CACHE_5_MIN)
  return useMemo(() => {
    const members: Schemas['Member'][] = data?.data ?? []
    const names = new Map([...members, ...(accounts?.data ?? [])].map(({ id, name }) => [id, name]))
    return {
      members,
      nameOf: (id: string | null): string | null =>
        id === null ? null : id === me.id ? 'You' : (names.get(id) ?? (data && accounts ? 'Former member' : '…')),
    }
  }, [data, accounts, me.id])
}
