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

/** Describes a signal, with what it would have found beside it before it is saved. */
export function SignalForm({ signal, onClose }: { signal: Signal | undefined; onClose: () => void }) {
  const client = useQueryClient()
  const saved: Draft = signal ? { name: signal.name, description: signal.description } : NEW
  const { value, isChanged, change, clear } = useFormDraft(`signal ${signal?.id ?? 'new'}`, saved)
  const [wasKept] = useState(isChanged)
  const savedExamples = useSavedExamples(signal?.id)
  const examples = signal
    ? savedExamples
    : draftedExamples(value.examples ?? [], (marked) => change({ examples: marked }))
  /** What the reader said of marked sentences, it said by the former description. */
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
      toastSuccess(`“${value.name}” is looked for from now on, and in what was read before`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  const isNameTaken = error instanceof ApiError && error.code === 'name_taken'
  const aboutDescription =
    error instanceof ApiError && error.details.find(({ path }) => path === 'description')?.message
  return (
    <form onSubmit={submit} aria-label={signal ? 'Change the signal' : 'New signal'}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="sm">
            {wasKept && isChanged && (
              <Alert variant="light" color="yellow" p="xs">
                <Group justify="space-between" gap="xs">
                  <Text size="sm">You had not saved this. It is as you left it.</Text>
                  <Button size="compact-sm" variant="default" onClick={clear}>
                    Throw it away
                  </Button>
                </Group>
              </Alert>
            )}
            <Textarea
              label="What should be found?"
              description="A sentence in plain words, about the company"
              placeholder="The company is automating a warehouse or has ordered robots for one."
              value={value.description}
              onChange={(event) => describe(event.currentTarget.value)}
              error={aboutDescription || null}
              autosize
              minRows={4}
              maxLength={2000}
              required
              data-autofocus
            />
            <TextInput
              label="Name"
              description="What it is called in the feed and in alerts"
              placeholder="Warehouse automation"
              value={value.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              error={isNameTaken ? errorMessage(error) : null}
              maxLength={80}
              required
            />
            {signal && value.description !== signal.description && (
              <Text size="xs" c="dimmed">
                With another description, what was found under the former one goes; what was read before is looked
                through again.
              </Text>
            )}
            {error && !isNameTaken && !aboutDescription && (
              <ErrorMessage error={error} title="It could not be saved; what you wrote is still here" />
            )}
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
                {signal ? 'Save' : 'Look for it'}
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
