import { Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  title: string
  /** Hides the heading visually, because the tab has the same name. */
  isWholeTab?: boolean
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A section of a settings tab with a heading. */
export function SettingsSection({ title, isWholeTab = false, lead, actions, children }: Props) {
  const heading = <Title order={2}>{title}</Title>
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between" gap="sm">
        <div>
          {isWholeTab ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}
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
