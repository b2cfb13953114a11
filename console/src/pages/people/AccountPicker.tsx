import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { queries } from '../../api/client.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string | null
  onChange: (id: string | null) => void
}

/** Chooses an account by a part of its name. */
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
  const own = chosen.data?.data
  const data_ =
    own && !found.some(({ value }) => value === own.id) ? [{ value: own.id, label: own.name }, ...found] : found
  return (
    <Select
      {...rest}
      data={data_}
      value={value}
      onChange={onChange}
      searchable
      clearable
      onSearchChange={setTyped}
      // What the service finds stands.
      filter={({ options }) => options}
      nothingFoundMessage="No active account of this name"
      clearButtonProps={{ 'aria-label': 'Any account' }}
    />
  )
}
