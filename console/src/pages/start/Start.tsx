import { Button, Container, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Check, ChevronDown, Clock } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useId, useState } from 'react'
import { countDone, type Setup, type SetupStep, STEP_TITLES, setupQuery, useUpdateSetup } from '../../api/setup.ts'
import { PageButton } from '../../components/links.tsx'
import { OfflineAlert, Preflight } from '../../components/Preflight.tsx'
import { ErrorMessage, Loading, ReadOnlyNotice } from '../../components/states.tsx'
import { pluralize } from '../../lib/format.ts'
import { AlertsStep } from './AlertsStep.tsx'
import { CompaniesStep } from './CompaniesStep.tsx'
import { CrmStep } from './CrmStep.tsx'
import { FirstFinding } from './FirstFinding.tsx'
import { ProfileStep } from './ProfileStep.tsx'
import { SignalsStep } from './SignalsStep.tsx'
import classes from './Start.module.css'
import { WebsiteStep } from './WebsiteStep.tsx'

const route = getRouteApi('/app/start')

const POLL_MS = 1_000

export type StepProps = {
  step: Setup['steps'][number]
  /** Moves on to the next open step. */
  onDone: () => void
  /** Puts the step off. */
  onLater: () => void
}

const STEPS: Record<SetupStep, ComponentType<StepProps>> = {
  website: WebsiteStep,
  profile: ProfileStep,
  crm: CrmStep,
  companies: CompaniesStep,
  signals: SignalsStep,
  alerts: AlertsStep,
}

/** Whether scans are expected to find something. */
const isWaiting = ({ steps, finding }: Setup) =>
  finding === null && steps.some(({ id, count }) => id === 'companies' && count > 0)

/** Leads a new member to the first finding, in steps that can be put off. */
export function Start() {
  useEffect(() => {
    document.title = 'Set up · Bellwether'
  }, [])
  const setup = useQuery({
    ...setupQuery,
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data.data) ? POLL_MS : false),
  })
  if (setup.isPending)
    return (
      <Frame>
        <Loading lines={8} />
      </Frame>
    )
  if (setup.isError) {
    return (
      <Frame>
        <ErrorMessage error={setup.error} retry={setup.refetch} />
      </Frame>
    )
  }
  const { data } = setup.data
  return (
    <Frame setup={data}>
      {data.steps.length > 0 ? <Steps setup={data} /> : <ReadOnlyNotice>You can’t change the setup.</ReadOnlyNotice>}
    </Frame>
  )
}

function Frame({ setup, children }: { setup?: Setup; children: ReactNode }) {
  const update = useUpdateSetup()
  const navigate = useNavigate()
  const done = setup ? countDone(setup) : 0
  const total = setup?.steps.length ?? 6
  const isComplete = setup?.next === null
  return (
    <Container size={760} px={{ base: 'sm', sm: 'lg' }} py="lg">
      <Stack gap="md">
        <div>
          <Group justify="space-between" gap="sm" wrap="nowrap">
            <Title order={1}>Set up Bellwether</Title>
            {setup && !isComplete && !setup.is_dismissed && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => update.mutate({ is_dismissed: true }, { onSuccess: () => navigate({ to: '/' }) })}
              >
                Skip setup
              </Button>
            )}
          </Group>
          <Text c="dimmed" size="sm">
            {isComplete
              ? 'Everything is in place. You can come back to any step.'
              : 'A few short steps to your first finding. You can leave and continue at any time.'}
          </Text>
        </div>
        <Group gap="sm" wrap="nowrap">
          <Progress value={(100 * done) / Math.max(total, 1)} flex={1} size="sm" aria-label="Steps done" />
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {done} of {total} done
          </Text>
        </Group>
        {children}
      </Stack>
    </Container>
  )
}

function Steps({ setup }: { setup: Setup }) {
  const { step } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const update = useUpdateSetup()
  // The step stays open when what it stores makes it done, so that it can be corrected.
  const [current, setCurrent] = useState<SetupStep | null>(step ?? setup.next)
  const open = (next: SetupStep | null) => {
    setCurrent(next)
    navigate({ search: { step: next ?? undefined }, replace: true, resetScroll: false })
  }
  async function moveOn() {
    const { data } = await client.fetchQuery({ ...setupQuery, staleTime: 0 })
    open(data.next)
  }
  const putOff = (step: SetupStep) =>
    update.mutate({ step, choice: 'later' }, { onSuccess: ({ data }) => open(data?.data.next ?? null) })
  return (
    <>
      <OfflineAlert />
      <ol className={classes.steps}>
        {setup.steps.map((one, at) => {
          const Content = STEPS[one.id]
          return (
            <Step
              key={one.id}
              number={at + 1}
              step={one}
              isOpen={current === one.id}
              onToggle={() => open(current === one.id ? null : one.id)}
            >
              <Content step={one} onDone={moveOn} onLater={() => putOff(one.id)} />
            </Step>
          )
        })}
      </ol>
      <FirstFinding setup={setup} />
      {setup.next === null && setup.finding && (
        <Group>
          <PageButton to="/" variant="default">
            Go to Today
          </PageButton>
        </Group>
      )}
      <Preflight />
    </>
  )
}

type StepRowProps = {
  number: number
  step: Setup['steps'][number]
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

function Step({ number, step, isOpen, onToggle, children }: StepRowProps) {
  const panel = useId()
  return (
    <li className={classes.step} data-state={step.state} data-open={isOpen || undefined}>
      <h2 className={classes.heading}>
        <button
          type="button"
          className={classes.header}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={onToggle}
        >
          <span className={classes.mark} aria-hidden>
            {step.state === 'done' ? <Check size={14} /> : step.state === 'skipped' ? <Clock size={13} /> : number}
          </span>
          <span className={classes.title}>{STEP_TITLES[step.id]}</span>
          <span className={classes.summary}>{summaryOf(step)}</span>
          <ChevronDown size={16} aria-hidden className={classes.chevron} />
        </button>
      </h2>
      {isOpen && (
        <div id={panel} className={classes.content}>
          {children}
        </div>
      )}
    </li>
  )
}

function summaryOf({ id, state, count }: Setup['steps'][number]): string {
  if (state === 'skipped') return 'Later'
  if (state === 'open') return ''
  if (id === 'website') return count > 0 ? `${pluralize(count, 'page')} read` : 'Done'
  if (id === 'crm') return 'Connected'
  if (id === 'companies') return pluralize(count, 'company', 'companies')
  if (id === 'signals') return `${count} on`
  if (id === 'alerts') return count > 0 ? 'On' : 'Off'
  return 'Done'
}
