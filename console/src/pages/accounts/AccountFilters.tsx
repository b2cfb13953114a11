import {
  Autocomplete,
  Button,
  CloseButton,
  Group,
  NumberInput,
  Pill,
  Popover,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { ListFilter, Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { queries } from '../../api/client.ts'
import { useMembers } from '../../api/members.ts'
import { accountStatusLabel } from '../../components/AccountBadges.tsx'
import { localDay } from '../../lib/days.ts'
import { relationshipLabel, relationshipOptions } from '../../lib/relationships.ts'
import type { ListedAccount } from './columns.tsx'
import { type AccountsSearch, STATUSES } from './search.ts'

type Props = {
  search: AccountsSearch
  change: (changes: Partial<AccountsSearch>) => void
  /** The accounts on the page; their tags, industries and countries are suggested. */
  accounts: readonly ListedAccount[]
  children: ReactNode
}

/** A closed list is not rendered: its position would be computed when the page is opened. */
const UNTIL_OPENED = { keepMounted: false }

/** The filters of the list. All are stored in the URL. */
export function AccountFilters({ search, change, accounts, children }: Props) {
  const { members } = useMembers()
  const imports = useImportNames()
  const { typed, type } = useDebouncedText(search.search, (search) => change({ search }))
  const valuesOf = <T,>(read: (account: ListedAccount) => T | T[] | null) =>
    [...new Set(accounts.flatMap((account) => read(account) ?? []))].toSorted() as string[]
  const pills: [keyof AccountsSearch, string][] = [
    ...(search.tag ? [['tag', `Tag: ${search.tag}`] as const] : []),
    ...(search.industry ? [['industry', `Industry: ${search.industry}`] as const] : []),
    ...(search.country ? [['country', `Country: ${search.country}`] as const] : []),
    ...(search.relationship
      ? [['relationship', `Relationship: ${relationshipLabel(search.relationship)}`] as const]
      : []),
    ...(search.min_score ? [['min_score', `Score ≥ ${search.min_score}`] as const] : []),
    ...(search.run ? [['run', 'Discovery run'] as const] : []),
    ...(search.import
      ? [
          [
            'import',
            `Imported from ${imports.find(({ value }) => value === search.import)?.label ?? 'a file'}`,
          ] as const,
        ]
      : []),
  ].map(([name, label]) => [name, label])

  return (
    <Stack gap="xs">
      <Group gap="xs">
        <TextInput
          aria-label="Search accounts"
          placeholder="Search by name or domain"
          leftSection={<Search size={16} aria-hidden />}
          rightSection={typed && <CloseButton size="sm" aria-label="Clear search" onClick={() => type('')} />}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          maxLength={300}
          miw={200}
          flex={1}
          maw={360}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={STATUSES.map((value) => ({ value, label: accountStatusLabel(value) }))}
          value={search.status ?? null}
          onChange={(status) => change({ status: STATUSES.find((one) => one === status) })}
          w={150}
          comboboxProps={UNTIL_OPENED}
        />
        <Select
          aria-label="Owner"
          placeholder="Any owner"
          clearable
          searchable
          data={members.map(({ id, name }) => ({ value: id, label: name }))}
          value={search.owner ?? null}
          onChange={(owner) => change({ owner: owner ?? undefined })}
          w={150}
          comboboxProps={UNTIL_OPENED}
        />
        <Popover position="bottom-start" shadow="md" width={280} trapFocus>
          <Popover.Target>
            <Button variant="default" leftSection={<ListFilter size={16} aria-hidden />}>
              Filters
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="sm">
              <TextFilter
                label="Tag"
                value={search.tag}
                data={valuesOf(({ tags }) => tags)}
                set={(tag) => change({ tag })}
              />
              <TextFilter
                label="Industry"
                value={search.industry}
                data={valuesOf(({ industry }) => industry)}
                set={(industry) => change({ industry })}
              />
              <TextFilter
                label="Country"
                value={search.country}
                data={valuesOf(({ country }) => country)}
                set={(country) => change({ country })}
              />
              <Select
                label="Relationship"
                placeholder="Any"
                clearable
                data={relationshipOptions}
                value={search.relationship ?? null}
                onChange={(value) => change({ relationship: (value ?? undefined) as AccountsSearch['relationship'] })}
                comboboxProps={{ withinPortal: false }}
              />
              {imports.length > 0 && (
                <Select
                  label="Imported from"
                  placeholder="Any file"
                  clearable
                  data={imports}
                  value={search.import ?? null}
                  onChange={(id) => change({ import: id ?? undefined })}
                  comboboxProps={{ withinPortal: false }}
                />
              )}
              <NumberInput
                label="Minimum score"
                min={0}
                max={100}
                value={search.min_score ?? ''}
                onChange={(score) => change({ min_score: Number(score) > 0 ? Number(score) : undefined })}
              />
            </Stack>
          </Popover.Dropdown>
        </Popover>
        <Switch
          label="Hot only"
          checked={search.hot === true}
          onChange={(event) => change({ hot: event.currentTarget.checked || undefined })}
        />
        <Group ml="auto" gap="xs">
          {children}
        </Group>
      </Group>
      {pills.length > 0 && (
        <Group gap={6}>
          {pills.map(([name, label]) => (
            <Pill
              key={name}
              withRemoveButton
              onRemove={() => change({ [name]: undefined })}
              removeButtonProps={{ 'aria-label': `Remove filter ${label}`, 'aria-hidden': false, tabIndex: 0 }}
            >
              {label}
            </Pill>
          ))}
        </Group>
      )}
    </Stack>
  )
}

/** The most recent imports with new accounts, by file name and day. */
function useImportNames() {
  const { data } = queries.useQuery('get', '/v1/accounts/imports', { params: { query: { per_page: 100 } } })
  const named = (data?.data ?? []).filter(({ created }) => created > 0)
  return named.map(({ id, file_name, created_at }) => ({
    value: id,
    label: `${file_name ?? 'Import'}, ${localDay(new Date(created_at))}`,
  }))
}

type TextFilterProps = {
  label: string
  value: string | undefined
  data: string[]
  set: (value: string | undefined) => void
}

function TextFilter({ label, value, data, set }: TextFilterProps) {
  const { typed, type } = useDebouncedText(value, set)
  return (
    <Autocomplete
      label={label}
      data={data}
      value={typed}
      onChange={type}
      limit={8}
      comboboxProps={{ withinPortal: false }}
      maxLength={200}
    />
  )
}

/** A field that updates the URL after a delay and follows changes of the URL. */
function useDebouncedText(value: string | undefined, set: (value: string | undefined) => void) {
  const [typed, setTyped] = useState(value ?? '')
  const apply = useDebouncedCallback((text: string) => set(text.trim() || undefined), 250)
  useEffect(() => setTyped((now) => (now.trim() === (value ?? '') ? now : (value ?? ''))), [value])
  return {
    typed,
    type: (text: string) => {
      setTyped(text)
      apply(text)
    },
  }
}
