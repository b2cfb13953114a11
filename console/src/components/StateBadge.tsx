import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

/** Orange text on its light background has too little contrast. */
const READABLE: Record<string, string> = { orange: 'light-dark(#8f3a0b, #ffd8a8)' }

/** A state as a colored label. The text carries the meaning, not the color alone. */
export function StateBadge({ color = 'bell', children }: { color?: string; children: ReactNode }) {
  return (
    <Badge variant="light" color={color} c={READABLE[color]} tt="none" fw={600} style={{ flexShrink: 0 }} maw="none">
      {children}
    </Badge>
  )
}
