import { Link } from '@tanstack/react-router'
import { Flame } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { AccountStatusBadge, RelationshipBadge } from '../../components/AccountBadges.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { formatNumber } from '../../lib/format.ts'
import classes from './accounts.module.css'

export type ListedAccount = Schemas['ListedAccount']

export type Column = {
  key: string
  label: string
  /** The sort key of the API. */
  sort?: 'score' | 'last_signal_at' | 'created_at'
  numeric?: boolean
  /** Visible by default. */
  isDefault?: boolean
  cell: (account: ListedAccount, ownerName: (id: string | null) => string | null) => ReactNode
}

const textCell = (text: string | null) =>
  text ? (
    <span className={classes.text} title={text}>
      {text}
    </span>
  ) : (
    <span className={classes.dimmed} role="img" aria-label="Unknown">
      –
    </span>
  )

/** Plain HTML elements, because a page renders fifty rows and Mantine components are slower. */
export const COLUMNS: readonly Column[] = [
  {
    key: 'status',
    label: 'Status',
    isDefault: true,
    cell: ({ status, relationship }) => (
      <div className={classes.badges}>
        <AccountStatusBadge status={status} />
        <RelationshipBadge relationship={relationship} />
      </div>
    ),
  },
  {
    key: 'score',
    label: 'Score',
    sort: 'score',
    isDefault: true,
    numeric: true,
    cell: ({ score, is_hot }) => <ScoreBar score={score} isHot={is_hot} />,
  },
  {
    key: 'last_signal',
    label: 'Last signal',
    sort: 'last_signal_at',
    isDefault: true,
    cell: ({ last_signal_at }) => (
      <span className={`${classes.oneLine} ${last_signal_at ? '' : classes.dimmed}`}>
        <RelativeTime at={last_signal_at} empty="None" />
      </span>
    ),
  },
  { key: 'industry', label: 'Industry', isDefault: true, cell: ({ industry }) => textCell(industry) },
  {
    key: 'employees',
    label: 'Employees',
    isDefault: true,
    numeric: true,
    cell: ({ employees }) => textCell(employees === null ? null : formatNumber(employees)),
  },
  { key: 'country', label: 'Country', isDefault: true, cell: ({ country }) => textCell(country) },
  { key: 'location', label: 'Location', cell: ({ location }) => textCell(location) },
  { key: 'owner', label: 'Owner', isDefault: true, cell: ({ owner_id }, ownerName) => textCell(ownerName(owner_id)) },
  { key: 'tags', label: 'Tags', isDefault: true, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    key: 'created',
    label: 'Added',
    sort: 'created_at',
    cell: ({ created_at }) => (
      <span className={classes.oneLine}>
        <RelativeTime at={created_at} />
      </span>
    ),
  },
]

/** A score from 0 to 100 as a number and a bar, with a flame for hot accounts. */
export function ScoreBar({ score, isHot }: { score: number; isHot: boolean }) {
  return (
    <div className={classes.score}>
      {isHot && <Flame size={14} strokeWidth={2.4} color="var(--mantine-color-orange-6)" role="img" aria-label="Hot" />}
      <span className={classes.number}>{score}</span>
      <span className={classes.bar} aria-hidden>
        <span style={{ width: `${score}%` }} />
      </span>
    </div>
  )
}

const MAX_TAGS = 2

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return textCell(null)
  return (
    <div className={classes.tags} title={tags.join(', ')}>
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
        </span>
      ))}
      {tags.length > MAX_TAGS && <span className={classes.dimmed}>+{tags.length - MAX_TAGS}</span>}
    </div>
  )
}

/** Name and domain with a link to the account. */
export function Company({ account: { id, name, domain } }: { account: Pick<ListedAccount, 'id' | 'name' | 'domain'> }) {
  return (
    <div className={classes.identity}>
      <span className={classes.initials} aria-hidden>
        {initials(name)}
      </span>
      <div className={classes.company}>
        <Link to="/accounts/$id" params={{ id }} className={classes.name} title={name}>
          {name}
        </Link>
        <span className={classes.domain}>{domain ?? 'No domain'}</span>
      </div>
    </div>
  )
}

export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return (words.length > 1 ? `${words[0]?.[0]}${words[1]?.[0]}` : (words[0]?.slice(0, 2) ?? '?')).toUpperCase()
}
