import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { queries } from '../../api/client.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string | null
  onChange: (id: string | null) => void
}

/** Selects an active account by name. */
export function AccountPicker({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data } = queries.useQuery('get', '/v1/accounts', {
    params: { query: { ...(search ? { search } : {}), status: 'active', per_page: 20 } },
  })
  const chosen = queries.useQuery(
    'get',
    '/v1/accounts/{id}',
    { params: { path: { id: value ?? '' } } },
    { enabled: value !== null },
  )
  const found = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const selected = chosen.data?.data
  const options =
    selected && !found.some(({ value }) => value === selected.id)
      ? [...found, { value: selected.id, label: selected.name }]
      : found
  return (
    <Select
      {...rest}
      data={options}
      value={value}
      onChange={onChange}
      searchable
      clearable
      onSearchChange={setTyped}
      selectFirstOptionOnChange
      // The server has already filtered the options.
      filter={(input) => input.options}
      nothingFoundMessage="No active accounts found"
      clearButtonProps={{ 'aria-label': 'Any account' }}
    />
  )
}
