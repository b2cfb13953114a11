import {
  Alert,
  Autocomplete,
  Button,
  Card,
  Group,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { Markdown } from '../../components/Markdown.tsx'
import { ErrorMessage } from '../../components/states.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { useFormDraft } from '../../lib/use-form-draft.ts'
import { IcpFromCustomers } from './IcpFromCustomers.tsx'
import {
  type KnowledgeSection,
  SECTION_TYPES,
  type SectionText,
  saveSection,
  sectionsQuery,
  sectionTypeLabel,
} from './sections.ts'

const NEW: SectionText = { title: '', type: 'icp', content_md: '' }

type Props = {
  section?: KnowledgeSection
  /** The id of a deleted section whose unsaved changes can still be saved. */
  deletedId?: string
  onClose: () => void
}

/** Edits a section with a preview. Unsaved changes are kept until saved or discarded. */
export function SectionEditor({ section, deletedId, onClose }: Props) {
  const client = useQueryClient()
  const isWide = useMediaQuery('(min-width: 62em)', true)
  const saved = section ? { title: section.title, type: section.type, content_md: section.content_md } : NEW
  const { value, isChanged, change, clear } = useFormDraft(`section ${section?.id ?? deletedId ?? 'new'}`, saved)
  const [wasRestored] = useState(isChanged)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (id: string | null) => saveSection(id, { ...value, type: sectionTypeValue(value.type) }),
    onSuccess: async ({ title }) => {
      await client.invalidateQueries({ queryKey: sectionsQuery.queryKey })
      clear()
      onClose()
      toastSuccess(`“${title}” saved`)
    },
  })
  const isDeleted = deletedId !== undefined || (error instanceof ApiError && error.status === 404)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(section?.id ?? null)
  }
  if (deletedId !== undefined && !isChanged) {
    return (
      <Alert
        variant="light"
        color="yellow"
        title="Section not found"
        withCloseButton
        onClose={onClose}
        closeButtonLabel="Close"
      >
        It was deleted.
      </Alert>
    )
  }
  const discard = () => {
    clear()
    onClose()
  }
  const use = ({ title, content_md }: { title: string; content_md: string }) =>
    change({ title: value.title.trim() || title, content_md })
  const text = (
    <Textarea
      label="Text"
      description="Markdown: - list item, **bold**, [link](https://…)"
      value={value.content_md}
      onChange={(event) => change({ content_md: event.currentTarget.value })}
      autosize
      minRows={10}
      maxRows={28}
      maxLength={200_000}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13, lineHeight: 1.55 } }}
    />
  )
  const preview = (
    <section aria-label="Preview">
      {value.content_md.trim() ? (
        <Markdown>{value.content_md}</Markdown>
      ) : (
        <Text size="sm" c="dimmed">
          Nothing to preview yet.
        </Text>
      )}
    </section>
  )
  return (
    <Card
      withBorder
      padding="md"
      component="form"
      onSubmit={submit}
      aria-label={section ? 'Edit section' : 'New section'}
    >
      <Stack gap="sm">
        {wasRestored && isChanged && !isDeleted && (
          <Alert variant="light" color="yellow" p="xs">
            <Group justify="space-between" gap="xs">
              <Text size="sm">You have unsaved changes.</Text>
              <Button size="compact-sm" variant="default" onClick={clear}>
                Discard changes
              </Button>
            </Group>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label="Title"
            value={value.title}
            onChange={(event) => change({ title: event.currentTarget.value })}
            maxLength={300}
            required
            data-autofocus
          />
          <Autocomplete
            label="Type"
            value={sectionTypeLabel(value.type)}
            onChange={(type) => change({ type: sectionTypeValue(type) })}
            data={SECTION_TYPES.map(({ label }) => label)}
            maxLength={60}
            required
          />
        </SimpleGrid>
        {value.type === 'icp' && <IcpFromCustomers onUse={use} isEmpty={value.content_md.trim() === ''} />}
        {isWide ? (
          <SimpleGrid cols={2} spacing="lg">
            {text}
            <Stack gap={6}>
              <Text size="sm" fw={600}>
                Preview
              </Text>
              {preview}
            </Stack>
          </SimpleGrid>
        ) : (
          <Tabs defaultValue="text">
            <Tabs.List mb="sm">
              <Tabs.Tab value="text">Write</Tabs.Tab>
              <Tabs.Tab value="preview">Preview</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="text">{text}</Tabs.Panel>
            <Tabs.Panel value="preview">{preview}</Tabs.Panel>
          </Tabs>
        )}
        {error && !isDeleted && <ErrorMessage error={error} title="Not saved" />}
        {isDeleted && <ErrorMessage error={new Error('This section was deleted.')} title="Not saved" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={discard}>
            {isChanged ? 'Discard' : 'Close'}
          </Button>
          {isDeleted ? (
            <Button onClick={() => mutate(null)}>Save as new section</Button>
          ) : (
            <Button type="submit" loading={isPending} disabled={!isChanged || value.title.trim() === ''}>
              Save
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  )
}

/** The type for a label; any other text is a custom type. */
function sectionTypeValue(label: string): string {
  return SECTION_TYPES.find((one) => one.label === label || one.value === label)?.value ?? (label.trim() || 'custom')
}
