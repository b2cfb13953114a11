import { Badge, Button, Card, Group, Select, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Pencil, RotateCcw } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { ErrorMessage, ErrorText, Loading } from '../../components/states.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { useFormDraft } from '../../lib/use-form-draft.ts'
import { sectionsQuery } from './sections.ts'

type Play = Schemas['PlaybookEntry']
type PlayTexts = Pick<Play, 'problem' | 'why_now' | 'proof' | 'ask'>

const route = getRouteApi('/app/knowledge/{-$id}')
export const playbookQuery = queries.queryOptions('get', '/v1/playbook')

/** The four texts of a play. Without a proof or an ask, `otherwise` happens. */
const FIELDS = [
  { field: 'problem', label: 'Problem', hint: 'Completes “help with …”', otherwise: '', maxLength: 200 },
  { field: 'why_now', label: 'Why now', hint: 'Why such an event makes it urgent', otherwise: '', maxLength: 400 },
  { field: 'proof', label: 'Proof', hint: 'A sentence', otherwise: 'Chosen by industry and size', maxLength: 400 },
  { field: 'ask', label: 'Ask', hint: 'The closing question', otherwise: 'One of the usual questions', maxLength: 200 },
] as const

/** What drafted messages say about a signal, with a card per department. */
export function Playbook() {
  const { signal } = route.useSearch()
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery(playbookQuery)
  const bySignal = Map.groupBy(data?.data ?? [], ({ signal_id }) => signal_id)
  const plays = bySignal.get(signal ?? '') ?? [...bySignal.values()][0] ?? []
  const options = [...bySignal].map(([value, of]) => {
    const edited = of.filter(({ source }) => source === 'edited').length
    return { value, label: `${of[0]?.signal_name}${edited > 0 ? ` (${edited} edited)` : ''}` }
  })
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" maw={640}>
        What a drafted message says after a signal, depending on the department of the person. Write your own where you
        know more.
      </Text>
      {isPending && <Loading lines={10} />}
      {error && <ErrorMessage error={error} retry={refetch} />}
      {plays[0] && (
        <>
          <Select
            label="Signal"
            searchable
            allowDeselect={false}
            maw={360}
            data={options}
            value={plays[0].signal_id}
            onChange={(signal) =>
              navigate({
                to: '/knowledge/{-$id}',
                params: { id: 'playbook' },
                search: { signal: signal ?? undefined },
                replace: true,
              })
            }
          />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            {plays.map((play) => (
              <PlayCard key={`${play.signal_id} ${play.department}`} play={play} />
            ))}
          </SimpleGrid>
        </>
      )}
    </Stack>
  )
}

const textsOf = ({ problem, why_now, proof, ask }: Play): PlayTexts => ({ problem, why_now, proof, ask })

/** Saves a play, or returns to its default with null. */
function useSavePlay({ signal_id, department }: Play) {
  const client = useQueryClient()
  const params = { path: { signal_id, department } }
  return useMutation({
    mutationFn: (body: PlayTexts | null) =>
      body
        ? api.PUT('/v1/playbook/{signal_id}/{department}', { params, body })
        : api.DELETE('/v1/playbook/{signal_id}/{department}', { params }),
    // Edited plays are sections of the knowledge base.
    onSuccess: () =>
      Promise.all(
        [playbookQuery, sectionsQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey: [...queryKey] })),
      ),
  })
}

function PlayCard({ play }: { play: Play }) {
  const { shared } = useRights()
  const [isEditing, setEditing] = useState(false)
  const save = useSavePlay(play)
  const name = play.department_name
  const reset = () =>
    save.mutate(null, {
      onSuccess: () => toastSuccess(`${name} reset to default`, () => save.mutateAsync(textsOf(play))),
      onError: (error) => toastError(`${name} not reset`, error),
    })
  return (
    <Card withBorder padding="md" component="section" aria-label={name}>
      <Group justify="space-between" wrap="nowrap" mb="xs" gap="xs">
        <Group gap="xs">
          <Title order={2}>{name}</Title>
          {play.source === 'edited' && (
            <Badge variant="light" tt="none">
              Edited
            </Badge>
          )}
        </Group>
        {shared && !isEditing && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Pencil size={14} aria-hidden />}
            aria-label={`Edit ${name}`}
            onClick={() => setEditing(true)}
          >
            Edit
          </Button>
        )}
      </Group>
      {isEditing ? (
        <PlayForm play={play} onClose={() => setEditing(false)} />
      ) : (
        <Stack gap="xs" component="dl" m={0} style={{ overflowWrap: 'anywhere' }}>
          {FIELDS.map(({ field, label, otherwise }) => (
            <div key={field}>
              <Text component="dt" size="xs" c="dimmed">
                {label}
              </Text>
              <Text component="dd" m={0} size="sm" {...(play[field] ? {} : { c: 'dimmed' })}>
                {play[field] || otherwise}
              </Text>
            </div>
          ))}
        </Stack>
      )}
      {shared && !isEditing && play.source === 'edited' && (
        <Button
          mt="sm"
          style={{ alignSelf: 'flex-start' }}
          variant="default"
          size="xs"
          leftSection={<RotateCcw size={14} aria-hidden />}
          aria-label={`Reset ${name} to default`}
          loading={save.isPending}
          onClick={reset}
        >
          Reset to default
        </Button>
      )}
    </Card>
  )
}

function PlayForm({ play, onClose }: { play: Play; onClose: () => void }) {
  const { value, isChanged, change, clear } = useFormDraft(`play ${play.signal_id} ${play.department}`, textsOf(play))
  const save = useSavePlay(play)
  const errors = fieldErrors(save.error)
  const isAtField = Object.keys(errors).some((path) => path in value)
  const close = () => {
    clear()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(value, {
      onSuccess: () => {
        close()
        toastSuccess(`${play.department_name} saved`)
      },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {FIELDS.map(({ field, label, hint, otherwise, maxLength }) => (
          <Textarea
            key={field}
            label={label}
            description={hint}
            placeholder={otherwise}
            required={otherwise === ''}
            autosize
            minRows={2}
            maxLength={maxLength}
            value={value[field] ?? ''}
            onChange={(event) => change({ [field]: event.currentTarget.value || (otherwise ? null : '') })}
            error={errors[field]}
          />
        ))}
        {save.isError && !isAtField && <ErrorText>{errorMessage(save.error)}</ErrorText>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {isChanged ? 'Discard' : 'Close'}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isChanged}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
