import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../../api/client.ts'
import { toastError } from '../../components/toast.tsx'

export type KnowledgeSection = Schemas['KnowledgeSection']

export const sectionsQuery = queries.queryOptions('get', '/v1/knowledge-base')

/** The types that the API uses; custom types are allowed. */
export const SECTION_TYPES = [
  { value: 'overview', label: 'Overview' },
  { value: 'product', label: 'Product' },
  { value: 'value_prop', label: 'Value proposition' },
  { value: 'icp', label: 'Ideal customers' },
  { value: 'pricing', label: 'Pricing' },
  { value: 'competitor', label: 'Competitors' },
  { value: 'custom', label: 'Other' },
]

export const sectionTypeLabel = (type: string) => SECTION_TYPES.find(({ value }) => value === type)?.label ?? type

export type SectionText = { title: string; type: string; content_md: string }

export async function saveSection(id: string | null, text: SectionText): Promise<KnowledgeSection> {
  const { data } =
    id === null
      ? await api.POST('/v1/knowledge-base', { body: text })
      : await api.PATCH('/v1/knowledge-base/{id}', { params: { path: { id } }, body: text })
  return (data as { data: KnowledgeSection }).data
}

/** Moves a section optimistically. */
export function useMoveSection() {
  const client = useQueryClient()
  const { queryKey } = sectionsQuery
  return useMutation({
    mutationFn: ({ id, to }: { id: string; to: number }) =>
      api.PATCH('/v1/knowledge-base/{id}', { params: { path: { id } }, body: { position: to } }),
    onMutate: async ({ id, to }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<{ data: KnowledgeSection[] }>(queryKey)
      client.setQueryData<{ data: KnowledgeSection[] }>(
        queryKey,
        (known) => known && { ...known, data: moveSection(known.data, id, to) },
      )
      return { before }
    },
    onError: (error, _, context) => {
      client.setQueryData(queryKey, context?.before)
      toastError('Section not moved', error)
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

function moveSection(sections: KnowledgeSection[], id: string, to: number): KnowledgeSection[] {
  const section = sections.find((one) => one.id === id)
  if (!section) return sections
  const others = sections.filter((one) => one.id !== id)
  return [...others.slice(0, to), section, ...others.slice(to)].map((one, position) => ({ ...one, position }))
}
