import { List, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import { type AccountRecord, type Finding, useAccountPeople } from './use-account.ts'

type Props = { account: AccountRecord; findings: readonly Finding[]; onClose: () => void }

/** Lists what is deleted with the account before it is deleted. */
export function DeleteDialog({ account: { id, name, status }, findings, onClose }: Props) {
  const known = useAccountPeople(id).data?.pagination.total
  const client = useQueryClient()
  const navigate = useNavigate()
  const isDeleted = useRef(false)
  const remove = async () => {
    await api.DELETE('/v1/accounts/{id}', { params: { path: { id } } })
    isDeleted.current = true
  }
  const close = async () => {
    if (!isDeleted.current) return onClose()
    toastSuccess(`${name} deleted`)
    await navigate({ to: '/accounts', replace: true })
    await client.invalidateQueries()
  }
  return (
    <ConfirmDialog title={`Delete ${name}?`} action={`Delete ${name}`} onClose={close} onConfirm={remove}>
      <Text size="sm" mb={6}>
        This permanently deletes:
      </Text>
      <List size="sm" mb="sm">
        <List.Item>{pluralize(findings.length, 'finding')} with evidence, drafts and feedback</List.Item>
        <List.Item>
          {known === undefined
            ? 'all people at this account'
            : `${pluralize(known, 'person', 'people')} with contact data, owners and list memberships`}
        </List.Item>
        <List.Item>the timeline and scan history</List.Item>
        {status === 'active' && <List.Item>monitoring of its pages; the activation is not refunded</List.Item>}
      </List>
      <Text size="sm" c="dimmed">
        To keep the data, choose Deactivate or Reject instead.
      </Text>
    </ConfirmDialog>
  )
}
