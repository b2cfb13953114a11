import { NativeSelect, Paper } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { QUEUE_STATES, QUEUE_VIEWS, type QueueState, type QueueView } from '../../api/work-items.ts'
import { Page } from '../../components/Page.tsx'
import { WithRail } from '../../components/WithRail.tsx'
import { formatNumber } from '../../lib/format.ts'
import { QUEUE_KEYS } from '../../lib/queue-keys.ts'
import { AttentionPanel } from './AttentionPanel.tsx'
import { CaughtUp } from './CaughtUp.tsx'
import classes from './Queue.module.css'
import { Queue } from './Queue.tsx'
import { SetupCard } from './SetupCard.tsx'
import { SuggestedCompanies } from './SuggestedCompanies.tsx'
import { useQueue } from './use-queue.ts'

const route = getRouteApi('/app/')

const VIEWS: Record<QueueView, string> = {
  queue: 'Queue',
  mine: 'My accounts',
  unowned: 'No owner',
  all: 'Everyone’s',
}
const STATES: Record<QueueState, { label: string; count: string }> = {
  open: { label: 'Open', count: 'to do' },
  snoozed: { label: 'Snoozed', count: 'snoozed' },
  done: { label: 'Done', count: 'done' },
}

/** The queue of the day: whom to contact, the most urgent first. */
export function Today() {
  const { view = 'queue', state = 'open' } = route.useSearch()
  // Each view has its own order and current card.
  return <TodayView key={`${view} ${state}`} view={view} state={state} />
}

function TodayView({ view, state }: { view: QueueView; state: QueueState }) {
  const navigate = route.useNavigate()
  const queue = useQueue(view, state)
  const show = (view: QueueView, state: QueueState) =>
    navigate({
      search: { view: view === 'queue' ? undefined : view, state: state === 'open' ? undefined : state },
      replace: true,
    })
  const isEmpty = queue.list.isSuccess && queue.items.length === 0
  return (
    <Page
      title="Today"
      lead={queue.list.isSuccess ? `${formatNumber(queue.total)} ${STATES[state].count}` : 'Loading…'}
      wide
      actions={
        <div className={classes.controls}>
          <NativeSelect
            aria-label="View"
            data={QUEUE_VIEWS.map((value) => ({ value, label: VIEWS[value] }))}
            value={view}
            onChange={(event) => show(event.currentTarget.value as QueueView, state)}
          />
          <NativeSelect
            aria-label="State"
            data={QUEUE_STATES.map((value) => ({ value, label: STATES[value].label }))}
            value={state}
            onChange={(event) => show(view, event.currentTarget.value as QueueState)}
          />
        </div>
      }
    >
      <WithRail
        rail={
          <>
            <SetupCard />
            <AttentionPanel />
            {!isEmpty && <Shortcuts />}
          </>
        }
      >
        {isEmpty && queue.fresh.length === 0 && (
          <CaughtUp view={view} state={state} showSnoozed={() => show(view, 'snoozed')} />
        )}
        <Queue queue={queue} view={view} state={state} />
        {state === 'open' && <SuggestedCompanies />}
      </WithRail>
    </Page>
  )
}

/** The keys, next to the queue on wide screens. */
function Shortcuts() {
  return (
    <Paper withBorder p="md" component="section" aria-label="Keyboard shortcuts" className={classes.shortcuts}>
      <ul className={classes.keys}>
        {QUEUE_KEYS.map(([keys, what]) => (
          <li key={what}>
            <span>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
            {what}
          </li>
        ))}
      </ul>
    </Paper>
  )
}
