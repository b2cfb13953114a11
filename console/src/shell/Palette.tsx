import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { Building2, ListChecks, Plus, Radar, Search, UploadCloud, UserRound, UserSearch } from 'lucide-react'
import '@mantine/spotlight/styles.css'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { flushKeyBuffer } from './key-buffer.ts'
import { PAGES } from './navigation.ts'

const MAX_RESULTS = 6
const [store, { open }] = createSpotlight()
export const showPalette = open

/** The command palette (Ctrl-K): accounts, people, pages and global actions. */
export function Palette() {
  const navigate = useNavigate()
  // It is loaded on the first request, so it opens on mount.
  useEffect(open, [])
  const { write, shared } = useRights()
  const [typed, setTyped] = useState('')
  // Enter was pressed before the results were loaded.
  const isEntered = useRef(false)
  const wanted = typed.trim()
  const [search] = useDebouncedValue(wanted, 150)
  const found = { params: { query: { search, per_page: MAX_RESULTS } } }
  const options = { enabled: search.length > 1, staleTime: 30_000 }
  const accounts = queries.useQuery('get', '/v1/accounts', found, options)
  const people = queries.useQuery('get', '/v1/people', found, options)

  // Both results appear together, so that the selected item does not change.
  const isFound = options.enabled && !accounts.isPending && !people.isPending
  const isSearching = wanted.length > 1 && (search !== wanted || !isFound)

  const matches = ({ label = '', description = '' }: SpotlightActionData) =>
    `${label} ${description}`.toLowerCase().includes(wanted.toLowerCase())
  // Results for the current query are final, because the server also matches other fields; older results are filtered here.
  const isCurrent = (action: SpotlightActionData) => search === wanted || matches(action)
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Accounts',
      actions: ((isFound && accounts.data?.data) || [])
        .map(({ id, name, domain }) => ({
          id: `account ${id}`,
          label: name,
          description: domain ?? '',
          leftSection: <Building2 size={18} aria-hidden />,
          onClick: () => navigate({ to: `/accounts/${id}` }),
        }))
        .filter(isCurrent),
    },
    {
      group: 'People',
      actions: ((isFound && people.data?.data) || [])
        .map(({ id, full_name, title }) => ({
          id: `person ${id}`,
          label: full_name,
          description: title ?? '',
          leftSection: <UserRound size={18} aria-hidden />,
          onClick: () => navigate({ to: `/people/${id}` }),
        }))
        .filter(isCurrent),
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
              label: 'Add account',
              leftSection: <Plus size={18} aria-hidden />,
              onClick: () => navigate({ to: '/accounts', search: { add: true } }),
            },
            {
              id: 'import',
              label: 'Import accounts from CSV',
              leftSection: <UploadCloud size={18} aria-hidden />,
              onClick: () => navigate({ to: '/accounts/import' }),
            },
            {
              id: 'find',
              label: 'Find people',
              leftSection: <UserSearch size={18} aria-hidden />,
              onClick: () => navigate({ to: '/people/{-$id}', params: { id: undefined }, search: { view: 'find' } }),
            },
            {
              id: 'start',
              label: 'Set up Bellwether',
              leftSection: <ListChecks size={18} aria-hidden />,
              onClick: () => navigate({ to: '/start' }),
            },
            ...(shared
              ? [
                  {
                    id: 'signal',
                    label: 'New signal',
                    leftSection: <Radar size={18} aria-hidden />,
                    onClick: () => navigate({ to: '/signals/{-$id}', params: { id: 'new' } }),
                  },
                ]
              : []),
          ].filter(matches)
        : [],
    },
  ].filter(({ actions }) => actions.length > 0)

  const shown = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: run again when the results change
  useEffect(() => {
    if (wanted === '') return
    selectFirst()
    if (isSearching || !isEntered.current) return
    isEntered.current = false
    selected()?.click()
  }, [shown, wanted, isSearching])

  return (
    <Spotlight
      store={store}
      actions={groups}
      query={typed}
      onQueryChange={(text) => {
        isEntered.current = false
        setTyped(text)
      }}
      filter={(_query, actions) => actions}
      shortcut={['mod + K']}
      nothingFound={isSearching ? 'Searching…' : 'No results'}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: 'Search accounts, people, pages and actions',
        'aria-label': 'Search',
        onFocus: () => {
          const buffered = flushKeyBuffer()
          isEntered.current ||= buffered.isEntered
          setTyped((before) => before + buffered.text)
        },
        onKeyDown: ({ key }) => {
          if (key === 'Enter' && isSearching && !selected()) isEntered.current = true
        },
      }}
    />
  )
}

const inList = (what: string) => `#${store.getState().listId} ${what}`
const selected = () => (store.getState().listId ? document.querySelector<HTMLElement>(inList('[data-selected]')) : null)

/** Spotlight selects the first item on input, but not when results arrive later. It marks the item with data-selected. */
function selectFirst(): void {
  selected()?.removeAttribute('data-selected')
  if (store.getState().listId) document.querySelector(inList('[data-action]'))?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}
