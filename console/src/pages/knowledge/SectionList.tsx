import { Stack, VisuallyHidden } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { SectionCard } from './SectionCard.tsx'
import { SectionEditor } from './SectionEditor.tsx'
import classes from './SectionList.module.css'
import { type KnowledgeSection, useMoveSection } from './sections.ts'

type Props = { sections: KnowledgeSection[]; editing: string | undefined; onClose: () => void }

/** The sections in order. They can be reordered by dragging or with the arrow keys. */
export function SectionList({ sections, editing, onClose }: Props) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const { mutate } = useMoveSection()

  function move(section: KnowledgeSection, to: number) {
    const target = sections[to]
    if (!target || target.id === section.id) return
    setAnnouncement(`${section.title} moved to position ${to + 1} of ${sections.length}`)
    // Positions also count sections that are not listed here.
    mutate({ id: section.id, to: target.position })
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    const section = sections.find(({ id }) => id === dragged)
    if (section && over !== null) move(section, over)
    setDragged(null)
    setOver(null)
  }

  const from = sections.findIndex(({ id }) => id === dragged)
  return (
    <>
      <Stack component="ol" gap="sm" className={classes.list}>
        {sections.map((section, at) => (
          <li
            key={section.id}
            data-dragged={section.id === dragged || undefined}
            data-drop={
              (dragged !== null && over === at && at !== from && (at < from ? 'before' : 'after')) || undefined
            }
            className={classes.item}
            onDragOver={(event) => {
              if (dragged === null) return
              event.preventDefault()
              setOver(at)
            }}
            onDrop={drop}
          >
            {section.id === editing ? (
              <SectionEditor section={section} onClose={onClose} />
            ) : (
              <SectionCard
                section={section}
                isLast={at === sections.length - 1}
                onMove={(by) => move(section, at + by)}
                onDragStart={() => setDragged(section.id)}
                onDragEnd={() => {
                  setDragged(null)
                  setOver(null)
                }}
              />
            )}
          </li>
        ))}
      </Stack>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  )
}
