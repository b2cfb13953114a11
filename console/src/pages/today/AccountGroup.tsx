import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, memo, Suspense, useId, useState } from 'react'
import { HotBadge, StatusBadge } from '../../components/AccountBadges.tsx'
import { FindingCard } from '../../components/FindingCard.tsx'
import { Loading } from '../../components/states.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import classes from './Feed.module.css'
import type { Group as AccountFindings } from './groups.ts'

const Markdown = lazy(() => import('../../components/Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })))

type Props = {
  group: AccountFindings
  count: number
  nameOf: (signalId: string) => string
  ownerName: string | undefined
}

/** What was found at one account on one day. `count` is how many findings there are, so that more of them are drawn anew. */
export const AccountGroup = memo(function AccountGroup({ group: { account, findings }, nameOf, ownerName }: Props) {
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const { id, name, domain, score, is_hot, status, tags, why_now_md } = account
  return (
    <section className={classes.account} aria-label={name}>
      <Group gap="sm" wrap="nowrap" align="center">
        <span className={classes.initials} aria-hidden>
          {initialsOf(name)}
        </span>
        <div className={classes.who}>
          <Group gap={8} wrap="nowrap">
            <h3 className={classes.name}>
              <Link to="/accounts/$id" params={{ id }} className={classes.link}>
                {name}
              </Link>
            </h3>
            {is_hot && <HotBadge />}
            {status !== 'active' && <StatusBadge status={status} />}
          </Group>
          <Text size="xs" c="dimmed" truncate>
            {[domain, ownerName && `with ${ownerName}`, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join('  ·  ')}
          </Text>
        </div>
        <span className={classes.score} title="How strong its signals are and how well it fits, of 100">
          <span className={classes.hidden}>Score </span>
          {score}
        </span>
        {why_now_md && (
          <Toggle isOpen={isOpen} panel={panel} about={`Why now: ${name}`} onClick={() => setOpen(!isOpen)}>
            <span className={classes.roomy}>Why now</span>
          </Toggle>
        )}
      </Group>
      {isOpen && why_now_md && (
        <div className={classes.why} id={panel}>
          <Suspense fallback={<Loading lines={2} />}>
            <Markdown top={4}>{why_now_md}</Markdown>
          </Suspense>
        </div>
      )}
      {findings.map((finding) => (
        <FindingCard key={finding.id} accountId={id} finding={finding} signalName={nameOf(finding.signal_id)} />
      ))}
    </section>
  )
})

/** `LF` for Ledgermoor Finance. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? '')].slice(0, 2)
  return letters.join('').toUpperCase()
}
