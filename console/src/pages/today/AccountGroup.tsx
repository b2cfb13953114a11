import { ActionIcon, Avatar, Badge, Collapse, Group, Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleHelp } from 'lucide-react'
import { memo, useId, useState } from 'react'
import { HotBadge, StatusBadge } from '../../components/AccountBadges.tsx'
import { FindingCard } from '../../components/FindingCard.tsx'
import { Markdown } from '../../components/Markdown.tsx'
import classes from './Feed.module.css'
import type { Group as AccountFindings } from './groups.ts'

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
        <Avatar size={34} radius="md" color="initials" name={name} aria-hidden />
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
        <Tooltip label="How strong its signals are and how well it fits, of 100">
          <Badge variant="default" size="lg" tt="none" fw={600} aria-label={`Score ${score} of 100`}>
            {score}
          </Badge>
        </Tooltip>
        {why_now_md && (
          <Tooltip label="Why now">
            <ActionIcon
              variant={isOpen ? 'light' : 'subtle'}
              color="gray"
              aria-label={`Why now: ${name}`}
              aria-expanded={isOpen}
              aria-controls={panel}
              onClick={() => setOpen(!isOpen)}
            >
              <CircleHelp size={17} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Collapse expanded={isOpen} id={panel}>
        {isOpen && why_now_md && (
          <div className={classes.why}>
            <Markdown top={4}>{why_now_md}</Markdown>
          </div>
        )}
      </Collapse>
      {findings.map((finding) => (
        <FindingCard key={finding.id} accountId={id} finding={finding} signalName={nameOf(finding.signal_id)} />
      ))}
    </section>
  )
})
