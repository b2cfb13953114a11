import { ActionIcon, Badge, CloseButton, Group, TextInput, Tooltip } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'

type Props = {
  tags: readonly string[]
  /** Without it, the tags are read-only. */
  onAdd?: (tag: string) => void
  onRemove?: (tag: string) => void
}

const LONGEST = 60

/** Tags as pills. Enter, comma or leaving the field adds a tag; Escape cancels. */
export function TagEditor({ tags, onAdd, onRemove }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const isCanceled = useRef(false)
  // Only blur adds the tag, because removing the field also blurs it and would add the tag twice.
  const end = () => {
    const tag = (typed ?? '').trim()
    setTyped(null)
    if (!isCanceled.current && tag !== '' && !tags.includes(tag)) onAdd?.(tag)
    isCanceled.current = false
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== ',' && event.key !== 'Escape') return
    event.preventDefault()
    isCanceled.current = event.key === 'Escape'
    event.currentTarget.blur()
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
              <CloseButton size={16} iconSize={12} aria-label={`Remove tag ${tag}`} onClick={() => onRemove(tag)} />
            )
          }
        >
          {tag}
        </Badge>
      ))}
      {onAdd &&
        (typed === null ? (
          <Tooltip label="Add tag">
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Add tag" onClick={() => setTyped('')}>
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
            onBlur={end}
          />
        ))}
    </Group>
  )
}
