import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '../components/toast.tsx'
import { api, queries, type Schemas } from './client.ts'

export type Setup = Schemas['Setup']
export type SetupStep = Setup['steps'][number]['id']

export const setupQuery = queries.queryOptions('get', '/v1/setup', {})

/** Puts a step off, keeps its defaults, or dismisses the setup. */
export function useUpdateSetup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Schemas['UpdateSetup']) => api.PATCH('/v1/setup', { body }),
    onSuccess: ({ data }) => client.setQueryData(setupQuery.queryKey, data),
    onError: (error) => toastError('Setup not saved', error),
  })
}

/** The number of steps that need no more attention. */
export const countDone = ({ steps }: Setup) => steps.filter(({ state }) => state === 'done').length

export const STEP_TITLES: Record<SetupStep, string> = {
  website: 'Your website',
  profile: 'Name and signature',
  crm: 'Your CRM',
  companies: 'Your companies',
  signals: 'Signals to track',
  alerts: 'Alerts',
}
