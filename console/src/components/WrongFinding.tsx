import { Button, Group, Text, TextInput } from '@mantine/core'
import { EyeOff } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Feedback, useFeedback } from './FeedbackButtons.tsx'

const REASONS = ['Wrong company', 'Old news', 'Not true']

type Props = {
  accountId: string
  detectionId: string
  headline: string
  feedback: NonNullable<Feedback>
  onChange: (feedback: Feedback) => void
}

/** A finding that was marked wrong: undo, and an optional reason. */
export function WrongFinding({ headline, ...options }: Props) {
  const { mutate, isPending } = useFeedback(options)
  const [reason, setReason] = useState(options.feedback.reason ?? '')
  const isSaved = !isPending && options.feedback.reason !== null && options.feedback.reason === reason.trim()
  const save = (text: string) => {
    setReason(text)
    mutate({ verdict: 'wrong', reason: text })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') save(reason.trim())
  }
  return (
    <div role="status">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap={8} wrap="nowrap" c="dimmed" miw={0}>
          <EyeOff size={15} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm" truncate>
            Marked wrong: <s>{headline}</s>
          </Text>
        </Group>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => mutate({ verdict: null })}
          disabled={isPending}
          aria-label={`Undo: ${headline}`}
        >
          Undo
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={2}>
        It no longer counts toward the score and won’t be reported again.
      </Text>
      <form onSubmit={submit}>
        <Group gap={6} mt={6}>
          {REASONS.map((one) => (
            <Button
              key={one}
              size="compact-xs"
              variant={options.feedback.reason === one ? 'filled' : 'default'}
              aria-pressed={options.feedback.reason === one}
              onClick={() => save(one)}
              disabled={isPending}
            >
              {one}
            </Button>
          ))}
          <TextInput
            size="xs"
            aria-label="Why is it wrong?"
            placeholder="Other reason"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            flex={1}
            miw={160}
          />
          <Button size="xs" variant="default" type="submit" disabled={isPending || reason.trim() === '' || isSaved}>
            {isSaved ? 'Saved' : 'Save reason'}
          </Button>
        </Group>
      </form>
    </div>
  )
}
