import { ActionIcon, Badge, CloseButton, Group, TextInput, Tooltip } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'

type Props = {
  tags: readonly string[]
  /** Absent: the tags are shown and cannot be changed. */
  onAdd?: (tag: string) => void
  onRemove?: (tag: string) => void
}

const LONGEST = 60

/** Tags as pills; Enter or a comma adds one, and what is typed stays until it is added or given up. */
export function TagEditor({ tags, onAdd, onRemove }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const givenUp = useRef(false)
  // Whatever ends the typing ends it by taking the focus away: taking the field away does that too, and nothing is added twice.
  const end = () => {
    const tag = (typed ?? '').trim()
    setTyped(null)
    if (!givenUp.current && tag !== '' && !tags.includes(tag)) onAdd?.(tag)
    givenUp.current = false
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== ',' && event.key !== 'Escape') return
    event.preventDefault()
    givenUp.current = event.key === 'Escape'
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
            onBlur={end}
          />
        ))}
    </Group>
  )
}
