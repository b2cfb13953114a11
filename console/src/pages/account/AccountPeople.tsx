import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RefreshCw, UserRound, Users } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { ListsMenu } from '../../components/ListsMenu.tsx'
import { useSyncPeople } from '../../components/LoadPeopleButton.tsx'
import { OwnerPicker } from '../../components/OwnerPicker.tsx'
import { Paginator } from '../../components/Paginator.tsx'
import { RevealButton } from '../../components/RevealButton.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { toastError } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import classes from './AccountPeople.module.css'
import { compareByRelevance } from './compare-people.ts'
import { FindPeopleHere } from './FindPeopleHere.tsx'
import { type AccountRecord, useAccountPeople, useAccountSearch, useRefreshAccount } from './use-account.ts'

/** The people at the account: reveal contact data, assign, add to lists, find more. */
export function AccountPeople({ account }: { account: AccountRecord }) {
  const [{ page = 1 }, go] = useAccountSearch()
  const people = useAccountPeople(account.id, page)
  const { owns } = useRights()
  const isTheirs = owns(account.owner_id)
  const canSync = isTheirs && account.status === 'active'
  if (people.isPending) return <Loading />
  if (people.isError) return <ErrorMessage error={people.error} retry={people.refetch} />
  const { data, pagination } = people.data
  // A list with several pages keeps the order of the API.
  const sorted = pagination.has_more || page > 1 ? data : [...data].sort(compareByRelevance)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {pagination.total > 0 && pluralize(pagination.total, 'person', 'people')}
        </Text>
        {canSync && <Sync account={account} />}
      </Group>
      {isTheirs && <FindPeopleHere account={account} />}
      {data.length === 0 ? (
        <EmptyState icon={Users} title="No people yet">
          {canSync
            ? 'Refresh to load people from its website and filings, or search for a role.'
            : 'People are loaded when the account is activated.'}
        </EmptyState>
      ) : (
        <ul className={classes.people}>
          {sorted.map((person) => (
            <Person key={person.id} person={person} />
          ))}
        </ul>
      )}
      <Paginator pagination={pagination} items="people" onChange={(to) => go({ page: to > 1 ? to : undefined })} />
    </Stack>
  )
}

function Sync({ account }: { account: AccountRecord }) {
  const sync = useSyncPeople(account.id)
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RefreshCw size={14} aria-hidden />}
      loading={sync.isPending}
      onClick={() => sync.mutate()}
    >
      Refresh people
    </Button>
  )
}

function Person({ person }: { person: Schemas['Person'] }) {
  const { write } = useRights()
  const { id, full_name, title, location, icp_tier } = person
  return (
    <li className={classes.person}>
      <div>
        <Group gap={6}>
          <Anchor size="sm" fw={550} renderRoot={(props) => <Link to="/people/{-$id}" params={{ id }} {...props} />}>
            {full_name}
          </Anchor>
          {icp_tier === 1 && (
            <Badge size="sm" variant="light" tt="none" title="Matches the role in your latest search">
              Ideal role
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {[title, location].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <RevealButton person={person} what="email" />
      <RevealButton person={person} what="phone" />
      <PersonOwner person={person} />
      {write ? <ListsMenu person={person} /> : <span />}
    </li>
  )
}

function PersonOwner({ person: { id, full_name, owner_id } }: { person: Schemas['Person'] }) {
  const { write } = useRights()
  const { nameOf } = useMembers()
  const refresh = useRefreshAccount()
  const [wanted, setWanted] = useState<string | null | undefined>(undefined)
  const change = useMutation({
    mutationFn: (owner: string | null) =>
      api.PUT('/v1/people/{id}/owner', { params: { path: { id } }, body: { owner_id: owner } }),
    onMutate: setWanted,
    onError: (error) => toastError(`Could not assign ${full_name}`, error),
    onSettled: async () => {
      await refresh()
      setWanted(undefined)
    },
  })
  const owner = wanted === undefined ? owner_id : wanted
  if (!write) return <Text size="sm">{nameOf(owner) ?? 'No owner'}</Text>
  return (
    <OwnerPicker
      leftSection={<UserRound size={13} aria-hidden />}
      size="xs"
      aria-label={`Owner of ${full_name}`}
      value={owner}
      onChange={(to) => change.mutate(to)}
    />
  )
}
