import { Anchor, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { toastError } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import type { ListedAccount } from './columns.tsx'
import type { accountFilters } from './search.ts'

type Filters = ReturnType<typeof accountFilters>
export type Selection = ReturnType<typeof useAccountSelection>

const NONE: ReadonlySet<string> = new Set()

/** The selected accounts across all pages. A new filter or search clears the selection; a new sort order does not. */
export function useAccountSelection(filters: Filters) {
  const [chosen, setChosen] = useState(NONE)
  const { sort, order, ...narrowing } = filters
  const key = JSON.stringify(narrowing)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection under other filters no longer applies
  useEffect(() => setChosen(NONE), [key])
  const all = useMutation({
    mutationFn: async () => (await api.GET('/v1/accounts/ids', { params: { query: filters } })).data?.data,
    onSuccess: (found) => setChosen(new Set(found?.ids)),
    onError: (error) => toastError('Selection failed', error),
  })
  return {
    ids: [...chosen],
    size: chosen.size,
    has: (id: string) => chosen.has(id),
    set: (ids: readonly string[], isChosen: boolean) =>
      setChosen((before) => {
        const next = new Set(before)
        for (const id of ids) isChosen ? next.add(id) : next.delete(id)
        return next
      }),
    clear: () => setChosen(NONE),
    selectAll: () => all.mutate(),
    isSelectingAll: all.isPending,
  }
}

type BannerProps = { selection: Selection; accounts: readonly ListedAccount[]; total: number }

/** The maximum selection, set by the API. */
const MAX_SELECTED = 10_000

/** Offers to select all matching accounts once the whole page is selected. */
export function SelectionBanner({ selection, accounts, total }: BannerProps) {
  const isWholePage = accounts.length > 0 && accounts.every(({ id }) => selection.has(id))
  if (!isWholePage || total <= accounts.length) return null
  const reachable = Math.min(total, MAX_SELECTED)
  if (selection.size >= reachable) {
    return (
      <Text size="sm" role="status">
        {reachable < total
          ? `The first ${formatNumber(reachable)} of ${formatNumber(total)} accounts are selected (maximum).`
          : `All ${formatNumber(total)} accounts are selected.`}
      </Text>
    )
  }
  return (
    <Group gap={6} role="status">
      <Text size="sm">{pluralize(selection.size, 'account')} selected.</Text>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={selection.selectAll}
        disabled={selection.isSelectingAll}
      >
        {reachable < total
          ? `Select the first ${formatNumber(reachable)} accounts`
          : `Select all ${formatNumber(total)} accounts`}
      </Anchor>
    </Group>
  )
}
