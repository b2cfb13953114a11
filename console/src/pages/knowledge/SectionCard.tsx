import { ActionIcon, Badge, Button, Card, Collapse, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ChevronDown, Ellipsis, GripVertical, Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { SafeLink } from '../../components/links.tsx'
import { Markdown } from '../../components/Markdown.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import classes from './SectionList.module.css'
import { type KnowledgeSection, sectionsQuery, sectionTypeLabel } from './sections.ts'

type Props = {
  section: KnowledgeSection
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onDragStart: () => void
  onDragEnd: () => void
}

export function SectionCard({ section, isLast, onMove, onDragStart, onDragEnd }: Props) {
  const { shared } = useRights()
  const [isDeleting, { open, close }] = useDisclosure()
  const card = useRef<HTMLDivElement>(null)
  return (
    <Card withBorder padding="md" ref={card}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs" gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          {shared && (
            <ActionIcon
              variant="subtle"
              color="gray"
              draggable
              className={classes.handle}
              aria-label={`Move ${section.title} (arrow up or down)`}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', section.title)
                if (card.current) event.dataTransfer.setDragImage(card.current, 12, 12)
                onDragStart()
              }}
              onDragEnd={onDragEnd}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
                event.preventDefault()
                onMove(event.key === 'ArrowUp' ? -1 : 1)
              }}
            >
              <GripVertical size={16} aria-hidden />
            </ActionIcon>
          )}
          <div>
            <Title order={2}>{section.title}</Title>
            {section.type !== 'custom' && (
              <Text size="xs" c="dimmed">
                {sectionTypeLabel(section.type)}
              </Text>
            )}
          </div>
        </Group>
        {shared && (
          <Group gap={4} wrap="nowrap">
            <Button
              component={Link}
              to={`/knowledge/${section.id}`}
              resetScroll={false}
              variant="subtle"
              size="compact-sm"
              leftSection={<Pencil size={14} aria-hidden />}
              aria-label={`Edit ${section.title}`}
            >
              Edit
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={`More actions for ${section.title}`}>
                  <Ellipsis size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<ArrowUp size={14} aria-hidden />}
                  disabled={section.position === 0}
                  onClick={() => onMove(-1)}
                >
                  Move up
                </Menu.Item>
                <Menu.Item
                  leftSection={<ArrowDown size={14} aria-hidden />}
                  disabled={isLast}
                  onClick={() => onMove(1)}
                >
                  Move down
                </Menu.Item>
                <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={open}>
                  Delete…
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        )}
      </Group>
      {section.content_md.trim() === '' ? (
        <Text size="sm" c="dimmed">
          This section is empty.
        </Text>
      ) : (
        <Markdown>{section.content_md}</Markdown>
      )}
      <Origin section={section} />
      {isDeleting && <DeleteSection section={section} onClose={close} />}
    </Card>
  )
}

/** Whether the section was drafted from the website, with its source sentences. */
function Origin({ section }: { section: KnowledgeSection }) {
  const [isOpen, setOpen] = useState(false)
  const { drawn_from: sentences, is_ai_generated } = section
  if (!is_ai_generated) return null
  if (sentences.length === 0) {
    return (
      <Text size="xs" c="dimmed" mt="sm">
        Drafted from your website, edited by your team
      </Text>
    )
  }
  return (
    <Stack gap="xs" mt="sm">
      <Group gap="xs">
        <Badge variant="light" radius="sm" tt="none" fw={500}>
          Drafted
        </Badge>
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          rightSection={
            <ChevronDown size={13} aria-hidden style={{ transform: isOpen ? 'rotate(180deg)' : undefined }} />
          }
        >
          from {pluralize(sentences.length, 'sentence')} on your website
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Stack gap="xs">
          {sentences.map(({ url, sentence }) => (
            <div key={sentence} className={classes.quote}>
              <Text size="sm">“{sentence}”</Text>
              <SafeLink to={url} size="xs">
                {withoutScheme(url)}
              </SafeLink>
            </div>
          ))}
        </Stack>
      </Collapse>
    </Stack>
  )
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

function DeleteSection({ section, onClose }: { section: KnowledgeSection; onClose: () => void }) {
  const client = useQueryClient()
  const words = section.content_md.split(/\s+/).filter(Boolean).length
  const refresh = () => client.invalidateQueries({ queryKey: sectionsQuery.queryKey })
  async function remove() {
    await api.DELETE('/v1/knowledge-base/{id}', { params: { path: { id: section.id } } })
    await refresh()
    const { title, content_md, type, position } = section
    toastSuccess(`“${title}” deleted`, async () => {
      await api.POST('/v1/knowledge-base', { body: { title, content_md, type, position } })
      await refresh()
    })
  }
  return (
    <ConfirmDialog title={`Delete “${section.title}”?`} action="Delete section" onConfirm={remove} onClose={onClose}>
      <Text size="sm">
        {words > 0 ? `This deletes ${pluralize(words, 'word')}.` : 'This section is empty.'} Scores and drafts are
        updated. {section.is_ai_generated && 'It won’t be drafted from your website again.'}
      </Text>
    </ConfirmDialog>
  )
}
