import { useMemo } from 'react'
import { queries, type Schemas } from './client.ts'
import { useMe } from './me.ts'

const SELDOM_CHANGES = { staleTime: 5 * 60_000 }

/** The members of the workspace, and what to call one of them. */
export function useMembers() {
  const me = useMe().member
  const { data } = queries.useQuery('get', '/v1/members', {}, SELDOM_CHANGES)
  return useMemo(() => {
    const members: Schemas['Member'][] = data?.data ?? []
    const names = new Map(members.map(({ id, name }) => [id, name]))
    return {
      members,
      nameOf: (id: string | null): string | null =>
        id === null ? null : id === me.id ? 'You' : (names.get(id) ?? (data ? 'A former member' : '…')),
    }
  }, [data, me.id])
}

/** The signals there are, and their names for people. */
export function useSignalNames() {
  const { data } = queries.useQuery('get', '/v1/signals', {}, SELDOM_CHANGES)
  return useMemo(() => {
    const signals: Schemas['Signal'][] = data?.data ?? []
    const names = new Map(signals.map(({ id, name }) => [id, name]))
    return { signals, signalName: (id: string): string => names.get(id) ?? inWords(id) }
  }, [data])
}

/** `leadership_change` as people write it, for a signal that is gone by now. */
function inWords(id: string): string {
  const words = id.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
