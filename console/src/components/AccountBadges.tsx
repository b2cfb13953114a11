import { Badge } from '@mantine/core'
import { Flame } from 'lucide-react'
import type { Schemas } from '../api/client.ts'

type Status = Schemas['ListedAccount']['status']

const STATUSES: Record<Status, { label: string; color: string; about: string }> = {
  active: { label: 'Active', color: 'bell', about: 'Monitored for new signals' },
  suggested: { label: 'Suggested', color: 'blue', about: 'Waiting for review' },
  new: { label: 'New', color: 'gray', about: 'Not monitored yet' },
  unqualified: { label: 'Unqualified', color: 'yellow', about: 'Does not match your ideal customer profile' },
  rejected: { label: 'Rejected', color: 'red', about: 'Rejected by your team' },
}

/** Yellow text on its light background has too little contrast. */
const READABLE: Partial<Record<Status, string>> = { unqualified: 'light-dark(#7a4100, #ffe8a3)' }

/** The status of an account; the tooltip explains it. */
export function AccountStatusBadge({ status }: { status: Status }) {
  const { label, color, about } = STATUSES[status]
  return (
    <Badge variant="light" color={color} c={READABLE[status]} tt="none" fw={600} title={about}>
      {label}
    </Badge>
  )
}

/** The display name of a status. */
export const accountStatusLabel = (status: Status): string => STATUSES[status].label

/** The statuses for a select. */
export const accountStatusOptions = Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))

export function HotBadge() {
  return (
    <Badge
      variant="light"
      color="orange"
      c="light-dark(#a33a00, var(--mantine-color-orange-3))"
      tt="none"
      fw={600}
      leftSection={<Flame size={12} strokeWidth={2.4} aria-hidden />}
      title="Score of 70 or higher"
    >
      Hot
    </Badge>
  )
}
