import { Combobox, Loader, Pill, PillsInput, Radio, Stack, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { queries } from '../../api/client.ts'

type Props = { chosen: string[] | undefined; latest: number; onChange: (ids: string[] | undefined) => void }

const MAX_ACCOUNTS = 50

/** The accounts to search: the most recently activated ones, or specific ones. */
export function FindAccounts({ chosen, latest, onChange }: Props) {
  const [isChoosing, setChoosing] = useState(chosen !== undefined)
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
          <Radio value="latest" label={`${latest} most recently activated accounts`} />
          <Radio value="chosen" label="Specific accounts" />
        </Stack>
      </Radio.Group>
      {isChoosing && <SpecificAccounts chosen={chosen ?? []} onChange={onChange} />}
    </Stack>
  )
}

/** Unlike MultiSelect, it highlights the first match when the search returns, so that Enter picks it. */
function SpecificAccounts({ chosen, onChange }: { chosen: string[]; onChange: Props['onChange'] }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const found = queries.useQuery(
    'get',
    '/v1/accounts',
    { params: { query: { status: 'active', per_page: 50, ...(search ? { search } : {}) } } },
    { placeholderData: keepPreviousData },
  )
  const named = useQueries({
    queries: chosen.map((id) =>
      queries.queryOptions('get', '/v1/accounts/{id}', { params: { path: { id } } }, { staleTime: 60_000 }),
    ),
  })
  const names = new Map(named.flatMap(({ data }) => (data ? [[data.data.id, data.data.name]] : [])))
  const isCurrent = search === typed.trim() && !found.isPlaceholderData
  const matches = (found.data?.data ?? []).filter(
    ({ id, name, domain }) =>
      !chosen.includes(id) && (isCurrent || `${name} ${domain}`.toLowerCase().includes(typed.trim().toLowerCase())),
  )
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const shown = matches.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: highlights the first of the options that are shown now
  useEffect(() => {
    if (combobox.dropdownOpened) combobox.selectFirstOption()
  }, [shown, combobox.dropdownOpened])
  const change = (ids: string[]) => onChange(ids.length > 0 ? ids : undefined)
  const add = (id: string) => {
    setTyped('')
    combobox.closeDropdown()
    change([...chosen, id].slice(0, MAX_ACCOUNTS))
  }
  const remove = (id: string | undefined) => change(chosen.filter((one) => one !== id))
  const onKeyDown = (event: KeyboardEvent) => {
    // Otherwise Enter starts the search for people.
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Backspace' && typed === '') remove(chosen.at(-1))
  }
  return (
    <Combobox store={combobox} onOptionSubmit={add}>
      <Combobox.DropdownTarget>
        <PillsInput
          onClick={() => combobox.openDropdown()}
          rightSection={found.isFetching ? <Loader size={14} aria-hidden /> : null}
        >
          <Pill.Group>
            {chosen.map((id) => (
              <Pill
                key={id}
                withRemoveButton
                onRemove={() => remove(id)}
                removeButtonProps={{ 'aria-label': `Remove ${names.get(id) ?? 'account'}`, 'aria-hidden': false }}
              >
                {names.get(id) ?? '…'}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label="Accounts to search"
                placeholder={chosen.length === 0 ? 'Search active accounts' : undefined}
                value={typed}
                onChange={(event) => {
                  setTyped(event.currentTarget.value)
                  combobox.openDropdown()
                }}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onKeyDown={onKeyDown}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }}>
          {matches.map(({ id, name }) => (
            <Combobox.Option key={id} value={id}>
              {name}
            </Combobox.Option>
          ))}
          {isCurrent && matches.length === 0 && <Combobox.Empty>No active accounts found</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
