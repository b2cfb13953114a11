import { Alert, Button, CloseButton, Group, Menu, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  Archive,
  Check,
  CircleAlert,
  Ellipsis,
  type LucideIcon,
  Radar,
  RotateCcw,
  Send,
  Tag,
  Tags,
  Trash2,
  UserRound,
  X,
} from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { PushDialog } from '../../components/PushDialog.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import classes from './accounts.module.css'
import { ActivateDialog, OwnerDialog, TagDialog } from './BulkDialogs.tsx'
import { type Action, type BulkOutcome, type BulkRequest, bulkUndo, runBulk } from './bulk.ts'
import type { Selection } from './selection.tsx'

const DONE: Record<Action, string> = {
  activate: 'activated',
  deactivate: 'deactivated',
  reject: 'rejected',
  suggest: 'moved to Suggested',
  delete: 'deleted',
  tag: 'tagged',
  untag: 'untagged',
  owner: 'assigned',
  scan: 'queued for scanning',
}

type Dialog = 'activate' | 'tag' | 'untag' | 'owner' | 'push' | 'delete'

/** Bulk actions for the selected accounts. They run in chunks with progress, and most can be undone. */
export function BulkBar({ selection, accounts }: { selection: Selection; accounts: readonly { id: string }[] }) {
  const client = useQueryClient()
  const [dialog, open] = useState<Dialog | null>(null)
  const [progress, setProgress] = useState(0)
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [, path] }) => path === '/v1/accounts' || path === '/v1/subscription',
    })
  const undo = async (works: NonNullable<ReturnType<typeof bulkUndo>>) => {
    for (const work of works) if (work.ids.length > 0) await runBulk(work, () => {})
    await refresh()
  }
  const work = useMutation({
    mutationFn: (request: BulkRequest) => runBulk({ ids: selection.ids, ...request }, setProgress),
    onSuccess: ({ done, before, refused }, request) => {
      const back = bulkUndo(request, before)
      const message = `${pluralize(done, 'account')} ${DONE[request.action]}`
      if (done > 0) toastSuccess(message, back ? () => undo(back) : undefined, selection.ids)
      if (refused.length === 0) selection.clear()
    },
    onError: (error) => toastError('Some accounts were not updated', error),
    onSettled: () => {
      setProgress(0)
      refresh()
    },
  })
  const start = (request: BulkRequest) => {
    open(null)
    work.mutate(request)
  }
  const refused = work.isSuccess && work.data.refused.length > 0 && (
    <Refused {...work.data} action={work.variables.action} onClose={work.reset} />
  )
  if (selection.size === 0) return refused
  const many = pluralize(selection.size, 'account')
  const elsewhere = selection.size - accounts.filter(({ id }) => selection.has(id)).length
  const isBusy = work.isPending
  return (
    <>
      {refused}
      <section className={classes.bulk} aria-label="Bulk actions">
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <CloseButton size="md" aria-label="Clear selection" onClick={selection.clear} disabled={isBusy} />
            <Text size="sm" fw={600} role="status">
              {formatNumber(selection.size)} selected
              {elsewhere > 0 && (
                <Text span size="sm" c="dimmed" fw={400}>
                  {' '}
                  ({formatNumber(elsewhere)} on other pages)
                </Text>
              )}
            </Text>
          </Group>
          {isBusy ? (
            <Group gap="sm" flex={1} maw={320} wrap="nowrap">
              <Progress value={progress * 100} animated flex={1} aria-label="Progress" />
              <Text size="sm">{formatNumber(Math.round(progress * selection.size))} done</Text>
            </Group>
          ) : (
            <Group gap={6}>
              <Button size="xs" leftSection={<Check size={14} aria-hidden />} onClick={() => open('activate')}>
                Activate
              </Button>
              <ActionButton icon={X} onClick={() => start({ action: 'reject' })}>
                Reject
              </ActionButton>
              <ActionButton icon={Tag} onClick={() => open('tag')}>
                Tag
              </ActionButton>
              <ActionButton icon={UserRound} onClick={() => open('owner')}>
                Owner
              </ActionButton>
              <ActionButton icon={Radar} onClick={() => start({ action: 'scan' })}>
                Scan
              </ActionButton>
              <ActionButton icon={Send} onClick={() => open('push')}>
                Push
              </ActionButton>
              <Menu position="top-end" shadow="md">
                <Menu.Target>
                  <Button size="xs" variant="default" aria-label="More actions" px={8}>
                    <Ellipsis size={14} aria-hidden />
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<Tags size={14} aria-hidden />} onClick={() => open('untag')}>
                    Remove tags
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<Archive size={14} aria-hidden />}
                    onClick={() => start({ action: 'deactivate' })}
                  >
                    Deactivate
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<RotateCcw size={14} aria-hidden />}
                    onClick={() => start({ action: 'suggest' })}
                  >
                    Move to Suggested
                  </Menu.Item>
                  <Menu.Divider />
                  <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={() => open('delete')}>
                    Delete
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </Group>
          )}
        </Group>
      </section>
      {dialog === 'activate' && <ActivateDialog size={selection.size} onClose={() => open(null)} onSubmit={start} />}
      {(dialog === 'tag' || dialog === 'untag') && (
        <TagDialog action={dialog} many={many} onClose={() => open(null)} onSubmit={start} />
      )}
      {dialog === 'owner' && <OwnerDialog many={many} onClose={() => open(null)} onSubmit={start} />}
      {dialog === 'push' && <PushDialog records={{ accounts: selection.ids }} name={many} onClose={() => open(null)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${many}?`}
          action={`Delete ${many}`}
          onClose={() => open(null)}
          onConfirm={() => work.mutateAsync({ action: 'delete' })}
        >
          This also deletes their people, findings, drafts and history. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}

function ActionButton({ icon: Icon, onClick, children }: { icon: LucideIcon; onClick: () => void; children: string }) {
  return (
    <Button size="xs" variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}

/** The accounts that were not changed, with the reasons. */
function Refused({ done, action, refused, onClose }: BulkOutcome & { action: Action; onClose: () => void }) {
  const total = refused.reduce((sum, { count }) => sum + count, 0)
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<CircleAlert size={18} aria-hidden />}
      title={done === 0 ? `Nothing was ${DONE[action]}` : `${pluralize(total, 'account')} not ${DONE[action]}`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
      role="alert"
    >
      <Stack gap={4}>
        {refused.map(({ message, count: times }) => (
          <Text key={message} size="sm">
            {times > 1 ? `${formatNumber(times)} × ` : ''}
            {message}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}
