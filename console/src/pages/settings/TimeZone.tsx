import { Button, Group, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries } from '../../api/client.ts'
import { meQuery, useMe, useRights } from '../../api/me.ts'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'

/** The time zone of the signed-in member. Suggests that of the browser. */
export function TimeZone() {
  const { time_zone } = useMe().member
  const { write } = useRights()
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (time_zone: string) => api.PATCH('/v1/me', { body: { time_zone } }),
    onSuccess: async (_, time_zone) => {
      const changed = [meQuery.queryKey, queries.queryOptions('get', '/v1/members').queryKey]
      await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
      toastSuccess(`Time zone set to ${time_zone}`)
    },
  })
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Group align="flex-end" gap="xs">
      <Select
        label="Time zone"
        description="Used for the times in your rules"
        searchable
        allowDeselect={false}
        disabled={!write}
        flex="1 1 220px"
        maw={320}
        data={[...new Set(['UTC', time_zone, here, ...Intl.supportedValuesOf('timeZone')])]}
        value={time_zone}
        onChange={(chosen) => chosen && save.mutate(chosen)}
        error={save.isError ? (fieldErrors(save.error).time_zone ?? errorMessage(save.error)) : null}
      />
      {write && here !== time_zone && (
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate(here)}>
          Use {here}
        </Button>
      )}
    </Group>
  )
}
