import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

/** What state something is in, in a word or two: the word says it, the colour only helps the eye. */
export function StateBadge({ color = 'bell', children }: { color?: string; children: ReactNode }) {
  return (
    <Badge variant="light" color={color} tt="none" fw={600} style={{ flexShrink: 0 }}>
      {children}
    </Badge>
  )
}
