import { useMembers } from '../api/members.ts'
import type { WorkItem } from '../api/work-items.ts'
import { CalendarDate, RelativeTime } from './time.tsx'

const OUTCOMES: Record<NonNullable<WorkItem['outcome']>, string> = {
  contacted: 'Contacted',
  pushed: 'Sent to CRM',
  not_relevant: 'Not relevant',
  wrong: 'Wrong',
}

type Props = { item: Pick<WorkItem, 'state' | 'outcome' | 'snoozed_until' | 'changed_at' | 'changed_by'> }

/** Until when a work item is snoozed, or how, by whom and when it was done. */
export function ItemState({ item: { state, outcome, snoozed_until, changed_at, changed_by } }: Props) {
  const { nameOf } = useMembers()
  if (state === 'snoozed') {
    return (
      <>
        Until <CalendarDate on={snoozed_until} />
      </>
    )
  }
  return (
    <>
      {[outcome && OUTCOMES[outcome], nameOf(changed_by)].filter(Boolean).join(' · ')}
      {' · '}
      <RelativeTime at={changed_at} />
    </>
  )
}
