import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { WORK_ITEMS_KEY } from '../api/work-items.ts'
import { toastError } from './toast.tsx'
import { VerdictButtons } from './VerdictButtons.tsx'

export type Feedback = Schemas['SignalDetection']['feedback']
type FeedbackInput = { verdict: 'right' | 'wrong' | null; reason?: string | null }

type Options = {
  accountId: string
  detectionId: string
  feedback: Feedback
  /** Called optimistically before the response, and again with the previous feedback if the request fails. */
  onChange: (feedback: Feedback) => void
}

/** Marks a finding as right or wrong, or clears the mark. Refetches dependent data; lists only when they are opened again. */
export function useFeedback({ accountId, detectionId, feedback, onChange }: Options) {
  const cache = useQueryClient()
  const path = { id: accountId, detection_id: detectionId }
  return useMutation({
    // Sequential, so that the last mark wins.
    scope: { id: `feedback ${detectionId}` },
    mutationFn: (body: FeedbackInput) =>
      api.PUT('/v1/accounts/{id}/signals/{detection_id}/feedback', { params: { path }, body }),
    onMutate: ({ verdict, reason = null }) =>
      onChange(verdict && { verdict, reason, by: null, at: new Date().toISOString() }),
    onError: (error) => {
      onChange(feedback)
      toastError('Feedback not saved', error)
    },
    onSuccess: ({ data }) => {
      onChange(data?.data ?? null)
      // The finding stays in the list until the list is opened again, so that a mistake can be undone.
      const lists = ['/v1/detections', '/v1/accounts/{id}/signals'] as const
      for (const list of lists) cache.invalidateQueries({ queryKey: ['get', list], refetchType: 'none' })
      cache.invalidateQueries({ queryKey: WORK_ITEMS_KEY })
      cache.invalidateQueries({ queryKey: ['get', '/v1/detections/by-week'] })
      // Signals show how many of their findings were marked right.
      cache.invalidateQueries({ queryKey: ['get', '/v1/signals'] })
      for (const about of ['/v1/accounts/{id}', '/v1/accounts/{id}/score'] as const) {
        const options = { params: { path: { id: accountId } } }
        cache.invalidateQueries({ queryKey: queries.queryOptions('get', about, options).queryKey })
      }
    },
  })
}

/** Right and wrong buttons for members with write access. */
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
