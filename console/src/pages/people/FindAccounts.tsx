import { Loader, MultiSelect, Radio, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../api/client.ts'

type Props = { chosen: string[] | undefined; latest: number; onChange: (ids: string[] | undefined) => void }

const MAX_ACCOUNTS = 50

/** The accounts to search: the most recently activated ones, or a selection. */
export function FindAccounts({ chosen, latest, onChange }: Props) {
  const [isChoosing, setChoosing] = useState(chosen !== undefined)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const found = queries.useQuery(
    'get',
    '/v1/accounts',
    { params: { query: { status: 'active', per_page: 50, ...(search ? { search } : {}) } } },
    { enabled: isChoosing },
  )
  const named = useQueries({
    queries: (chosen ?? []).map((id) =>
      queries.queryOptions('get', '/v1/accounts/{id}', { params: { path: { id } } }, { staleTime: 60_000 }),
    ),
  })
  const known = [...named.flatMap(({ data }) => data?.data ?? []), ...(found.data?.data ?? [])]
  const options = new Map(known.map(({ id, name }) => [id, name]))
  for (const id of chosen ?? []) if (!options.has(id)) options.set(id, '…')
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Accounts"
        value={isChoosing ? 'chosen' : 'latest'}
        onChange={(value) => {
          setChoosing(value === 'chosen')
          if (value === 'latest') onChange(undefined)
        }}
      >
        <Stack gap={6} mt={6}>
          <Radio value="latest" label={`Last ${latest} activated accounts`} />
          <Radio value="chosen" label="Selected accounts" />
        </Stack>
      </Radio.Group>
      {isChoosing && (
        <MultiSelect
          aria-label="Accounts to search"
          placeholder={chosen ? undefined : 'Search active accounts'}
          data={[...options].map(([value, label]) => ({ value, label }))}
          value={chosen ?? []}
          onChange={(ids) => onChange(ids.length > 0 ? ids : undefined)}
          onSearchChange={setTyped}
          filter={({ options }) => options}
          searchable
          maxValues={MAX_ACCOUNTS}
          rightSection={found.isFetching ? <Loader size={14} aria-hidden /> : null}
          nothingFoundMessage="No active accounts found"
        />
      )}
    </Stack>
  )
}
