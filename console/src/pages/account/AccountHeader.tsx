import { Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { AccountStatusBadge, HotBadge, RelationshipBadge } from '../../components/AccountBadges.tsx'
import { Firmographics } from '../../components/Firmographics.tsx'
import { SafeLink } from '../../components/links.tsx'
import { OwnerPicker } from '../../components/OwnerPicker.tsx'
import { TagEditor } from '../../components/TagEditor.tsx'
import { toastError } from '../../components/toast.tsx'
import { type AccountRecord, useRefreshAccount, useUpdateAccount } from './use-account.ts'

/** Status, company facts, owner and tags below the account name. */
export function AccountHeader({ account }: { account: AccountRecord }) {
  const { domain, status, is_hot, relationship } = account
  return (
    <Stack gap={8} mt={6}>
      <Group gap="6px 16px">
        <Group gap={6}>
          <AccountStatusBadge status={status} />
          {is_hot && <HotBadge />}
          <RelationshipBadge relationship={relationship} />
        </Group>
        {domain && (
          <SafeLink to={`https://${domain}`} size="sm">
            {domain}
          </SafeLink>
        )}
        <Firmographics account={account} />
      </Group>
      <Group gap="6px 16px">
        <Owner account={account} />
        <Tags account={account} />
      </Group>
    </Stack>
  )
}

function Owner({ account }: { account: AccountRecord }) {
  const { owns } = useRights()
  const { nameOf } = useMembers()
  const change = useUpdateAccount(account.id)
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" c="dimmed">
        Owner
      </Text>
      {owns(account.owner_id) ? (
        <OwnerPicker size="xs" w={170} value={account.owner_id} onChange={(owner_id) => change.mutate({ owner_id })} />
      ) : (
        <Text size="sm">{nameOf(account.owner_id) ?? 'No owner'}</Text>
      )}
    </Group>
  )
}

/** Adds and removes single tags, so that concurrent edits are kept. */
function Tags({ account: { id, tags, owner_id } }: { account: AccountRecord }) {
  const isTheirs = useRights().owns(owner_id)
  const refresh = useRefreshAccount()
  const params = { path: { id } }
  const change = useMutation({
    mutationFn: ({ add, tag }: { add: boolean; tag: string }) =>
      add
        ? api.POST('/v1/accounts/{id}/tags', { params, body: { tags: [tag] } })
        : api.DELETE('/v1/accounts/{id}/tags', { params, body: { tags: [tag] } }),
    onError: (error) => toastError('Tags not updated', error),
    onSettled: refresh,
  })
  const pending = change.isPending ? change.variables : null
  // The tags may be loaded again before the mutation counts as settled.
  const shown =
    pending === null
      ? tags
      : pending.add
        ? [...new Set([...tags, pending.tag])]
        : tags.filter((tag) => tag !== pending.tag)
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        Tags
      </Text>
      {!isTheirs && tags.length === 0 && <Text size="sm">None</Text>}
      <TagEditor
        tags={shown}
        {...(isTheirs && {
          onAdd: (tag) => change.mutate({ add: true, tag }),
          onRemove: (tag) => change.mutate({ add: false, tag }),
        })}
      />
    </Group>
  )
}
