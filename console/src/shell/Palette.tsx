import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Plus, Radar, Search, UploadCloud, UserRound, UserSearch } from 'lucide-react'
import '@mantine/spotlight/styles.css'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { flushKeyBuffer } from './key-buffer.ts'
import { PAGES } from './navigation.ts'

const MAX_RESULTS = 6
const [store, { open }] = createSpotlight()
export const showPalette = open

/** Ctrl-K: accounts and people as they are typed, pages, and what can be done from anywhere. */
export function Palette() {
  const navigate = useNavigate()
  // It is loaded when it is first asked for: whoever asked wants to see it.
  useEffect(open, [])
  const { write, shared } = useRights()
  const [typed, setTyped] = useState('')
  // Enter was pressed before there was anything to open.
  const isEntered = useRef(false)
  const wanted = typed.trim()
  const [search] = useDebouncedValue(wanted, 150)
  const found = { params: { query: { search, per_page: MAX_RESULTS } } }
  const options = { enabled: search.length > 1, staleTime: 30_000 }
  const accounts = queries.useQuery('get', '/v1/accounts', found, options)
  const people = queries.useQuery('get', '/v1/people', found, options)

  // Both at once, so that what is selected does not change under the finger.
  const isFound = options.enabled && !accounts.isPending && !people.isPending
  const isSearching = wanted.length > 1 && (search !== wanted || !isFound)

  const matches = ({ label = '', description = '' }: SpotlightActionData) =>
    `${label} ${description}`.toLowerCase().includes(wanted.toLowerCase())
  // What the service finds stands: it knows more of a name than its letters. What it found for other letters does not.
  const stands = (action: SpotlightActionData) => search === wanted || matches(action)
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
        .filter(stands),
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
        .filter(stands),
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

  const shown = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew with every other list
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
      nothingFound={isSearching ? 'Searching…' : 'Nothing found'}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: 'Search accounts, people, pages, actions',
        'aria-label': 'Search',
        onFocus: () => {
          const early = flushKeyBuffer()
          isEntered.current ||= early.isEntered
          setTyped((before) => before + early.text)
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

/** The library selects the first on every letter, but not when what it is to show comes later. It marks it like this. */
function selectFirst(): void {
  selected()?.removeAttribute('data-selected')
  if (store.getState().listId) document.querySelector(inList('[data-action]'))?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}
