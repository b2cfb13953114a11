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
  deactivate: 'no longer watched',
  reject: 'rejected',
  suggest: 'back among the suggestions',
  delete: 'deleted',
  tag: 'tagged',
  untag: 'untagged',
  owner: 'given to their owner',
  scan: 'being scanned',
}

type Dialog = 'activate' | 'tag' | 'untag' | 'owner' | 'push' | 'delete'

/** What can be done with all that is selected. It is done a chunk at a time, with progress, and can mostly be undone. */
export function BulkBar({ selection, accounts }: { selection: Selection; accounts: readonly { id: string }[] }) {
  const client = useQueryClient()
  const [dialog, open] = useState<Dialog | null>(null)
  const [part, setPart] = useState(0)
  const refresh = () => client.invalidateQueries({ queryKey: ['get', '/v1/accounts'] })
  const undo = async (works: NonNullable<ReturnType<typeof bulkUndo>>) => {
    for (const work of works) if (work.ids.length > 0) await runBulk(work, () => {})
    await refresh()
  }
  const work = useMutation({
    mutationFn: (ask: BulkRequest) => runBulk({ ids: selection.ids, ...ask }, setPart),
    onSuccess: ({ done, before, refused }, ask) => {
      const back = bulkUndo(ask, before)
      const told = `${pluralize(done, 'account')} ${DONE[ask.action]}.`
      if (done > 0) toastSuccess(told, back ? () => undo(back) : undefined)
      if (refused.length === 0) selection.clear()
    },
    onError: (error) => toastError('Not all of it was done', error),
    onSettled: () => {
      setPart(0)
      refresh()
    },
  })
  const ask = (ask: BulkRequest) => {
    open(null)
    work.mutate(ask)
  }
  if (selection.size === 0)
    return work.data && work.data.refused.length > 0 ? <Refused {...work.data} onClose={work.reset} /> : null
  const many = pluralize(selection.size, 'account')
  const elsewhere = selection.size - accounts.filter(({ id }) => selection.has(id)).length
  const isBusy = work.isPending
  return (
    <>
      {work.data && work.data.refused.length > 0 && <Refused {...work.data} onClose={work.reset} />}
      <section className={classes.bulk} aria-label="With what is selected">
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <CloseButton size="md" aria-label="Clear the selection" onClick={selection.clear} disabled={isBusy} />
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
              <Progress value={part * 100} animated flex={1} aria-label="Progress" />
              <Text size="sm">{formatNumber(Math.round(part * selection.size))} done</Text>
            </Group>
          ) : (
            <Group gap={6}>
              <Button size="xs" leftSection={<Check size={14} aria-hidden />} onClick={() => open('activate')}>
                Activate
              </Button>
              <ActionButton icon={X} onClick={() => ask({ action: 'reject' })}>
                Reject
              </ActionButton>
              <ActionButton icon={Tag} onClick={() => open('tag')}>
                Tag
              </ActionButton>
              <ActionButton icon={UserRound} onClick={() => open('owner')}>
                Owner
              </ActionButton>
              <ActionButton icon={Radar} onClick={() => ask({ action: 'scan' })}>
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
                    onClick={() => ask({ action: 'deactivate' })}
                  >
                    Stop watching
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<RotateCcw size={14} aria-hidden />}
                    onClick={() => ask({ action: 'suggest' })}
                  >
                    Back to suggested
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
      {dialog === 'activate' && <ActivateDialog size={selection.size} onClose={() => open(null)} onAsk={ask} />}
      {(dialog === 'tag' || dialog === 'untag') && (
        <TagDialog action={dialog} many={many} onClose={() => open(null)} onAsk={ask} />
      )}
      {dialog === 'owner' && <OwnerDialog many={many} onClose={() => open(null)} onAsk={ask} />}
      {dialog === 'push' && <PushDialog records={{ accounts: selection.ids }} name={many} onClose={() => open(null)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${many}?`}
          action={`Delete ${many}`}
          onClose={() => open(null)}
          onConfirm={() => work.mutateAsync({ action: 'delete' })}
        >
          Their people, findings, drafts and history go with them. This cannot be undone.
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

/** What was left as it is, and why. */
function Refused({ refused, onClose }: BulkOutcome & { onClose: () => void }) {
  const total = refused.reduce((sum, { count }) => sum + count, 0)
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<CircleAlert size={18} aria-hidden />}
      title={`${pluralize(total, 'account')} left as before`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
      role="alert"
    >
      <Stack gap={4}>
        {refused.map(({ message, count: times }) => (
          <Text key={message} size="sm">
            {times > 1 ? `${formatNumber(times)} times: ` : ''}
            {message}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}
