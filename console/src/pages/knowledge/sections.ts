import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../../api/client.ts'
import { tellFailed } from '../../components/toast.tsx'

export type Section = Schemas['KnowledgeSection']

export const sectionsQuery = queries.queryOptions('get', '/v1/knowledge-base')

/** What the service knows to use; others may be written by hand. */
export const TYPES = [
  { value: 'overview', label: 'Overview' },
  { value: 'product', label: 'Product' },
  { value: 'value_prop', label: 'What it brings' },
  { value: 'icp', label: 'Ideal customers' },
  { value: 'pricing', label: 'Pricing' },
  { value: 'competitor', label: 'Competitors' },
  { value: 'custom', label: 'Other' },
]

export const typeLabel = (type: string) => TYPES.find(({ value }) => value === type)?.label ?? type

export type SectionText = { title: string; type: string; content_md: string }

export async function saveSection(id: string | null, text: SectionText): Promise<Section> {
  const { data } =
    id === null
      ? await api.POST('/v1/knowledge-base', { body: text })
      : await api.PATCH('/v1/knowledge-base/{id}', { params: { path: { id } }, body: text })
  return (data as { data: Section }).data
}

/** Moves a section at once on the screen, then for good; back where it was if that fails. */
export function useMoveSection() {
  const client = useQueryClient()
  const { queryKey } = sectionsQuery
  return useMutation({
    mutationFn: ({ id, to }: { id: string; to: number }) =>
      api.PATCH('/v1/knowledge-base/{id}', { params: { path: { id } }, body: { position: to } }),
    onMutate: async ({ id, to }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<{ data: Section[] }>(queryKey)
      client.setQueryData<{ data: Section[] }>(
        queryKey,
        (known) => known && { ...known, data: moved(known.data, id, to) },
      )
      return { before }
    },
    onError: (error, _, context) => {
      client.setQueryData(queryKey, context?.before)
      tellFailed('The section could not be moved', error)
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

function moved(sections: Section[], id: string, to: number): Section[] {
  const section = sections.find((one) => one.id === id)
  if (!section) return sections
  const others = sections.filter((one) => one.id !== id)
  return [...others.slice(0, to), section, ...others.slice(to)].map((one, position) => ({ ...one, position }))
}
