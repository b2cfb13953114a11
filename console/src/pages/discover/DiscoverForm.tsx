import {
  Button,
  Group,
  Input,
  MultiSelect,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Compass } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { ApiError, api, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useSignals } from '../../components/signals.tsx'
import { ErrorText, ReadOnlyNotice } from '../../components/states.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { formatCompact, formatNumber } from '../../lib/format.ts'
import classes from './discover.module.css'
import type { DiscoverSearch } from './search.ts'

type Facets = Schemas['CompanyFacets']
type Props = {
  search: DiscoverSearch
  change: (changes: Partial<DiscoverSearch>, options?: { replace?: boolean }) => void
  /** Counts of the imported companies; undefined while loading. */
  facets: Facets | undefined
}

const RECENCY = [
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '180', label: 'Last 6 months' },
  { value: '365', label: 'Last year' },
  { value: 'all', label: 'Any time' },
] as const
const MODE = [
  { value: 'discovery', label: 'New companies' },
  { value: 'monitor', label: 'Active accounts' },
  { value: 'both', label: 'Both' },
] as const
const REGIONS = ['DACH', 'EMEA', 'APAC', 'Europe', 'European Union', 'North America', 'Nordics', 'Benelux', 'LATAM']
/** The API expects English country names, whatever the browser language. */
const countries = new Intl.DisplayNames('en', { type: 'region' })

/** The form of a discovery run. All fields are stored in the URL, so that a search can be shared. */
export function DiscoverForm({ search, change, facets }: Props) {
  const { write } = useRights()
  const { signals } = useSignals()
  const client = useQueryClient()
  const start = useMutation({
    mutationFn: async () => (await api.POST('/v1/runs', { body: bodyOf(search) })).data?.data,
    onSuccess: (run) => {
      client.invalidateQueries({ queryKey: ['get', '/v1/runs'] })
      if (run) change({ run: run.run_id })
    },
  })
  const details = start.error instanceof ApiError ? start.error.details : []
  const errorOf = (...paths: string[]) =>
    details
      .filter(({ path }) => paths.some((prefix) => path === prefix || path.startsWith(`${prefix}.`)))
      .map(({ message }) => message)
      .join('; ') || undefined
  const isShownAtField =
    details.length > 0 && details.every(({ path }) => /^(signals|geographies|industries|employee)/.test(path))
  const set = (changes: Partial<DiscoverSearch>) => change(changes, { replace: true })
  const chosen = (values: string[]) => (values.length > 0 ? values : undefined)

  const named = signals.map(({ id, name }) => ({ value: id, label: name }))
  const without = (...taken: (string[] | undefined)[]) => named.filter(({ value }) => !taken.flat().includes(value))
  const places = new Map((facets?.countries ?? []).map(({ code, count }) => [countries.of(code) ?? code, count]))
  const industries = new Map((facets?.industries ?? []).map(({ name, count }) => [capital(name), count]))
  const hasSignals = (search.any ?? search.must ?? []).length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate()
  }

  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="Discovery filters">
      <Stack gap="sm">
        {!write && <ReadOnlyNotice>Sign in with a key that has write access to start a search.</ReadOnlyNotice>}
        <MultiSelect
          label="Any of these signals"
          placeholder={search.any ? undefined : 'Select signals'}
          searchable
          data={without(search.must, search.without)}
          value={search.any ?? []}
          onChange={(any) => set({ any: chosen(any) })}
          error={errorOf('signals')}
        />
        <MultiSelect
          label="All of these signals"
          placeholder={search.must ? undefined : 'Select required signals'}
          searchable
          data={without(search.any, search.without)}
          value={search.must ?? []}
          onChange={(must) => set({ must: chosen(must) })}
        />
        <MultiSelect
          label="None of these signals"
          placeholder={search.without ? undefined : 'Select excluded signals'}
          searchable
          data={without(search.any, search.must)}
          value={search.without ?? []}
          onChange={(without) => set({ without: chosen(without) })}
        />
        <TagsInput
          label="Location"
          placeholder={search.places ? undefined : 'Region, country, state or city'}
          data={[
            { group: 'Regions', items: REGIONS },
            ...(places.size > 0 ? [{ group: 'Countries in your companies', items: [...places.keys()] }] : []),
          ]}
          renderOption={({ option }) => <Counted name={option.value} count={places.get(option.value)} />}
          maxDropdownHeight={280}
          value={search.places ?? []}
          onChange={(places) => set({ places: chosen(places) })}
          splitChars={['\n']}
          error={errorOf('geographies')}
        />
        <TagsInput
          label="Industries"
          placeholder={search.industries ? undefined : 'Any industry'}
          data={[...industries.keys()]}
          renderOption={({ option }) => <Counted name={option.value} count={industries.get(option.value)} />}
          maxDropdownHeight={280}
          limit={100}
          value={search.industries ?? []}
          onChange={(industries) => set({ industries: chosen(industries) })}
          splitChars={['\n']}
          error={errorOf('industries')}
        />
        <Sizes search={search} set={set} sizes={facets?.sizes ?? []} error={errorOf('employee_min', 'employee_max')} />
        <Select
          label="Time range"
          data={RECENCY.map((one) => ({ ...one }))}
          value={search.recency ?? '90'}
          allowDeselect={false}
          onChange={(recency) => set({ recency: RECENCY.find(({ value }) => value === recency)?.value })}
        />
        <div>
          <Input.Label component="div" id="discover-mode">
            Search in
          </Input.Label>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby="discover-mode"
            data={MODE.map((one) => ({ ...one }))}
            value={search.mode ?? 'discovery'}
            onChange={(mode) => set({ mode: MODE.find(({ value }) => value === mode)?.value })}
          />
        </div>
        <TextInput
          label="Search name"
          placeholder="Optional"
          value={search.name ?? ''}
          maxLength={200}
          onChange={(event) => set({ name: event.currentTarget.value || undefined })}
        />
        {start.isError && !isShownAtField && <ErrorText>{errorMessage(start.error)}</ErrorText>}
        <Group justify="space-between">
          <Button variant="subtle" onClick={() => change(EMPTY)} px="xs">
            Clear
          </Button>
          {write && (
            <Button
              type="submit"
              leftSection={<Compass size={16} aria-hidden />}
              loading={start.isPending}
              disabled={!hasSignals}
            >
              Find companies
            </Button>
          )}
        </Group>
        {write && !hasSignals && (
          <Text size="xs" c="dimmed">
            Select at least one signal.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

const EMPTY = {
  ...{ any: undefined, must: undefined, without: undefined, places: undefined, industries: undefined },
  ...{ min: undefined, max: undefined, recency: undefined, mode: undefined, name: undefined, run: undefined },
}

function bodyOf({ any, must, without, places, industries, min, max, recency, mode, name }: DiscoverSearch) {
  return {
    signals: { any_of: any ?? [], must_have: must ?? [], exclude: without ?? [] },
    ...(places ? { geographies: places } : {}),
    ...(industries ? { industries } : {}),
    ...(min !== undefined ? { employee_min: min } : {}),
    ...(max !== undefined ? { employee_max: max } : {}),
    ...(name ? { name } : {}),
    recency: recency ?? '90',
    mode: mode ?? 'discovery',
  }
}

type SizesProps = {
  search: DiscoverSearch
  set: (changes: Partial<DiscoverSearch>) => void
  sizes: Facets['sizes']
  error: ReactNode
}

const STEPS = [1, 11, 51, 201, 501, 1_001, 5_001, 10_001]

/** The employee range, in the steps for which the API returns counts. */
function Sizes({ search: { min, max }, set, sizes, error }: SizesProps) {
  const known = (from: number) => sizes.find((size) => Math.max(1, size.min) === from)?.count
  const labelled = (label: string, from: number) => {
    const companies = known(from)
    return companies === undefined ? label : `${label} · ${formatCompact(companies)}`
  }
  const from = STEPS.map((step) => ({ value: String(step), label: labelled(`${formatNumber(step)}+`, step) }))
  const to = STEPS.slice(1).map((step, at) => ({
    value: String(step - 1),
    label: labelled(`Up to ${formatNumber(step - 1)}`, STEPS[at] as number),
  }))
  const other = (value: number | undefined, data: { value: string }[], words: string) =>
    value !== undefined && !data.some((one) => one.value === String(value))
      ? [{ value: String(value), label: `${words} ${formatNumber(value)}` }]
      : []
  const read = (value: string | null) => (value === null ? undefined : Number(value))
  return (
    <Group grow align="flex-start" gap="xs">
      <Select
        label="Min. employees"
        placeholder="Any"
        clearable
        data={[...other(min, from, 'From'), ...from]}
        value={min === undefined ? null : String(min)}
        onChange={(value) => set({ min: read(value) })}
        error={error}
      />
      <Select
        label="Max. employees"
        placeholder="Any"
        clearable
        data={[...other(max, to, 'Up to'), ...to]}
        value={max === undefined ? null : String(max)}
        onChange={(value) => set({ max: read(value) })}
      />
    </Group>
  )
}

function Counted({ name, count: companies }: { name: string; count: number | undefined }) {
  return (
    <span className={classes.option}>
      <span>{name}</span>
      {companies !== undefined && <small>{formatCompact(companies)}</small>}
    </span>
  )
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
