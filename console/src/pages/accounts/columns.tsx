import { Avatar, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Flame } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../components/AccountBadges.tsx'
import { count } from '../../components/numbers.ts'
import { When } from '../../components/When.tsx'
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
    <Text size="sm" c="dimmed" aria-label="not known">
      –
    </Text>
  )

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
      <Text size="sm" c={last_signal_at ? undefined : 'dimmed'} className={classes.oneLine}>
        <When at={last_signal_at} empty="none yet" />
      </Text>
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
      <Text size="sm" className={classes.oneLine}>
        <When at={created_at} />
      </Text>
    ),
  },
]

/** 0 to 100 as a number and a bar; hot ones have a flame. */
export function Score({ score, isHot }: { score: number; isHot: boolean }) {
  return (
    <Group gap={8} wrap="nowrap" justify="flex-end">
      {isHot && <Flame size={14} strokeWidth={2.4} color="var(--mantine-color-orange-6)" role="img" aria-label="hot" />}
      <Text size="sm" fw={600} className={classes.number}>
        {score}
      </Text>
      <span className={classes.bar} aria-hidden>
        <span style={{ width: `${score}%` }} />
      </span>
    </Group>
  )
}

const MOST_TAGS = 2

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return quiet(null)
  return (
    <Group gap={4} wrap="nowrap" title={tags.join(', ')}>
      {tags.slice(0, MOST_TAGS).map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
        </span>
      ))}
      {tags.length > MOST_TAGS && (
        <Text size="xs" c="dimmed">
          +{tags.length - MOST_TAGS}
        </Text>
      )}
    </Group>
  )
}

/** Name and domain, leading to the account. */
export function Company({ account: { id, name, domain } }: { account: Pick<ListedAccount, 'id' | 'name' | 'domain'> }) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0} flex={1}>
      <Avatar size={30} radius="sm" color="gray" aria-hidden>
        {initials(name)}
      </Avatar>
      <div className={classes.company}>
        <Link to="/accounts/$id" params={{ id }} className={classes.name} title={name}>
          {name}
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {domain ?? 'no domain'}
        </Text>
      </div>
    </Group>
  )
}

export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return (words.length > 1 ? `${words[0]?.[0]}${words[1]?.[0]}` : (words[0]?.slice(0, 2) ?? '?')).toUpperCase()
}
