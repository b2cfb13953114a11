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

/** A signal: create a new one, edit a custom one, or view a built-in one. */
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
        <EmptyState icon={CircleOff} title="Signal not found">
          It may have been deleted.
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
            {signal.is_builtin ? 'Built-in' : 'Custom'}
          </Badge>
          <Text size="sm" c="dimmed">
            {signal.findings_30d > 0
              ? `${pluralize(signal.findings_30d, 'finding')} in the last 30 days`
              : 'No findings in the last 30 days'}
            {!signal.is_builtin && (
              <>
                {' · updated '}
                <RelativeTime at={signal.updated_at} />
              </>
            )}
          </Text>
        </Group>
        <Group gap="xs">
          <PageButton to="/findings" search={{ signal: signal.id }} variant="default" size="xs">
            View findings
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
        label={signal.enabled ? 'On' : 'Off'}
        description="When off, this signal is not tracked and its findings do not count toward scores."
      />
      <FeedbackCount feedback={signal.feedback} />
      {isDeleting && <DeleteSignal signal={signal} onClose={close} onDeleted={onDeleted} />}
    </Stack>
  )
}

/** Smaller shifts do not change a score visibly. */
const MIN_SHIFT = 0.05

/** The feedback on the findings of the signal and its effect on scores. */
function FeedbackCount({ feedback: { right, wrong, shift } }: { feedback: Signal['feedback'] }) {
  const total = right + wrong
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        No feedback yet. Feedback changes how much its findings count.
      </Text>
    )
  }
  const counts = shift >= MIN_SHIFT ? 'more' : 'less'
  return (
    <Text size="sm">
      <Text span fw={600}>
        {formatNumber(right)} of {formatNumber(total)} marked right
      </Text>{' '}
      <Text span c="dimmed">
        {Math.abs(shift) < MIN_SHIFT
          ? '· no effect on scores'
          : `· its findings count ${counts} (${shift > 0 ? '+' : '−'}${Math.abs(shift)})`}
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
    toastSuccess(`“${name}” deleted`, async () => {
      const examples = marked.map(({ sentence, verdict, confidence }) => ({ sentence, verdict, confidence }))
      await api.POST('/v1/signals', { body: { name, description, enabled, examples } })
      await client.invalidateQueries({ queryKey: signalsQuery.queryKey })
    })
  }
  return (
    <ConfirmDialog title={`Delete “${signal.name}”?`} action="Delete signal" onConfirm={remove} onClose={onClose}>
      {signal.findings_30d > 0
        ? `This deletes all its findings, including ${pluralize(signal.findings_30d, 'finding')} from the last 30 days.`
        : 'This deletes all its findings.'}{' '}
      Scores are recalculated. To keep the findings, turn the signal off instead.
    </ConfirmDialog>
  )
}
