import { Badge } from '@mantine/core'
import { Flame } from 'lucide-react'
import type { CSSProperties } from 'react'
import type { Schemas } from '../api/client.ts'
import { relationshipLabel } from '../lib/relationships.ts'
import classes from './AccountBadges.module.css'

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

/** The status of an account; the tooltip explains it. Plain elements with the look of a light Badge, which takes longer to render. */
export function AccountStatusBadge({ status }: { status: Status }) {
  const { label, color, about } = STATUSES[status]
  const style = {
    '--badge-bg': `var(--mantine-color-${color}-light)`,
    '--badge-color': READABLE[status] ?? `var(--mantine-color-${color}-light-color)`,
  }
  return (
    <div className={`${Badge.classes.root} ${classes.badge}`} style={style as CSSProperties} title={about}>
      <span className={Badge.classes.label}>{label}</span>
    </div>
  )
}

/** The display name of a status. */
export const accountStatusLabel = (status: Status): string => STATUSES[status].label

/** The statuses for a select. */
export const accountStatusOptions = Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))

type Relationship = Schemas['ListedAccount']['relationship']

const RELATIONSHIP_STYLES: Record<Exclude<Relationship, 'none'>, { color: string; about: string }> = {
  customer: { color: 'teal', about: 'A customer in your CRM' },
  open_deal: { color: 'blue', about: 'Your CRM has an open deal' },
  lost_deal: { color: 'gray', about: 'The last deal in your CRM was lost' },
  former_customer: { color: 'gray', about: 'A former customer in your CRM' },
}

/** What the CRM says about an account; nothing where it says nothing. */
export function RelationshipBadge({ relationship }: { relationship: Relationship }) {
  if (relationship === 'none') return null
  const { color, about } = RELATIONSHIP_STYLES[relationship]
  return (
    <Badge variant="outline" color={color} c={READABLE_RELATIONSHIP[color]} tt="none" fw={600} title={about}>
      {relationshipLabel(relationship)}
    </Badge>
  )
}

/** The text of an outlined badge in these colors has too little contrast. */
const READABLE_RELATIONSHIP: Record<string, string> = {
  teal: 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-3))',
  blue: 'light-dark(var(--mantine-color-blue-8), var(--mantine-color-blue-3))',
  gray: 'light-dark(var(--mantine-color-gray-8), var(--mantine-color-gray-4))',
}

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
