import { Badge, Button, Drawer, Group, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { CircleOff, Trash2 } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { PageButton } from '../../components/links.tsx'
import { EmptyState } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { SignalForm } from './SignalForm.tsx'
import { type Signal, signalsQuery, useSwitchSignal } from './signals.ts'
import { examplesQuery } from './use-examples.ts'

type Props = { signal: Signal | undefined; isNew: boolean; onClose: () => void }

/** One signal: a new one, one of the team's own to change, or a built-in one to read. */
export function SignalDrawer({ signal, isNew, onClose }: Props) {
  const { shared } = useRights()
  const title = isNew ? 'New signal' : (signal?.name ?? 'Signal')
  const isForm = shared && (isNew || signal?.is_builtin === false)
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      position="right"
      size={isForm ? 980 : 520}
      styles={{ title: { fontWeight: 650, fontSize: '1.0625rem' } }}
    >
      {!isNew && !signal ? (
        <EmptyState icon={CircleOff} title="This signal is not there">
          It may have been deleted by somebody else.
        </EmptyState>
      ) : (
        <Stack gap="lg">
          {signal && <About signal={signal} onDeleted={onClose} />}
          {isForm && <SignalForm signal={signal} onClose={onClose} />}
        </Stack>
      )}
    </Drawer>
  )
}

function About({ signal, onDeleted }: { signal: Signal; onDeleted: () => void }) {
  const { shared } = useRights()
  const switchSignal = useSwitchSignal()
  const [isDeleting, { open, close }] = useDisclosure()
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Badge variant="light" color="gray" radius="sm" tt="none" fw={500}>
            {signal.is_builtin ? 'Built in' : 'Your own'}
          </Badge>
          <Text size="sm" c="dimmed">
            {signal.findings_30d > 0
              ? `${pluralize(signal.findings_30d, 'event')} in the last 30 days`
              : 'No event in the last 30 days'}
            {!signal.is_builtin && (
              <>
                {' · changed '}
                <RelativeTime at={signal.updated_at} />
              </>
            )}
          </Text>
        </Group>
        <Group gap="xs">
          <PageButton to="/" search={{ signal: signal.id } as never} variant="default" size="xs">
            Show its findings
          </PageButton>
          {shared && !signal.is_builtin && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={open}
            >
              Delete…
            </Button>
          )}
        </Group>
      </Group>
      {(signal.is_builtin || !shared) && <Text size="sm">{signal.description}</Text>}
      <Switch
        checked={signal.enabled}
        disabled={!shared}
        onChange={(event) => switchSignal({ signal, enabled: event.currentTarget.checked })}
        label={signal.enabled ? 'Looked for' : 'Not looked for'}
        description="Switched off, it is not looked for, and its findings do not count."
      />
      <FeedbackCount feedback={signal.feedback} />
      {isDeleting && <DeleteSignal signal={signal} onClose={close} onDeleted={onDeleted} />}
    </Stack>
  )
}

/** Less than this nobody would notice in a score. */
const MIN_SHIFT = 0.05

/** What the team said of its findings, and what that does. */
function FeedbackCount({ feedback: { right, wrong, shift } }: { feedback: Signal['feedback'] }) {
  const said = right + wrong
  if (said === 0) {
    return (
      <Text size="sm" c="dimmed">
        No finding was marked right or wrong yet. Marks decide how much its findings count.
      </Text>
    )
  }
  const counts = shift >= MIN_SHIFT ? 'more' : 'less'
  return (
    <Text size="sm">
      <Text span fw={600}>
        {formatNumber(right)} of {formatNumber(said)} marked right
      </Text>{' '}
      <Text span c="dimmed">
        {Math.abs(shift) < MIN_SHIFT
          ? '· its findings count as usual'
          : `· so its findings count for ${counts} in scores (${shift > 0 ? '+' : '−'}${Math.abs(shift)})`}
      </Text>
    </Text>
  )
}

function DeleteSignal({ signal, onClose, onDeleted }: { signal: Signal; onClose: () => void; onDeleted: () => void }) {
  const client = useQueryClient()
  async function remove() {
    const marked = (await client.fetchQuery(examplesQuery(signal.id))).data
    await api.DELETE('/v1/signals/{id}', { params: { path: { id: signal.id } } })
    await client.invalidateQueries({ queryKey: signalsQuery.queryKey })
    onDeleted()
    const { name, description, enabled } = signal
    toastSuccess(`“${name}” was deleted`, async () => {
      const examples = marked.map(({ sentence, verdict, confidence }) => ({ sentence, verdict, confidence }))
      await api.POST('/v1/signals', { body: { name, description, enabled, examples } })
      await client.invalidateQueries({ queryKey: signalsQuery.queryKey })
    })
  }
  return (
    <ConfirmDialog title={`Delete “${signal.name}”?`} action="Delete the signal" onConfirm={remove} onClose={onClose}>
      {signal.findings_30d > 0
        ? `What it has found goes with it, on every account: ${pluralize(signal.findings_30d, 'finding')} of the last 30 days, and all before.`
        : 'What it has found goes with it, on every account.'}{' '}
      Scores are worked out anew. Switch it off instead to keep its findings.
    </ConfirmDialog>
  )
}
