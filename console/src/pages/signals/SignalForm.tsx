import { Alert, Button, Grid, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/states.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { useFormDraft } from '../../lib/use-form-draft.ts'
import { MarkedExamples } from './MarkedExamples.tsx'
import { SignalPreview } from './SignalPreview.tsx'
import { type Signal, signalsQuery } from './signals.ts'
import { draftedExamples, type Example, useSavedExamples } from './use-examples.ts'

type Draft = { name: string; description: string; examples?: Example[] }

const NEW: Draft = { name: '', description: '' }

/** Edits a signal, with a preview of its findings. */
export function SignalForm({ signal, onClose }: { signal: Signal | undefined; onClose: () => void }) {
  const client = useQueryClient()
  const saved: Draft = signal ? { name: signal.name, description: signal.description } : NEW
  const { value, isChanged, change, clear } = useFormDraft(`signal ${signal?.id ?? 'new'}`, saved)
  const [wasRestored] = useState(isChanged)
  const savedExamples = useSavedExamples(signal?.id)
  const examples = signal
    ? savedExamples
    : draftedExamples(value.examples ?? [], (marked) => change({ examples: marked }))
  /** A new description invalidates the confidence of the marked sentences. */
  const describe = (description: string) =>
    change({
      description,
      ...(value.examples && { examples: value.examples.map((one) => ({ ...one, confidence: null })) }),
    })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      signal
        ? api.PATCH('/v1/signals/{id}', {
            params: { path: { id: signal.id } },
            body: { name: value.name, description: value.description },
          })
        : api.POST('/v1/signals', { body: value }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: signalsQuery.queryKey })
      clear()
      onClose()
      toastSuccess(`“${value.name}” saved`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  const isNameTaken = error instanceof ApiError && error.code === 'name_taken'
  const descriptionError =
    error instanceof ApiError && error.details.find(({ path }) => path === 'description')?.message
  return (
    <form onSubmit={submit} aria-label={signal ? 'Edit signal' : 'New signal'}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="sm">
            {wasRestored && isChanged && (
              <Alert variant="light" color="yellow" p="xs">
                <Group justify="space-between" gap="xs">
                  <Text size="sm">You have unsaved changes.</Text>
                  <Button size="compact-sm" variant="default" onClick={clear}>
                    Discard changes
                  </Button>
                </Group>
              </Alert>
            )}
            <Textarea
              label="Description"
              description="One sentence about the event to track"
              placeholder="The company is automating a warehouse or has ordered robots for one."
              value={value.description}
              onChange={(event) => describe(event.currentTarget.value)}
              error={descriptionError || null}
              autosize
              minRows={4}
              maxLength={2000}
              required
              data-autofocus
            />
            <TextInput
              label="Name"
              description="Shown in the feed and in alerts"
              placeholder="Warehouse automation"
              value={value.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              error={isNameTaken ? errorMessage(error) : null}
              maxLength={80}
              required
            />
            {signal && value.description !== signal.description && (
              <Text size="xs" c="dimmed">
                Changing the description deletes existing findings and checks past documents again.
              </Text>
            )}
            {error && !isNameTaken && !descriptionError && <ErrorMessage error={error} title="Not saved" />}
            <Group justify="flex-end" gap="xs">
              <Button
                variant="default"
                onClick={() => {
                  clear()
                  onClose()
                }}
              >
                {isChanged ? 'Discard' : 'Close'}
              </Button>
              <Button
                type="submit"
                loading={isPending}
                disabled={!isChanged || value.name.trim() === '' || value.description.trim() === ''}
              >
                {signal ? 'Save' : 'Create signal'}
              </Button>
            </Group>
            <MarkedExamples examples={examples} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <SignalPreview description={value.description} examples={examples} savedDescription={signal?.description} />
        </Grid.Col>
      </Grid>
    </form>
  )
}
