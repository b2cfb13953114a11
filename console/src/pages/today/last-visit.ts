import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { meQuery, useMe } from '../../api/me.ts'

/** The state at the start of the visit. A visit lasts until the page is reloaded. */
let visit: { member: string; seenAt: string | null } | undefined

const SHOWN_MS = 1_500

/**
 * The time up to which the member had seen the feed at the start of the visit; null on the first visit. Findings that were visible
 * for SHOWN_MS count as seen at the next visit.
 */
export function useLastVisit(newest: string | undefined): string | null {
  const { member, feed_seen_at } = useMe()
  const [seenAt] = useState(() => {
    if (visit?.member !== member.id) visit = { member: member.id, seenAt: feed_seen_at }
    return visit.seenAt
  })
  const cache = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (at: string) => api.PUT('/v1/me/feed-seen', { body: { at } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
  const isKnown = newest === undefined || (feed_seen_at !== null && newest <= feed_seen_at)
  useEffect(() => {
    if (isKnown || newest === undefined) return
    const mark = () => document.visibilityState === 'visible' && mutate(newest)
    const timer = setTimeout(mark, SHOWN_MS)
    document.addEventListener('visibilitychange', mark)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', mark)
    }
  }, [isKnown, newest, mutate])
  return seenAt
}
