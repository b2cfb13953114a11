import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Plus, Radar, Search, UploadCloud, UserRound, UserSearch } from 'lucide-react'
import '@mantine/spotlight/styles.css'
import { useEffect, useState } from 'react'
import { queries } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { PAGES } from '../pages/index.ts'

const MOST = 6

/** Ctrl-K: accounts and people as they are typed, pages, and what can be done from anywhere. */
export function Palette() {
  const navigate = useNavigate()
  // It is loaded when it is first asked for: whoever asked wants to see it.
  useEffect(spotlight.open, [])
  const { write, shared } = useRights()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 150)
  const found = { params: { query: { search, per_page: MOST } } }
  const options = { enabled: search.length > 1, staleTime: 30_000 }
  const accounts = queries.useQuery('get', '/v1/accounts', found, options)
  const people = queries.useQuery('get', '/v1/people', found, options)

  const matches = ({ label = '', description = '' }: SpotlightActionData) =>
    `${label} ${description}`.toLowerCase().includes(typed.trim().toLowerCase())
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Accounts',
      actions: (options.enabled ? (accounts.data?.data ?? []) : []).map(({ id, name, domain }) => ({
        id: `account ${id}`,
        label: name,
        description: domain ?? '',
        leftSection: <Building2 size={18} aria-hidden />,
        onClick: () => navigate({ to: `/accounts/${id}` }),
      })),
    },
    {
      group: 'People',
      actions: (options.enabled ? (people.data?.data ?? []) : []).map(({ id, full_name, title }) => ({
        id: `person ${id}`,
        label: full_name,
        description: title ?? '',
        leftSection: <UserRound size={18} aria-hidden />,
        onClick: () => navigate({ to: `/people/${id}` }),
      })),
    },
    {
      group: 'Pages',
      actions: PAGES.map(({ to, label, about, icon: Icon }) => ({
        id: to,
        label,
        description: about,
        leftSection: <Icon size={18} aria-hidden />,
        onClick: () => navigate({ to }),
      })).filter(matches),
    },
    {
      group: 'Actions',
      actions: write
        ? [
            {
              id: 'add',
              label: 'Add an account',
              leftSection: <Plus size={18} aria-hidden />,
              onClick: () => navigate({ to: '/accounts', search: { add: true } }),
            },
            {
              id: 'import',
              label: 'Import accounts from a CSV file',
              leftSection: <UploadCloud size={18} aria-hidden />,
              onClick: () => navigate({ to: '/accounts/import' }),
            },
            {
              id: 'find',
              label: 'Find people in plain English',
              leftSection: <UserSearch size={18} aria-hidden />,
              onClick: () => navigate({ to: '/people/{-$id}', params: { id: undefined }, search: { view: 'find' } }),
            },
            ...(shared
              ? [
                  {
                    id: 'signal',
                    label: 'Describe a new signal',
                    leftSection: <Radar size={18} aria-hidden />,
                    onClick: () => navigate({ to: '/signals/{-$id}', params: { id: 'new' } }),
                  },
                ]
              : []),
          ].filter(matches)
        : [],
    },
  ].filter(({ actions }) => actions.length > 0)

  return (
    <Spotlight
      actions={groups}
      query={typed}
      onQueryChange={setTyped}
      // What the service finds stands: it knows more of a name than its letters.
      filter={(_query, actions) => actions}
      shortcut={['mod + K']}
      nothingFound={accounts.isFetching || people.isFetching ? 'Searching…' : 'Nothing found'}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: 'Search accounts, people, pages, actions',
        'aria-label': 'Search',
      }}
    />
  )
}
