import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Page } from '../../components/Page.tsx'
import { FindPeople } from './FindPeople.tsx'
import { PeopleList } from './PeopleList.tsx'
import { PersonDrawer } from './PersonDrawer.tsx'
import type { PeopleSearch } from './search.ts'

const route = getRouteApi('/app/people/{-$id}')

/** People at the accounts: the list of contacts, and the search for new ones. */
export function People() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (fields: Partial<PeopleSearch>, { replace = false } = {}) =>
    navigate({
      to: '/people/{-$id}',
      params: { id: undefined },
      search: (before) => ({ ...before, ...fields }),
      replace,
      resetScroll: false,
    })
  return (
    <Page
      title="People"
      lead="Contacts at your accounts"
      wide
      actions={
        <SegmentedControl
          aria-label="View"
          value={search.view ?? 'list'}
          onChange={(view) => change({ view: view === 'find' ? 'find' : undefined })}
          data={[
            { value: 'list', label: 'Contacts' },
            { value: 'find', label: 'Find people' },
          ]}
        />
      }
    >
      {search.view === 'find' ? (
        <FindPeople search={search} onChange={change} />
      ) : (
        <PeopleList search={search} onChange={change} />
      )}
      {id && <PersonDrawer id={id} onClose={() => change({})} />}
    </Page>
  )
}
