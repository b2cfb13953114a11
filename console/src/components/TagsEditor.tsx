import { ActionIcon, Badge, CloseButton, Group, TextInput, Tooltip } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'

type Props = {
  tags: readonly string[]
  /** Absent: the tags are shown and cannot be changed. */
  onAdd?: (tag: string) => void
  onRemove?: (tag: string) => void
}

const LONGEST = 60

/** Tags as pills; Enter or a comma adds one, and what is typed stays until it is added or given up. */
export function TagsEditor({ tags, onAdd, onRemove }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const add = () => {
    const tag = (typed ?? '').trim()
    setTyped(null)
    if (tag !== '' && !tags.includes(tag)) onAdd?.(tag)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped(null)
    if (event.key !== 'Enter' && event.key !== ',') return
    event.preventDefault()
    add()
  }
  return (
    <Group gap={6} role="group" aria-label="Tags">
      {tags.map((tag) => (
        <Badge
          key={tag}
          variant="default"
          tt="none"
          fw={500}
          maw={220}
          pr={onRemove ? 2 : undefined}
          rightSection={
            onRemove && (
              <CloseButton size={16} iconSize={12} aria-label={`Remove the tag ${tag}`} onClick={() => onRemove(tag)} />
            )
          }
        >
          {tag}
        </Badge>
      ))}
      {onAdd &&
        (typed === null ? (
          <Tooltip label="Add a tag">
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Add a tag" onClick={() => setTyped('')}>
              <Plus size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ) : (
          <TextInput
            size="xs"
            w={140}
            autoFocus
            aria-label="New tag"
            placeholder="New tag"
            maxLength={LONGEST}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKey}
            onBlur={add}
          />
        ))}
    </Group>
  )
}
