import { Button, Group, Select, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Search as SearchIcon, SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { useMembers } from '../../api/members.ts'
import { useDebouncedInput } from '../../lib/use-debounced-input.ts'
import { AccountPicker } from './AccountPicker.tsx'
import { countries, levelName } from './labels.ts'
import { JOB_LEVELS, type PeopleSearch, SOURCES } from './search.ts'

const SOURCE_NAMES = { waterfall: 'Search', employee: 'Company roster', crm: 'CRM' }

type Props = { search: PeopleSearch; onChange: (search: Partial<PeopleSearch>) => void }

/** The filters of the list. All are stored in the URL. */
export function PeopleFilters({ search, onChange }: Props) {
  const { q, account, level, country, email, source, owner } = search
  const { members } = useMembers()
  const [typed, type] = useDebouncedInput(q ?? '', (q) => onChange({ q: q || undefined }))
  const isNarrow = useMediaQuery('(max-width: 36em)', false)
  const [isOpen, setOpen] = useState(false)
  const isFiltered = [q, account, level, country, email, source, owner].some((value) => value !== undefined)
  return (
    <Group gap="xs">
      <TextInput
        aria-label="Search people"
        placeholder="Search name, title or headline"
        leftSection={<SearchIcon size={15} aria-hidden />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        w={{ base: 'calc(100% - 125px)', xs: 230 }}
      />
      {isNarrow && (
        <Button
          variant="default"
          leftSection={<SlidersHorizontal size={15} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Filters
        </Button>
      )}
      {(!isNarrow || isOpen) && (
        <>
          <AccountPicker
            aria-label="Account"
            placeholder="Any account"
            value={account ?? null}
            onChange={(account) => onChange({ account: account ?? undefined })}
            w={{ base: 'calc(50% - 5px)', xs: 170 }}
          />
          <Select
            aria-label="Level"
            placeholder="Any level"
            data={JOB_LEVELS.map((value) => ({ value, label: levelName(value) }))}
            value={level ?? null}
            onChange={(level) => onChange({ level: (level as PeopleSearch['level']) ?? undefined })}
            clearable
            clearButtonProps={{ 'aria-label': 'Any level' }}
            w={{ base: 'calc(50% - 5px)', xs: 130 }}
          />
          <Select
            aria-label="Country"
            placeholder="Any country"
            data={countries()}
            value={country?.toUpperCase() ?? null}
            onChange={(country) => onChange({ country: country ?? undefined })}
            searchable
            clearable
            limit={60}
            clearButtonProps={{ 'aria-label': 'Any country' }}
            w={{ base: 'calc(50% - 5px)', xs: 150 }}
          />
          <Select
            aria-label="Email"
            placeholder="Any email"
            data={[
              { value: 'true', label: 'Has email' },
              { value: 'false', label: 'No email' },
            ]}
            value={email === undefined ? null : String(email)}
            onChange={(email) => onChange({ email: email === null ? undefined : email === 'true' })}
            clearable
            clearButtonProps={{ 'aria-label': 'Any email' }}
            w={{ base: 'calc(50% - 5px)', xs: 140 }}
          />
          <Select
            aria-label="Source"
            placeholder="Any source"
            data={SOURCES.map((value) => ({ value, label: SOURCE_NAMES[value] }))}
            value={source ?? null}
            onChange={(chosen) => onChange({ source: (chosen as PeopleSearch['source']) ?? undefined })}
            clearable
            clearButtonProps={{ 'aria-label': 'Any source' }}
            w={{ base: 'calc(50% - 5px)', xs: 170 }}
          />
          <Select
            aria-label="Owner"
            placeholder="Any owner"
            data={members.map(({ id, name }) => ({ value: id, label: name }))}
            value={owner ?? null}
            onChange={(owner) => onChange({ owner: owner ?? undefined })}
            clearable
            clearButtonProps={{ 'aria-label': 'Any owner' }}
            w={{ base: 'calc(50% - 5px)', xs: 140 }}
          />
        </>
      )}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<X size={14} aria-hidden />}
          onClick={() =>
            onChange({
              q: undefined,
              account: undefined,
              level: undefined,
              country: undefined,
              email: undefined,
              source: undefined,
              owner: undefined,
            })
          }
        >
          Clear
        </Button>
      )}
    </Group>
  )
}
