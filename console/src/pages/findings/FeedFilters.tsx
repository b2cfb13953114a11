import { Button, NativeSelect, TextInput } from '@mantine/core'
import { Flame } from 'lucide-react'
import { useId, useState } from 'react'
import { queries } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useSignals } from '../../components/signals.tsx'
import { pluralize } from '../../lib/format.ts'
import { RELATIONSHIPS, relationshipOptions } from '../../lib/relationships.ts'
import classes from './FeedFilters.module.css'
import type { FeedSearch } from './search.ts'

type Props = { search: FeedSearch; onChange: (change: Partial<FeedSearch>) => void; tags: string[] }

/**
 * The filters of the feed: signal, owner, relationship, tag and hot accounts. They use native selects, which load fast and suit phones. Several
 * signals can be selected in the chart.
 */
export function FeedFilters({ search, onChange, tags }: Props) {
  const { member } = useMe()
  const { signals } = useSignals()
  const { data: members } = queries.useQuery('get', '/v1/members', {}, { staleTime: 300_000 })
  const owners = (members?.data ?? []).map(({ id, name }) => ({
    value: id,
    label: id === member.id ? `${name} (you)` : name,
  }))
  const chosen = search.signal?.split(',') ?? []
  const several =
    chosen.length > 1 ? [{ value: search.signal as string, label: pluralize(chosen.length, 'signal') }] : []
  const isFiltered = Object.values(search).some((one) => one !== undefined)
  return (
    <search className={classes.filters} aria-label="Filters">
      <NativeSelect
        aria-label="Signal"
        data={[
          { value: '', label: 'All signals' },
          ...several,
          ...signals.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={search.signal ?? ''}
        onChange={(event) => onChange({ signal: event.currentTarget.value || undefined })}
        className={classes.field}
      />
      <NativeSelect
        aria-label="Owner"
        data={[{ value: '', label: 'Any owner' }, ...owners]}
        value={search.owner ?? ''}
        onChange={(event) => onChange({ owner: event.currentTarget.value || undefined })}
        className={classes.field}
      />
      <NativeSelect
        aria-label="Relationship"
        data={[{ value: '', label: 'Any relationship' }, ...relationshipOptions]}
        value={search.relationship ?? ''}
        onChange={(event) => onChange({ relationship: RELATIONSHIPS.find((one) => one === event.currentTarget.value) })}
        className={classes.field}
      />
      <TagFilter key={search.tag ?? ''} tag={search.tag} tags={tags} onChange={(tag) => onChange({ tag })} />
      <Button
        variant={search.hot ? 'light' : 'default'}
        fw={500}
        leftSection={<Flame size={15} aria-hidden />}
        aria-pressed={search.hot ?? false}
        onClick={() => onChange({ hot: search.hot ? undefined : true })}
      >
        Hot only
      </Button>
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({ signal: undefined, owner: undefined, tag: undefined, hot: undefined, relationship: undefined })
          }
        >
          Clear filters
        </Button>
      )}
    </search>
  )
}

type TagProps = { tag: string | undefined; tags: string[]; onChange: (tag: string | undefined) => void }

/** Accepts any tag and suggests the tags on the page. */
function TagFilter({ tag, tags, onChange }: TagProps) {
  const [typed, setTyped] = useState(tag ?? '')
  const known = useId()
  const apply = (value: string) => {
    const wanted = value.trim() || undefined
    if (wanted !== tag) onChange(wanted)
  }
  return (
    <form
      className={classes.field}
      onSubmit={(event) => {
        event.preventDefault()
        apply(typed)
      }}
    >
      <TextInput
        type="search"
        aria-label="Tag"
        placeholder="Any tag"
        list={known}
        value={typed}
        onChange={(event) => {
          const { value } = event.currentTarget
          setTyped(value)
          // Selected from the list or cleared: apply immediately.
          if (value === '' || tags.includes(value)) apply(value)
        }}
        onBlur={() => apply(typed)}
      />
      <datalist id={known}>
        {tags.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </form>
  )
}
