import { Button, Group, Select, Text } from '@mantine/core'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { Download, Users } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { Paginator } from '../../components/Paginator.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { toastError } from '../../components/toast.tsx'
import { formatNumber } from '../../lib/format.ts'
import { downloadCsv } from './download.ts'
import { Lists } from './Lists.tsx'
import { PeopleFilters } from './PeopleFilters.tsx'
import { PeopleTable } from './PeopleTable.tsx'
import { SelectionBar, usePeopleSelection } from './SelectionBar.tsx'
import { PER_PAGE, type PeopleSearch, peopleFilters } from './search.ts'

type Props = { search: PeopleSearch; onChange: (search: Partial<PeopleSearch>, how?: { replace?: boolean }) => void }

export function PeopleList({ search, onChange }: Props) {
  const { write } = useRights()
  const filters = peopleFilters(search)
  const page = search.page ?? 1
  const { data, error, isPending, isPlaceholderData, refetch } = queries.useQuery(
    'get',
    '/v1/people',
    { params: { query: { ...filters, page, per_page: PER_PAGE } } },
    { placeholderData: keepPreviousData },
  )
  const { selected, select, clear } = usePeopleSelection()
  const download = useMutation({
    mutationFn: () => downloadCsv(filters),
    onError: (error) => toastError('Export failed', error),
  })
  const filter = (fields: Partial<PeopleSearch>) => onChange({ ...fields, page: undefined }, { replace: true })
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort' && name !== 'order')
  const total = data?.pagination.total ?? 0
  return (
    <>
      <Lists open={search.list} onOpen={(list) => onChange({ list, page: undefined })} />
      <PeopleFilters search={search} onChange={filter} />
      {selected.size > 0 && write && <SelectionBar selected={selected} list={search.list} onClear={clear} />}
      <Group justify="space-between" gap="xs" mih={30}>
        <Text size="sm" c="dimmed" role="status">
          {data ? `${formatNumber(total)} ${total === 1 ? 'person' : 'people'}` : ' '}
        </Text>
        <Group gap="xs">
          <Select
            aria-label="Sort by"
            size="xs"
            w={130}
            data={[
              { value: 'new', label: 'Newest first' },
              { value: 'name', label: 'Name' },
            ]}
            value={search.sort ?? 'new'}
            onChange={(sort) => filter({ sort: sort === 'name' ? 'name' : undefined })}
            allowDeselect={false}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<Download size={14} aria-hidden />}
            loading={download.isPending}
            disabled={total === 0}
            onClick={() => download.mutate()}
          >
            Export CSV
          </Button>
        </Group>
      </Group>
      {isPending && <Loading lines={12} />}
      {error && <ErrorMessage error={error} retry={refetch} />}
      {data && data.data.length > 0 && (
        <div style={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
          <PeopleTable people={data.data} label="People" selected={selected} onSelect={select} />
        </div>
      )}
      {data && data.data.length === 0 && <NoPeople search={search} isFiltered={isFiltered} onChange={onChange} />}
      {data && (
        <Paginator
          pagination={data.pagination}
          items="people"
          onChange={(page) => onChange({ page: page === 1 ? undefined : page })}
        />
      )}
    </>
  )
}

function NoPeople({ search, isFiltered, onChange }: Props & { isFiltered: boolean }) {
  const { scoped } = useRights()
  const lists = queries.useQuery('get', '/v1/people/lists')
  const find = (
    <Button variant="light" onClick={() => onChange({ view: 'find' })}>
      Find people
    </Button>
  )
  if (search.page && search.page > 1) {
    return (
      <EmptyState
        icon={Users}
        title="Page not found"
        action={<Button onClick={() => onChange({ page: undefined })}>Go to first page</Button>}
      >
        The list is shorter than this.
      </EmptyState>
    )
  }
  if (search.list && lists.data?.data.every(({ id }) => id !== search.list)) {
    return (
      <EmptyState
        icon={Users}
        title="List not found"
        action={<Button onClick={() => onChange({ list: undefined })}>View all people</Button>}
      >
        This list was deleted. Its people were not.
      </EmptyState>
    )
  }
  if (search.list && Object.keys(peopleFilters(search)).length === 1) {
    return (
      <EmptyState icon={Users} title="This list is empty" action={find}>
        Select people under “All people” and add them to this list.
      </EmptyState>
    )
  }
  return isFiltered ? (
    <EmptyState icon={Users} title="No people found" action={find}>
      {scoped && 'You only see people at accounts you own. '}
      Remove a filter, or find new people.
    </EmptyState>
  ) : (
    <EmptyState icon={Users} title="No people yet" action={find}>
      {scoped && 'You only see people at accounts you own. '}
      People are loaded when you activate an account. You can also search for them by role.
    </EmptyState>
  )
}
