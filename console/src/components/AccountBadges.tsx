import { Badge } from '@mantine/core'
import { Flame } from 'lucide-react'
import type { Schemas } from '../api/client.ts'

type Status = Schemas['ListedAccount']['status']

const STATUSES: Record<Status, { label: string; color: string; about: string }> = {
  active: { label: 'Active', color: 'bell', about: 'Watched: what is new is found and told' },
  suggested: { label: 'Suggested', color: 'blue', about: 'Waits for somebody to activate or reject it' },
  new: { label: 'New', color: 'gray', about: 'Too little is known to say whether it fits' },
  unqualified: { label: 'Does not fit', color: 'yellow', about: 'What is known does not match your ideal customer' },
  rejected: { label: 'Rejected', color: 'red', about: 'Somebody decided against it' },
}

/** Yellow on its own tint is hard to read. */
const READABLE: Partial<Record<Status, string>> = { unqualified: 'light-dark(#7a4100, #ffe8a3)' }

/** Where an account stands, in a word; what it means shows on hover. */
export function AccountStatusBadge({ status }: { status: Status }) {
  const { label, color, about } = STATUSES[status]
  return (
    <Badge variant="light" color={color} c={READABLE[status]} tt="none" fw={600} title={about}>
      {label}
    </Badge>
  )
}

/** What a status is called. */
export const accountStatusLabel = (status: Status): string => STATUSES[status].label

export function HotBadge() {
  return (
    <Badge
      variant="light"
      color="orange"
      c="light-dark(#a33a00, var(--mantine-color-orange-3))"
      tt="none"
      fw={600}
      leftSection={<Flame size={12} strokeWidth={2.4} aria-hidden />}
      title="Strong, fresh signals and a good fit: a score of 70 or more"
    >
      Hot
    </Badge>
  )
}
