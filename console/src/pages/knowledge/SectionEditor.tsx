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
  /** Of a section that somebody has deleted: what was typed for it can still be saved. */
  goneId?: string
  onClose: () => void
}

/** Writes a section, with what it will look like beside it. What is typed stays until it is saved or thrown away. */
export function SectionEditor({ section, goneId, onClose }: Props) {
  const client = useQueryClient()
  const isWide = useMediaQuery('(min-width: 62em)', true)
  const saved = section ? { title: section.title, type: section.type, content_md: section.content_md } : NEW
  const { value, isChanged, change, clear } = useFormDraft(`section ${section?.id ?? goneId ?? 'new'}`, saved)
  const [wasKept] = useState(isChanged)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (id: string | null) => saveSection(id, { ...value, type: sectionTypeValue(value.type) }),
    onSuccess: async ({ title }) => {
      await client.invalidateQueries({ queryKey: sectionsQuery.queryKey })
      clear()
      onClose()
      toastSuccess(`“${title}” was saved`)
    },
  })
  const isGone = goneId !== undefined || (error instanceof ApiError && error.status === 404)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(section?.id ?? null)
  }
  if (goneId !== undefined && !isChanged) {
    return (
      <Alert
        variant="light"
        color="yellow"
        title="This section is not there"
        withCloseButton
        onClose={onClose}
        closeButtonLabel="Close"
      >
        Somebody has deleted it.
      </Alert>
    )
  }
  const discard = () => {
    clear()
    onClose()
  }
  const text = (
    <Textarea
      label="Text"
      description="Markdown: - for a list, **bold**, [words](https://…)"
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
          What you write shows here as it will look.
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
      aria-label={section ? 'Edit the section' : 'New section'}
    >
      <Stack gap="sm">
        {wasKept && isChanged && !isGone && (
          <Alert variant="light" color="yellow" p="xs">
            <Group justify="space-between" gap="xs">
              <Text size="sm">You had not saved this. It is as you left it.</Text>
              <Button size="compact-sm" variant="default" onClick={clear}>
                Throw it away
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
            label="What it is about"
            value={sectionTypeLabel(value.type)}
            onChange={(type) => change({ type: sectionTypeValue(type) })}
            data={SECTION_TYPES.map(({ label }) => label)}
            maxLength={60}
            required
          />
        </SimpleGrid>
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
        {error && !isGone && <ErrorMessage error={error} title="It could not be saved; what you wrote is still here" />}
        {isGone && (
          <ErrorMessage
            error={new Error('Somebody has deleted this section meanwhile.')}
            title="There is nothing to change"
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={discard}>
            {isChanged ? 'Discard' : 'Close'}
          </Button>
          {isGone ? (
            <Button onClick={() => mutate(null)}>Save as a new section</Button>
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

/** A label stands for its type; any other word is a type of one's own. */
function sectionTypeValue(label: string): string {
  return SECTION_TYPES.find((one) => one.label === label || one.value === label)?.value ?? (label.trim() || 'custom')
}
