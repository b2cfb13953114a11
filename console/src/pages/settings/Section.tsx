import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A part of a tab under a heading. */
export function Section({ title, lead, actions, children }: Props) {
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <Title order={2}>{title}</Title>
          {lead && (
            <Text c="dimmed" size="sm" maw={640} component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  )
}
