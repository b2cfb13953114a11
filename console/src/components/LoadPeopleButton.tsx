import { Button, type ButtonProps } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { api, type Schemas } from '../api/client.ts'
import { pluralize } from '../lib/format.ts'
import { toastError, toastSuccess } from './toast.tsx'

/** Loads the people of an account and reports how many were found and which sources failed. */
export function useSyncPeople(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.POST('/v1/people/sync', { body: { account_id: accountId } }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({
        predicate: ({ queryKey }) => /^\/v1\/(accounts|people|work-items)\b/.test(String(queryKey[1])),
      })
      if (data) reportSync(data.data)
    },
    onError: (error) => toastError('Could not load people', error),
  })
}

function reportSync({ synced, sources }: Schemas['SyncedPeople']): void {
  const failed = sources.filter(({ outcome }) => outcome === 'failed')
  toastSuccess(synced > 0 ? `${pluralize(synced, 'person', 'people')} loaded` : 'No people found')
  if (failed.length === 0) return
  const reasons = failed.map(({ name, reason }) => `${name}: ${reason}`).join(' ')
  toastError(`${pluralize(failed.length, 'source')} failed`, new Error(reasons))
}

export function LoadPeopleButton({ accountId, ...rest }: ButtonProps & { accountId: string }) {
  const sync = useSyncPeople(accountId)
  return (
    <Button
      variant="default"
      leftSection={<Users size={14} aria-hidden />}
      {...rest}
      loading={sync.isPending}
      onClick={() => sync.mutate()}
    >
      Load people
    </Button>
  )
}
