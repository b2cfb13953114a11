import { Autocomplete, Button, Checkbox, Group, MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import { queries } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useSignals } from '../../components/signals.tsx'
import classes from './Filters.module.css'
import type { Search } from './search.ts'

type Props = { search: Search; onChange: (change: Partial<Search>) => void; tags: string[] }

/** Which findings are shown: by signal, owner, tag and heat. */
export function Filters({ search, onChange, tags }: Props) {
  const { member } = useMe()
  const { signals } = useSignals()
  const { data: members } = queries.useQuery('get', '/v1/members', {}, { staleTime: 300_000 })
  const owners = (members?.data ?? []).map(({ id, name }) => ({
    value: id,
    label: id === member.id ? `${name} (you)` : name,
  }))
  const chosen = search.signal?.split(',') ?? []
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Filter the findings">
      <MultiSelect
        aria-label="Signals"
        placeholder={chosen.length === 0 ? 'All signals' : undefined}
        data={signals.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={(ids) => onChange({ signal: ids.join(',') || undefined })}
        searchable
        clearable
        hidePickedOptions
        className={classes.wide}
        size="sm"
      />
      <Select
        aria-label="Owner"
        placeholder="Any owner"
        data={owners}
        value={search.owner ?? null}
        onChange={(owner) => onChange({ owner: owner ?? undefined })}
        searchable
        clearable
        className={classes.field}
        size="sm"
      />
      <TagFilter key={search.tag ?? ''} tag={search.tag} tags={tags} onChange={(tag) => onChange({ tag })} />
      <Checkbox
        label="Hot only"
        checked={search.hot ?? false}
        onChange={(event) => onChange({ hot: event.currentTarget.checked || undefined })}
        className={classes.check}
      />
      {Object.values(search).some((one) => one !== undefined) && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.check}
          onClick={() => onChange({ signal: undefined, owner: undefined, tag: undefined, hot: undefined })}
        >
          Clear filters
        </Button>
      )}
    </Group>
  )
}

/** Any tag can be typed; those on the page are offered. */
function TagFilter({
  tag,
  tags,
  onChange,
}: {
  tag: string | undefined
  tags: string[]
  onChange: (tag: string | undefined) => void
}) {
  const [typed, setTyped] = useState(tag ?? '')
  const apply = (value: string) => {
    const wanted = value.trim() || undefined
    if (wanted !== tag) onChange(wanted)
  }
  return (
    <Autocomplete
      aria-label="Tag"
      placeholder="Any tag"
      data={tags}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={apply}
      onClear={() => apply('')}
      onBlur={() => apply(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(typed)
      }}
      clearable
      className={classes.field}
      size="sm"
    />
  )
}
