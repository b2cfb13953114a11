import { Link } from '@tanstack/react-router'
import { lazy, memo, Suspense, useId, useState } from 'react'
import { useRights } from '../../api/me.ts'
import { AccountStatusBadge, HotBadge } from '../../components/AccountBadges.tsx'
import { FindingCard } from '../../components/FindingCard.tsx'
import { Loading } from '../../components/states.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import classes from './Feed.module.css'
import type { FeedGroup as AccountFindings } from './groups.ts'

const Markdown = lazy(() => import('../../components/Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })))

type Props = {
  group: AccountFindings
  nameOf: (signalId: string) => string
  ownerName: string | undefined
}

/** The findings of one account on one day. Memoized, so that loading more pages does not render it again. */
export const AccountGroup = memo(function AccountGroup({ group: { account, findings }, nameOf, ownerName }: Props) {
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const { owns } = useRights()
  const { id, name, domain, score, is_hot, status, tags } = account
  const others = otherSignals(account.why_now_md ?? '', findings)
  return (
    <section className={classes.account} aria-label={name}>
      <div className={classes.header}>
        <span className={classes.initials} aria-hidden>
          {initialsOf(name)}
        </span>
        <div className={classes.who}>
          <div className={classes.called}>
            <h3 className={classes.name}>
              <Link to="/accounts/$id" params={{ id }} className={classes.link}>
                {name}
              </Link>
            </h3>
            {is_hot && <HotBadge />}
            {status !== 'active' && <AccountStatusBadge status={status} />}
          </div>
          <p className={classes.about}>
            {[domain, ownerName && `Owner: ${ownerName}`, ...tags.map((tag) => `#${tag}`)]
              .filter(Boolean)
              .join('  ·  ')}
          </p>
        </div>
        <span className={classes.score} title="Score out of 100">
          <span className={classes.hidden}>Score </span>
          {score}
        </span>
        {others && (
          <Toggle isOpen={isOpen} panel={panel} label={`Why now: ${name}`} onClick={() => setOpen(!isOpen)}>
            <span className={classes.roomy}>Why now</span>
          </Toggle>
        )}
      </div>
      {isOpen && others && (
        <div className={classes.why} id={panel}>
          <Suspense fallback={<Loading lines={2} />}>
            <Markdown top={4}>{others}</Markdown>
          </Suspense>
        </div>
      )}
      {findings.map((finding) => (
        <FindingCard
          key={finding.id}
          accountId={id}
          finding={finding}
          signalName={nameOf(finding.signal_id)}
          mayEdit={owns(account.owner_id)}
        />
      ))}
    </section>
  )
}, isSame)

/** The lines of the "why now" text about other findings than those shown below it. */
function otherSignals(whyNow: string, findings: AccountFindings['findings']): string {
  const isShown = (line: string) =>
    findings.some(
      ({ headline, evidence }) =>
        (headline && line.includes(headline)) ||
        evidence.some(({ source_url }) => source_url && line.includes(source_url)),
    )
  return whyNow
    .split('\n')
    .filter((line) => line.startsWith('- ') && !isShown(line))
    .join('\n')
}

function isSame(before: Props, now: Props): boolean {
  const [old, { account, findings }] = [before.group, now.group]
  const isSameOwner = before.ownerName === now.ownerName && before.nameOf === now.nameOf
  return (
    isSameOwner &&
    old.account === account &&
    old.findings.length === findings.length &&
    old.findings.every((one, at) => one === findings[at])
  )
}

/** `LF` for Ledgermoor Finance. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? '')].slice(0, 2)
  return letters.join('').toUpperCase()
}
