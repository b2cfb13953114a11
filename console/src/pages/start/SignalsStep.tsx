import { Checkbox, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useUpdateSetup } from '../../api/setup.ts'
import { PageLink } from '../../components/links.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { signalsQuery, useSwitchSignal } from '../signals/signals.ts'
import classes from './Start.module.css'
import type { StepProps } from './Start.tsx'
import { StepActions } from './StepActions.tsx'

/** The events to track; all built-in ones at first. */
export function SignalsStep({ onDone, onLater }: StepProps) {
  const { data, error, isPending, refetch } = useQuery(signalsQuery)
  const switchSignal = useSwitchSignal()
  const update = useUpdateSetup()
  if (isPending) return <Loading lines={5} />
  if (error) return <ErrorMessage error={error} retry={refetch} />
  const signals = data.data
  const count = signals.filter(({ enabled }) => enabled).length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ step: 'signals', choice: 'keep' }, { onSuccess: onDone })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">Which events are a reason to get in touch? You can change this at any time.</Text>
        <ul className={classes.signals}>
          {signals.map((signal) => (
            <li key={signal.id}>
              <Checkbox
                label={signal.name}
                checked={signal.enabled}
                onChange={(event) => switchSignal({ signal, enabled: event.currentTarget.checked })}
              />
            </li>
          ))}
        </ul>
        <PageLink to="/signals/{-$id}" params={{ id: 'new' }} size="sm">
          Describe your own signal
        </PageLink>
        <StepActions
          action={`Track ${count === signals.length ? 'all' : count} signals`}
          isPending={update.isPending}
          isDisabled={count === 0}
          onLater={onLater}
        />
      </Stack>
    </form>
  )
}
