import { Group, NumberInput, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { toastError, toastSuccess } from '../../components/toast.tsx'

/** After how many months a lost deal comes back in Today. */
export function LostDealMonths() {
  const { admin } = useRights()
  const settings = queries.useQuery('get', '/v1/settings/workspace')
  const current = settings.data?.data
  const save = useMutation({
    mutationFn: (lost_deal_months: number) => api.PUT('/v1/settings/workspace', { body: { lost_deal_months } }),
    onSuccess: async () => {
      await settings.refetch()
      toastSuccess('Setting saved')
    },
    onError: (error) => toastError('Setting not saved', error),
  })
  if (!current) return null
  const change = (text: string) => {
    const months = Number(text)
    if (Number.isInteger(months) && months >= 1 && months <= 60 && months !== current.lost_deal_months)
      save.mutate(months)
  }
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600}>Lost deals come back in Today</Text>
          <Text size="sm" c="dimmed" maw={480}>
            After this many months without news. A new executive, funding or an expansion brings them back at once.
          </Text>
        </div>
        <NumberInput
          key={current.lost_deal_months}
          aria-label="Months until a lost deal comes back"
          suffix=" months"
          min={1}
          max={60}
          allowDecimal={false}
          w={130}
          defaultValue={current.lost_deal_months}
          disabled={!admin || save.isPending}
          onBlur={(event) => change(event.currentTarget.value.replace(/\D+/g, ''))}
        />
      </Group>
    </Paper>
  )
}
