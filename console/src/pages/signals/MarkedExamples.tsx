import { ActionIcon, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { X } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { Examples } from './use-examples.ts'

const MAX_COLLAPSED = 5

/** The marked example sentences, with a button to remove each. */
export function MarkedExamples({ examples: { all, isPending, mark } }: { examples: Examples }) {
  const [isExpanded, setExpanded] = useState(false)
  if (all.length === 0) return null
  const right = all.filter(({ verdict }) => verdict === 'right').length
  return (
    <Stack gap="xs" component="section" aria-label="Marked examples">
      <Group gap="xs" align="baseline">
        <Title order={3}>Marked examples</Title>
        <Text size="sm" c="dimmed">
          {formatNumber(right)} right, {formatNumber(all.length - right)} wrong
        </Text>
      </Group>
      {(isExpanded ? all : all.slice(0, MAX_COLLAPSED)).map(({ sentence, verdict }) => (
        <Group key={sentence} gap="xs" wrap="nowrap" align="flex-start">
          <Badge
            variant="light"
            color={verdict === 'right' ? 'teal' : 'red'}
            radius="sm"
            tt="none"
            fw={500}
            flex="none"
          >
            {verdict === 'right' ? 'Right' : 'Wrong'}
          </Badge>
          <Text size="sm" lineClamp={3} style={{ flex: 1, overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Remove “${sentence}”`}
            disabled={isPending}
            onClick={() => mark(sentence, null, null)}
          >
            <X size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {all.length > MAX_COLLAPSED && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setExpanded(!isExpanded)}
          style={{ alignSelf: 'flex-start' }}
        >
          {isExpanded ? 'Show less' : `Show all ${formatNumber(all.length)}`}
        </Button>
      )}
    </Stack>
  )
}
