import { Button, Group, Text, TextInput } from '@mantine/core'
import { EyeOff } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Feedback, useFeedback } from './FeedbackButtons.tsx'

const REASONS = ['Another company', 'Old news', 'Did not happen']

type Props = {
  accountId: string
  detectionId: string
  headline: string
  feedback: NonNullable<Feedback>
  onChange: (feedback: Feedback) => void
}

/** What is left of a finding that was called wrong: a way back, and room for the reason. */
export function WrongFinding({ headline, ...options }: Props) {
  const { mutate, isPending } = useFeedback(options)
  const [reason, setReason] = useState(options.feedback.reason ?? '')
  const isKept = !isPending && options.feedback.reason !== null && options.feedback.reason === reason.trim()
  const keep = (text: string) => {
    setReason(text)
    mutate({ verdict: 'wrong', reason: text })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') keep(reason.trim())
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
        It no longer counts for the score, and another page about it does not bring it back.
      </Text>
      <form onSubmit={submit}>
        <Group gap={6} mt={6}>
          {REASONS.map((one) => (
            <Button
              key={one}
              size="compact-xs"
              variant={options.feedback.reason === one ? 'filled' : 'default'}
              aria-pressed={options.feedback.reason === one}
              onClick={() => keep(one)}
              disabled={isPending}
            >
              {one}
            </Button>
          ))}
          <TextInput
            size="xs"
            aria-label="Why is it wrong?"
            placeholder="Or in your own words"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            flex={1}
            miw={160}
          />
          <Button size="xs" variant="default" type="submit" disabled={isPending || reason.trim() === '' || isKept}>
            {isKept ? 'Kept' : 'Keep the reason'}
          </Button>
        </Group>
      </form>
    </div>
  )
}
