import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AlarmClock, CircleCheck, Compass } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import type { QueueState, QueueView } from '../../api/work-items.ts'
import { FirstSteps } from '../../components/FirstSteps.tsx'
import { EmptyState } from '../../components/states.tsx'
import { localDay } from '../../lib/days.ts'
import { pluralize } from '../../lib/format.ts'
import { formatDay } from '../../lib/work-actions.ts'

/** Today's items are counted up to this number. */
const MAX_COUNTED = 100

type Props = { view: QueueView; state: QueueState; showSnoozed: () => void }

/** The empty queue: which items return when, and what to do next. */
export function CaughtUp({ view, state, showSnoozed }: Props) {
  if (state === 'snoozed') return <EmptyState icon={AlarmClock} title="Nothing snoozed" />
  if (state === 'done') return <EmptyState icon={CircleCheck} title="Nothing done yet" />
  return (
    <FirstSteps>
      <Next view={view} showSnoozed={showSnoozed} />
    </FirstSteps>
  )
}

function Next({ view, showSnoozed }: Pick<Props, 'view' | 'showSnoozed'>) {
  const { write } = useRights()
  const snoozed = queries.useQuery('get', '/v1/work-items', {
    params: { query: { view, state: 'snoozed', per_page: 1 } },
  })
  const done = queries.useQuery('get', '/v1/work-items', {
    params: { query: { view, state: 'done', per_page: MAX_COUNTED } },
  })
  const today = localDay(new Date())
  const doneToday = (done.data?.data ?? []).filter(
    ({ changed_at }) => changed_at && localDay(new Date(changed_at)) === today,
  ).length
  const waiting = snoozed.data?.pagination.total ?? 0
  const next = snoozed.data?.data[0]?.snoozed_until
  const sentences = [
    doneToday > 0 && `${doneToday === MAX_COUNTED ? `${MAX_COUNTED}+` : doneToday} done today.`,
    waiting > 0 && next && `${pluralize(waiting, 'account')} snoozed, the next returns on ${formatDay(next)}.`,
    'New findings appear here.',
  ]
  return (
    <EmptyState
      icon={CircleCheck}
      title="You’re all caught up"
      action={
        <Group gap="xs" justify="center" mt="sm">
          {waiting > 0 && (
            <Button variant="default" onClick={showSnoozed}>
              Show snoozed
            </Button>
          )}
          <Button component={Link} to="/suggested" variant="default">
            Review suggestions
          </Button>
          {write && (
            <Button component={Link} to="/discover" leftSection={<Compass size={15} aria-hidden />}>
              Find companies
            </Button>
          )}
        </Group>
      }
    >
      {sentences.filter(Boolean).join(' ')}
    </EmptyState>
  )
}
