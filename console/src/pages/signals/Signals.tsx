import { Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plus, Radar, Search } from 'lucide-react'
import { useRights } from '../../api/me.ts'
import { PageButton } from '../../components/links.tsx'
import { Page } from '../../components/Page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { pluralize } from '../../lib/format.ts'
import { useDebouncedInput } from '../../lib/use-debounced-input.ts'
import { SignalDrawer } from './SignalDrawer.tsx'
import { SignalRows } from './SignalRows.tsx'
import { type Signal, signalsQuery } from './signals.ts'

const route = getRouteApi('/app/signals/{-$id}')
type Shown = 'on' | 'off' | 'own' | undefined

/** The built-in and custom signals, with a switch for each. */
export function Signals() {
  const { id } = route.useParams()
  const { q, show } = route.useSearch()
  const navigate = useNavigate()
  const { shared } = useRights()
  const { data, error, isPending, refetch } = useQuery(signalsQuery)
  const all = data?.data ?? []
  const shown = all.filter((signal) => fits(signal, q, show))
  const own = shown.filter(({ is_builtin }) => !is_builtin)
  const builtin = shown.filter(({ is_builtin }) => is_builtin)
  const set = (search: { q?: string | undefined; show?: Shown }) =>
    navigate({ to: '/signals/{-$id}', params: { id }, search: (before) => ({ ...before, ...search }), replace: true })
  const [typed, type] = useDebouncedInput(q ?? '', (text) => set({ q: text || undefined }), 150)
  const close = () =>
    navigate({ to: '/signals/{-$id}', params: { id: undefined }, search: { q, show }, resetScroll: false })
  const add = shared && (
    <PageButton
      to="/signals/{-$id}"
      params={{ id: 'new' }}
      search={{ q, show }}
      leftSection={<Plus size={16} aria-hidden />}
    >
      New signal
    </PageButton>
  )
  return (
    <Page
      title="Signals"
      lead={
        data
          ? pluralize(all.filter(({ enabled }) => enabled).length, 'active signal')
          : 'Events that Bellwether tracks at your accounts'
      }
      actions={add}
    >
      <Group gap="sm">
        <TextInput
          aria-label="Search signals"
          placeholder="Search signals"
          leftSection={<Search size={15} aria-hidden />}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          w={{ base: '100%', xs: 260 }}
        />
        <SegmentedControl
          aria-label="Filter signals"
          size="xs"
          value={show ?? 'all'}
          onChange={(value) => set({ show: value === 'all' ? undefined : (value as Shown) })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'on', label: 'On' },
            { value: 'off', label: 'Off' },
            { value: 'own', label: 'Custom' },
          ]}
        />
      </Group>
      {isPending && <Loading lines={10} />}
      {error && <ErrorMessage error={error} retry={refetch} />}
      {data && shown.length === 0 && (
        <EmptyState icon={Radar} title="No signals found" action={add}>
          {show === 'own' && all.every(({ is_builtin }) => is_builtin)
            ? 'Describe an event in one sentence and preview its findings before you save.'
            : 'Try another search, or create a custom signal.'}
        </EmptyState>
      )}
      {own.length > 0 && <Part title="Custom" signals={own} />}
      {builtin.length > 0 && <Part title="Built-in" signals={builtin} />}
      {id && data && (
        <SignalDrawer key={id} signal={all.find((one) => one.id === id)} isNew={id === 'new'} onClose={close} />
      )}
    </Page>
  )
}

function Part({ title, signals }: { title: string; signals: Signal[] }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group gap="xs" align="baseline">
        <Title order={2}>{title}</Title>
        <Text size="sm" c="dimmed">
          {signals.length}
        </Text>
      </Group>
      <SignalRows signals={signals} />
    </Stack>
  )
}

function fits({ name, description, enabled, is_builtin }: Signal, q: string | undefined, show: Shown): boolean {
  if (show === 'own' && is_builtin) return false
  if (show === 'on' && !enabled) return false
  if (show === 'off' && enabled) return false
  return !q || `${name} ${description}`.toLowerCase().includes(q.toLowerCase())
}
