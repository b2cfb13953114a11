import { Stack, Text } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { queries } from '../../api/client.ts'
import { LoadMore } from '../../components/LoadMore.tsx'
import { useSignals } from '../../components/signals.tsx'
import { Loading } from '../../components/states.tsx'
import { addDays, localDay } from '../../lib/days.ts'
import { pluralize } from '../../lib/format.ts'
import { AccountGroup } from './AccountGroup.tsx'
import classes from './Feed.module.css'
import { type FeedEntry, groupFeed } from './groups.ts'

/** The number of findings loaded automatically on scroll; further pages need a click. */
const AUTO_LOAD_LIMIT = 300
const FIRST_BATCH = 6

type Props = {
  entries: readonly FeedEntry[]
  total: number
  isLoadingMore: boolean
  loadMore: (() => void) | null
}

/** The findings by day and account. */
export function Feed({ entries, total, isLoadingMore, loadMore }: Props) {
  const { nameOf } = useSignals()
  const { data: members } = queries.useQuery('get', '/v1/members', {}, { staleTime: 300_000 })
  const owners = useMemo(() => new Map((members?.data ?? []).map(({ id, name }) => [id, name])), [members])
  // The first screen renders immediately; the rest is deferred, so that input stays responsive.
  const [first] = useState(() => entries.slice(0, FIRST_BATCH))
  const drawn = useDeferredValue(entries, first)
  const days = useMemo(() => groupFeed(drawn), [drawn])
  return (
    <Stack gap="lg">
      {days.map(({ day, groups }) => (
        <section key={day} aria-label={dayHeading(day)}>
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
      {isLoadingMore && <Loading lines={4} />}
      {loadMore ? (
        <LoadMore load={loadMore} isLoading={isLoadingMore} isAutomatic={entries.length < AUTO_LOAD_LIMIT} />
      ) : (
        <Text size="sm" c="dimmed" ta="center">
          {pluralize(total, 'finding')}
        </Text>
      )}
    </Stack>
  )
}

const far = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

function dayHeading(day: string): string {
  const now = new Date()
  if (day === localDay(now)) return 'Today'
  if (day === localDay(addDays(now, -1))) return 'Yesterday'
  return far.format(new Date(`${day}T12:00:00`))
}
