import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { toastError } from './toast.tsx'
import { VerdictButtons } from './VerdictButtons.tsx'

export type Feedback = Schemas['SignalDetection']['feedback']
type FeedbackInput = { verdict: 'right' | 'wrong' | null; reason?: string | null }

type Options = {
  accountId: string
  detectionId: string
  feedback: Feedback
  /** Told at once, before the service has answered, and again with what was there when it refuses. */
  onChange: (feedback: Feedback) => void
}

/** Says that a finding is right or wrong, or takes it back. What rests on findings is read anew, lists when they are next opened. */
export function useFeedback({ accountId, detectionId, feedback, onChange }: Options) {
  const cache = useQueryClient()
  const path = { id: accountId, detection_id: detectionId }
  return useMutation({
    // One after the other: what was said last counts.
    scope: { id: `feedback ${detectionId}` },
    mutationFn: (body: FeedbackInput) =>
      api.PUT('/v1/accounts/{id}/signals/{detection_id}/feedback', { params: { path }, body }),
    onMutate: ({ verdict, reason = null }) =>
      onChange(verdict && { verdict, reason, by: null, at: new Date().toISOString() }),
    onError: (error) => {
      onChange(feedback)
      toastError('Your verdict could not be kept', error)
    },
    onSuccess: ({ data }) => {
      onChange(data?.data ?? null)
      // The finding itself stays where it is until the list is opened again: so that a slip can be taken back.
      const lists = ['/v1/detections', '/v1/accounts/{id}/signals'] as const
      for (const list of lists) cache.invalidateQueries({ queryKey: ['get', list], refetchType: 'none' })
      cache.invalidateQueries({ queryKey: ['get', '/v1/detections/by-week'] })
      // Signals show how many of their findings are right.
      cache.invalidateQueries({ queryKey: ['get', '/v1/signals'] })
      for (const about of ['/v1/accounts/{id}', '/v1/accounts/{id}/score'] as const) {
        const options = { params: { path: { id: accountId } } }
        cache.invalidateQueries({ queryKey: queries.queryOptions('get', about, options).queryKey })
      }
    },
  })
}

/** Says whether a finding is right, for those who may. */
export function FeedbackButtons(options: Options) {
  const { write } = useRights()
  const { mutate, isPending } = useFeedback(options)
  if (!write) return null
  return (
    <VerdictButtons
      label="Is this finding right?"
      verdict={options.feedback?.verdict ?? null}
      isPending={isPending}
      onChange={(verdict) => mutate({ verdict })}
    />
  )
}
