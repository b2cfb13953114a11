import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries } from '../../api/client.ts'
import { toastError } from '../../components/toast.tsx'
import type { Verdict } from '../../components/VerdictButtons.tsx'

/** A sentence marked right or wrong. It has no id until its signal is saved. */
export type Example = { id?: string; sentence: string; verdict: Verdict; confidence?: number | null }

export type Examples = {
  all: Example[]
  isPending: boolean
  /** null removes the mark. */
  mark: (sentence: string, verdict: Verdict | null, confidence: number | null) => void
}

/** The examples of a new signal, saved together with it. */
export function draftedExamples(drafted: Example[], change: (examples: Example[]) => void): Examples {
  return {
    all: drafted,
    isPending: false,
    mark: (sentence, verdict, confidence) => {
      const others = drafted.filter((one) => one.sentence !== sentence)
      change(verdict ? [{ sentence, verdict, confidence }, ...others] : others)
    },
  }
}

export const examplesQuery = (id: string) =>
  queries.queryOptions('get', '/v1/signals/{id}/examples', { params: { path: { id } } })

type Mark = { sentence: string; verdict: Verdict | null; confidence: number | null }

/** The examples of an existing signal; each mark is saved immediately. */
export function useSavedExamples(id: string | undefined): Examples {
  const client = useQueryClient()
  const options = examplesQuery(id ?? '')
  const { data } = queries.useQuery(
    'get',
    '/v1/signals/{id}/examples',
    { params: { path: { id: id ?? '' } } },
    { enabled: id !== undefined },
  )
  const all = data?.data ?? []
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ sentence, verdict, confidence }: Mark) => {
      const path = { id: id ?? '' }
      if (verdict) {
        await api.POST('/v1/signals/{id}/examples', { params: { path }, body: { sentence, verdict, confidence } })
        return
      }
      const known = all.find((one) => one.sentence === sentence)
      if (!known) return
      const params = { path: { ...path, example_id: known.id } }
      await api.DELETE('/v1/signals/{id}/examples/{example_id}', { params })
    },
    onError: (error) => toastError('Mark not saved', error),
    onSettled: () => client.invalidateQueries({ queryKey: options.queryKey }),
  })
  return { all, isPending, mark: (sentence, verdict, confidence) => mutate({ sentence, verdict, confidence }) }
}
