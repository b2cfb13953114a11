import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RefreshCw, UserRound, Users } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { ListsMenu } from '../../components/ListsMenu.tsx'
import { OwnerPicker } from '../../components/OwnerPicker.tsx'
import { Paginator } from '../../components/Paginator.tsx'
import { RevealButton } from '../../components/RevealButton.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { toastError } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import classes from './AccountPeople.module.css'
import { FindPeopleHere } from './FindPeopleHere.tsx'
import { compareByRelevance } from './recipient.ts'
import {
  type AccountRecord,
  useAccountPeople,
  useAccountSearch,
  useRefreshAccount,
  useSyncPeople,
} from './use-account.ts'

/** Who works there: to reveal, to give to somebody, to put on lists; and ways to find more. */
export function AccountPeople({ account }: { account: AccountRecord }) {
  const [{ page = 1 }, go] = useAccountSearch()
  const people = useAccountPeople(account.id, page)
  const { owns } = useRights()
  const isTheirs = owns(account.owner_id)
  const canSync = isTheirs && account.status === 'active'
  if (people.isPending) return <Loading />
  if (people.isError) return <ErrorMessage error={people.error} retry={people.refetch} />
  const { data, pagination } = people.data
  // Over several pages the order is the service's.
  const sorted = pagination.has_more || page > 1 ? data : [...data].sort(compareByRelevance)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {pagination.total > 0 && pluralize(pagination.total, 'person known there', 'people known there')}
        </Text>
        {canSync && <Sync account={account} />}
      </Group>
      {isTheirs && <FindPeopleHere account={account} />}
      {data.length === 0 ? (
        <EmptyState icon={Users} title="Nobody is known there yet">
          {canSync
            ? 'Look for the people named on its pages and in filings, or say whom you are looking for.'
            : 'Who works there is loaded once the account is active.'}
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
  const sync = useSyncPeople(account)
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RefreshCw size={14} aria-hidden />}
      loading={sync.isPending}
      onClick={() => sync.mutate()}
    >
      Look again who works there
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
            <Badge
              size="sm"
              variant="light"
              tt="none"
              title="The role you asked for in the latest search that returned them"
            >
              ideal role
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
    onError: (error) => toastError(`${full_name} could not be given to somebody else`, error),
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
