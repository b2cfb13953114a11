import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

/** Orange on its own tint is hard to read. */
const READABLE: Record<string, string> = { orange: 'light-dark(#8f3a0b, #ffd8a8)' }

/** What state something is in, in a word or two: the word says it, the colour only helps the eye. */
export function StateBadge({ color = 'bell', children }: { color?: string; children: ReactNode }) {
  return (
    <Badge variant="light" color={color} c={READABLE[color]} tt="none" fw={600} style={{ flexShrink: 0 }} maw="none">
      {children}
    </Badge>
  )
}
