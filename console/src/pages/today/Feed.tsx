import { Button, Center, Stack, Text } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { queries } from '../../api/client.ts'
import { useSignals } from '../../components/signals.tsx'
import { Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { pluralize } from '../../lib/format.ts'
import { AccountGroup } from './AccountGroup.tsx'
import classes from './Feed.module.css'
import { type FeedEntry, groupFeed, localDate } from './groups.ts'

/** The number of findings loaded automatically on scroll; further pages need a click. */
const AUTO_LOAD_LIMIT = 300
const FIRST_BATCH = 6

type Props = {
  entries: readonly FeedEntry[]
  seenAt: string | null
  total: number
  isLoadingMore: boolean
  loadMore: (() => void) | null
}

/** The findings by day and account, with a divider at the last visit. */
export function Feed({ entries, seenAt, total, isLoadingMore, loadMore }: Props) {
  const { nameOf } = useSignals()
  const { data: members } = queries.useQuery('get', '/v1/members', {}, { staleTime: 300_000 })
  const owners = useMemo(() => new Map((members?.data ?? []).map(({ id, name }) => [id, name])), [members])
  // The first screen renders immediately; the rest is deferred, so that input stays responsive.
  const [first] = useState(() => entries.slice(0, FIRST_BATCH))
  const drawn = useDeferredValue(entries, first)
  const parts = useMemo(() => groupFeed(drawn, seenAt), [drawn, seenAt])
  return (
    <Stack gap="lg">
      {parts.map(({ isNew, days }, at) => (
        <Stack gap="lg" key={String(isNew)}>
          {!isNew && at > 0 && seenAt && (
            <div className={classes.seen}>
              <span>
                Last visit <RelativeTime at={seenAt} />
              </span>
            </div>
          )}
          {days.map(({ key, day, groups }) => (
            <section key={key} aria-label={dayHeading(day)}>
              <h2 className={classes.day}>{dayHeading(day)}</h2>
              <Stack gap="sm">
                {groups.map((group) => (
                  <AccountGroup
                    key={group.key}
                    group={group}
                    nameOf={nameOf}
                    ownerName={group.account.owner_id ? owners.get(group.account.owner_id) : undefined}
                  />
                ))}
              </Stack>
            </section>
          ))}
        </Stack>
      ))}
      {isLoadingMore && <Loading lines={4} />}
      {loadMore ? (
        <More load={loadMore} isLoading={isLoadingMore} isAutomatic={entries.length < AUTO_LOAD_LIMIT} />
      ) : (
        <Text size="sm" c="dimmed" ta="center">
          {pluralize(total, 'finding')}. You’re all caught up.
        </Text>
      )}
    </Stack>
  )
}

function More({ load, isLoading, isAutomatic }: { load: () => void; isLoading: boolean; isAutomatic: boolean }) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' })
  const isNear = entry?.isIntersecting ?? false
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    if (isNear && isAutomatic && !isLoading) latest.current()
  }, [isNear, isAutomatic, isLoading])
  return (
    <Center ref={ref} py="sm">
      <Button variant="default" onClick={load} loading={isLoading}>
        Load more
      </Button>
    </Center>
  )
}

const far = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

function dayHeading(day: string): string {
  const now = new Date()
  if (day === localDate(now.toISOString())) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (day === localDate(yesterday.toISOString())) return 'Yesterday'
  return far.format(new Date(`${day}T12:00:00`))
}
