import { Button, Group, NumberInput, Progress, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { activationsLeft, NO_LIMIT } from '../../api/activations.ts'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { StateBadge } from '../../components/StateBadge.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { CalendarDate } from '../../components/time.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { CreditDays } from './CreditDays.tsx'
import { SettingsSection } from './Section.tsx'

/** The current and past usage of the plan. */
export default function Plan() {
  const usage = queries.useQuery('get', '/v1/usage')
  const history = queries.useQuery('get', '/v1/usage/history')
  const subscription = queries.useQuery('get', '/v1/subscription')
  if (usage.isPending || history.isPending || subscription.isPending) return <Loading />
  if (usage.isError) return <ErrorMessage error={usage.error} retry={usage.refetch} />
  if (history.isError) return <ErrorMessage error={history.error} retry={history.refetch} />
  if (subscription.isError) return <ErrorMessage error={subscription.error} retry={subscription.refetch} />
  return (
    <Stack gap="xl">
      <Meter subscription={subscription.data.data} />
      <SettingsSection title="Daily usage">
        <CreditDays history={history.data.data} />
      </SettingsSection>
      <SettingsSection title="Past periods">
        <Periods periods={history.data.data.periods.filter(({ is_current }) => !is_current)} />
      </SettingsSection>
      <SettingsSection title="Workspace totals">
        <WorkspaceTotals usage={usage.data.data} />
      </SettingsSection>
    </Stack>
  )
}

function Meter({ subscription }: { subscription: Schemas['Subscription'] }) {
  const { account_limit, credits_used, period_start, period_end, status } = subscription
  const { admin } = useRights()
  const left = activationsLeft(subscription)
  const inactive = status === 'inactive' && <StateBadge color="red">Inactive</StateBadge>
  if (left === null) {
    return (
      <SettingsSection
        title="Activations"
        lead={`No limit. ${pluralize(credits_used, 'account')} activated in this period.`}
        actions={inactive}
      >
        {admin && <Limit limit={account_limit} />}
      </SettingsSection>
    )
  }
  const share = account_limit === 0 ? 100 : Math.min(100, (credits_used / account_limit) * 100)
  const color = left === 0 ? 'red' : share >= 90 ? 'orange' : 'bell'
  return (
    <SettingsSection
      title="Activations"
      lead="Activating an account uses 1 activation per period. Nothing else is metered."
      actions={inactive}
    >
      <Group justify="space-between" align="baseline">
        <Text fw={600}>
          {formatNumber(credits_used)} of {formatNumber(account_limit)} used
        </Text>
        <Text size="sm" c="dimmed">
          {left === 0 ? 'No activations left' : `${formatNumber(left)} left`} until <CalendarDate on={period_end} />
        </Text>
      </Group>
      <Progress
        value={share}
        size="lg"
        color={color}
        aria-label={`${formatNumber(credits_used)} of ${formatNumber(account_limit)} activations used`}
      />
      <Text size="sm" c="dimmed">
        Current period started <CalendarDate on={period_start} />. Activations reset at the end of the period.
      </Text>
      {admin && <Limit key={account_limit} limit={account_limit} />}
    </SettingsSection>
  )
}

function Limit({ limit }: { limit: number }) {
  const queryClient = useQueryClient()
  const [wanted, setWanted] = useState<number | string>(limit >= NO_LIMIT ? '' : limit)
  const chosen = wanted === '' ? NO_LIMIT : wanted
  const save = useMutation({
    mutationFn: (account_limit: number) => api.PUT('/v1/subscription', { body: { account_limit } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      toastSuccess('Limit updated')
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typeof chosen === 'number') save.mutate(chosen)
      }}
    >
      <Group align="flex-end" gap="xs">
        <NumberInput
          label="Activations per period"
          placeholder="No limit"
          min={0}
          max={10_000_000}
          allowDecimal={false}
          w={200}
          value={wanted}
          onChange={setWanted}
          error={save.isError ? errorMessage(save.error) : null}
        />
        <Button
          type="submit"
          variant="default"
          loading={save.isPending}
          disabled={chosen === limit || typeof chosen !== 'number'}
        >
          Save
        </Button>
      </Group>
    </form>
  )
}

function Periods({ periods }: { periods: Schemas['UsageHistory']['periods'] }) {
  if (periods.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No past periods.
      </Text>
    )
  }
  return (
    <Table verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Period</Table.Th>
          <Table.Th>Used</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {periods.map(({ period_start, period_end, credits_used, account_limit }) => (
          <Table.Tr key={period_start}>
            <Table.Td>
              <CalendarDate on={period_start} /> – <CalendarDate on={period_end} />
            </Table.Td>
            <Table.Td>
              <Text size="sm">
                {formatNumber(credits_used)}
                {account_limit < NO_LIMIT && ` of ${formatNumber(account_limit)}`}
              </Text>
              {account_limit < NO_LIMIT && (
                <Progress
                  value={account_limit === 0 ? 0 : Math.min(100, (credits_used / account_limit) * 100)}
                  size="xs"
                  mt={4}
                  aria-hidden
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function WorkspaceTotals({ usage }: { usage: Schemas['Usage'] }) {
  const { scoped } = useRights()
  return (
    <Text size="sm">
      {pluralize(usage.accounts, 'account')} ({formatNumber(usage.accounts_active)} active),{' '}
      {pluralize(usage.people, 'person', 'people')}
      {scoped && ' visible to you'}, {pluralize(usage.signals_enabled, 'active signal')},{' '}
      {pluralize(usage.members, 'member')}, {pluralize(usage.api_keys, 'API key')}
    </Text>
  )
}
