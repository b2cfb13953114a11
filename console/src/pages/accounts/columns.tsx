import { Link } from '@tanstack/react-router'
import { Flame } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../components/AccountBadges.tsx'
import { When } from '../../components/time.tsx'
import { count } from '../../lib/format.ts'
import classes from './accounts.module.css'

export type ListedAccount = Schemas['ListedAccount']

export type Column = {
  key: string
  label: string
  /** How the API sorts by it. */
  sort?: 'score' | 'last_signal_at' | 'created_at'
  numeric?: boolean
  /** Shown until somebody chooses otherwise. */
  usual?: boolean
  cell: (account: ListedAccount, ownerName: (id: string | null) => string | null) => ReactNode
}

const quiet = (text: string | null) =>
  text ? (
    <span className={classes.text} title={text}>
      {text}
    </span>
  ) : (
    <span className={classes.dimmed} role="img" aria-label="not known">
      –
    </span>
  )

/** Plain elements: a page has fifty rows of them, and each component of the library would cost a moment. */
export const COLUMNS: readonly Column[] = [
  { key: 'status', label: 'Status', usual: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'score',
    label: 'Score',
    sort: 'score',
    usual: true,
    numeric: true,
    cell: ({ score, is_hot }) => <Score score={score} isHot={is_hot} />,
  },
  {
    key: 'last_signal',
    label: 'Last signal',
    sort: 'last_signal_at',
    usual: true,
    cell: ({ last_signal_at }) => (
      <span className={`${classes.oneLine} ${last_signal_at ? '' : classes.dimmed}`}>
        <When at={last_signal_at} empty="none yet" />
      </span>
    ),
  },
  { key: 'industry', label: 'Industry', usual: true, cell: ({ industry }) => quiet(industry) },
  {
    key: 'employees',
    label: 'Employees',
    usual: true,
    numeric: true,
    cell: ({ employees }) => quiet(employees === null ? null : count(employees)),
  },
  { key: 'country', label: 'Country', usual: true, cell: ({ country }) => quiet(country) },
  { key: 'location', label: 'Location', cell: ({ location }) => quiet(location) },
  { key: 'owner', label: 'Owner', usual: true, cell: ({ owner_id }, ownerName) => quiet(ownerName(owner_id)) },
  { key: 'tags', label: 'Tags', usual: true, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    key: 'created',
    label: 'Added',
    sort: 'created_at',
    cell: ({ created_at }) => (
      <span className={classes.oneLine}>
        <When at={created_at} />
      </span>
    ),
  },
]

/** 0 to 100 as a number and a bar; hot ones have a flame. */
export function Score({ score, isHot }: { score: number; isHot: boolean }) {
  return (
    <div className={classes.score}>
      {isHot && <Flame size={14} strokeWidth={2.4} color="var(--mantine-color-orange-6)" role="img" aria-label="hot" />}
      <span className={classes.number}>{score}</span>
      <span className={classes.bar} aria-hidden>
        <span style={{ width: `${score}%` }} />
      </span>
    </div>
  )
}

const MOST_TAGS = 2

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return quiet(null)
  return (
    <div className={classes.tags} title={tags.join(', ')}>
      {tags.slice(0, MOST_TAGS).map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
        </span>
      ))}
      {tags.length > MOST_TAGS && <span className={classes.dimmed}>+{tags.length - MOST_TAGS}</span>}
    </div>
  )
}

/** Name and domain, leading to the account. */
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
        <span className={classes.domain}>{domain ?? 'no domain'}</span>
      </div>
    </div>
  )
}

export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return (words.length > 1 ? `${words[0]?.[0]}${words[1]?.[0]}` : (words[0]?.slice(0, 2) ?? '?')).toUpperCase()
}
