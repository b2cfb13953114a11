import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../../api/client.ts'
import { toastError, toastSuccess } from '../../components/toast.tsx'

export type Signal = Schemas['Signal']

export const signalsQuery = queries.queryOptions('get', '/v1/signals', {})

/** Switches a signal at once on the screen, then for good, with a way back. */
export function useSwitchSignal() {
  const client = useQueryClient()
  const { queryKey } = signalsQuery
  const { mutate, mutateAsync } = useMutation({
    mutationFn: ({ signal, enabled }: { signal: Signal; enabled: boolean; isUndo?: boolean }) =>
      api.PATCH('/v1/signals/{id}', { params: { path: { id: signal.id } }, body: { enabled } }),
    onMutate: async ({ signal, enabled }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<{ data: Signal[] }>(queryKey)
      client.setQueryData<{ data: Signal[] }>(
        queryKey,
        (known) =>
          known && { ...known, data: known.data.map((one) => (one.id === signal.id ? { ...one, enabled } : one)) },
      )
      return { before }
    },
    onError: (error, { signal }, context) => {
      client.setQueryData(queryKey, context?.before)
      toastError(`“${signal.name}” could not be switched`, error)
    },
    onSuccess: (_, { signal, enabled, isUndo }) => {
      if (isUndo) return
      const undo = () => mutateAsync({ signal, enabled: !enabled, isUndo: true })
      toastSuccess(enabled ? `Looking for “${signal.name}” again` : `No longer looking for “${signal.name}”`, undo)
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return mutate
}
