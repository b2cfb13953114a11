import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../../api/client.ts'
import { toastError, toastSuccess } from '../../components/toast.tsx'

export type Signal = Schemas['Signal']

export const signalsQuery = queries.queryOptions('get', '/v1/signals', {})

/** Turns a signal on or off optimistically, with undo. */
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
      toastError(`Could not update “${signal.name}”`, error)
    },
    onSuccess: (_, { signal, enabled, isUndo }) => {
      if (isUndo) return
      const undo = () => mutateAsync({ signal, enabled: !enabled, isUndo: true })
      toastSuccess(enabled ? `“${signal.name}” turned on` : `“${signal.name}” turned off`, undo, [signal.id])
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return mutate
}
