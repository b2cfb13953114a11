import { Button, Group, Modal, Stack, TagsInput, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useActivations } from '../../api/activations.ts'
import { OwnerPicker } from '../../components/OwnerPicker.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import type { BulkRequest } from './bulk.ts'

type Props = { onClose: () => void; onSubmit: (request: BulkRequest) => void }

/** Activations are limited: the dialog shows how many are needed and how many are left. */
export function ActivateDialog({ size, onClose, onSubmit }: Props & { size: number }) {
  const { left, usedUp } = useActivations()
  return (
    <Frame title={`Activate ${pluralize(size, 'account')}?`} onClose={onClose}>
      <Text size="sm">
        Active accounts are researched and monitored.
        {left ? ` Each uses 1 activation. You have ${pluralize(left, 'activation')} left.` : ''}
      </Text>
      {usedUp ? (
        <Text size="sm" fw={600}>
          {usedUp}
        </Text>
      ) : (
        left !== null &&
        left < size && (
          <Text size="sm" fw={600}>
            Not enough activations. Only the first {formatNumber(left)} will be activated.
          </Text>
        )
      )}
      <Buttons onClose={onClose}>
        <Button onClick={() => onSubmit({ action: 'activate' })} disabled={usedUp !== undefined} data-autofocus>
          Activate
        </Button>
      </Buttons>
    </Frame>
  )
}

export function TagDialog({ action, many, onClose, onSubmit }: Props & { action: 'tag' | 'untag'; many: string }) {
  const [tags, setTags] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const all = [...tags, ...(typed.trim() ? [typed.trim()] : [])]
  return (
    <Frame title={action === 'tag' ? `Tag ${many}` : `Remove tags from ${many}`} onClose={onClose}>
      <TagsInput
        label="Tags"
        description="Press Enter after each tag"
        value={tags}
        onChange={setTags}
        searchValue={typed}
        onSearchChange={setTyped}
        maxTags={100}
        data-autofocus
      />
      <Buttons onClose={onClose}>
        <Button disabled={all.length === 0} onClick={() => onSubmit({ action, tags: all })}>
          {action === 'tag' ? 'Add' : 'Remove'}
        </Button>
      </Buttons>
    </Frame>
  )
}

export function OwnerDialog({ many, onClose, onSubmit }: Props & { many: string }) {
  const [owner, setOwner] = useState<string | null>(null)
  return (
    <Frame title={`Assign ${many}`} onClose={onClose}>
      <OwnerPicker label="Owner" value={owner} onChange={setOwner} />
      <Buttons onClose={onClose}>
        <Button onClick={() => onSubmit({ action: 'owner', owner_id: owner })}>Assign</Button>
      </Buttons>
    </Frame>
  )
}

function Frame({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="md">{children}</Stack>
    </Modal>
  )
}

function Buttons({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      {children}
    </Group>
  )
}
