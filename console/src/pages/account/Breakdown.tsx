import { Group, Progress, Stack, Text } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'

const SHOWN = 6

/** Counts by name as bars, largest first. */
export function Breakdown({ title, parts }: { title: string; parts: Record<string, number> | null }) {
  const known = Object.entries(parts ?? {})
    .filter(([, number]) => number > 0)
    .sort(([, a], [, b]) => b - a)
  if (known.length === 0) return null
  const most = known[0]?.[1] ?? 1
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {title}
      </Text>
      <Stack gap={4}>
        {known.slice(0, SHOWN).map(([name, number]) => (
          <Group key={name} gap="xs" wrap="nowrap">
            <Text size="sm" w={110} truncate title={name} style={{ flexShrink: 0 }}>
              {name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')}
            </Text>
            <Progress value={(100 * number) / most} size="sm" flex={1} aria-hidden color="gray.5" />
            <Text size="sm" ta="right" miw={28} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {formatNumber(number)}
            </Text>
          </Group>
        ))}
      </Stack>
    </div>
  )
}
