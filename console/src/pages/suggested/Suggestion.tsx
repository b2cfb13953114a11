import { ActionIcon, Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, ChevronLeft, ChevronRight, ExternalLink, UserCheck, X } from 'lucide-react'
import { useActivations } from '../../api/activations.ts'
import { queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { HotBadge } from '../../components/AccountBadges.tsx'
import { FindingCard } from '../../components/FindingCard.tsx'
import { Firmographics } from '../../components/Firmographics.tsx'
import { SafeLink } from '../../components/links.tsx'
import { useSignals } from '../../components/signals.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { WhyNow } from '../../components/WhyNow.tsx'
import { pluralize } from '../../lib/format.ts'
import { FIT, FIT_LABEL, scoreReasons } from '../../lib/score.ts'
import classes from './suggested.module.css'
import type { Triage } from './use-triage.ts'

type Props = {
  account: Schemas['ListedAccount']
  /** `3 of 24`. */
  place: string
  triage: Triage
}

/** A suggested account with its reasons and the actions Activate and Reject. */
export function Suggestion({ account, place, triage }: Props) {
  const { id, name, domain } = account
  const { owns, activates } = useRights()
  const { usedUp } = useActivations()
  const full = queries.useQuery('get', '/v1/accounts/{id}', { params: { path: { id } } })
  const reason = full.data?.data.suggestion_reason
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Title order={2}>{name}</Title>
            {account.is_hot && <HotBadge />}
          </Group>
          <Group gap="2px 16px">
            {domain && (
              <SafeLink to={`https://${domain}`} size="sm" underline="always">
                {domain}
              </SafeLink>
            )}
            <Firmographics account={account} />
          </Group>
        </div>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" hiddenFrom="sm" style={{ whiteSpace: 'nowrap' }}>
            {place}
          </Text>
          <ActionIcon variant="default" aria-label="Previous suggestion" onClick={() => triage.move(-1)}>
            <ChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Next suggestion" onClick={() => triage.move(1)}>
            <ChevronRight size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {account.short_description && <Text size="sm">{account.short_description}</Text>}
      {reason && (
        <Alert variant="light" color="bell" icon={<UserCheck size={18} aria-hidden />} title="Why suggested">
          {reason}
        </Alert>
      )}
      <Findings id={id} fits={account.qualified} />
      <Reasons id={id} score={account.score} />
      <Group className={classes.actions} gap="xs">
        {activates(account.owner_id) && (
          <Button
            leftSection={<Check size={16} aria-hidden />}
            disabled={usedUp !== undefined}
            onClick={() => triage.decide('activate')}
          >
            Activate
          </Button>
        )}
        {owns(account.owner_id) && (
          <Button variant="default" leftSection={<X size={16} aria-hidden />} onClick={() => triage.decide('reject')}>
            Reject
          </Button>
        )}
        <Button
          variant="subtle"
          leftSection={<ExternalLink size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/accounts/$id" params={{ id }} {...props} />}
        >
          Open
        </Button>
        {usedUp && activates(account.owner_id) && <Text size="sm">{usedUp}</Text>}
      </Group>
    </Stack>
  )
}

/** The findings of the account. */
function Findings({ id, fits }: { id: string; fits: boolean }) {
  const { nameOf } = useSignals()
  const found = queries.useQuery('get', '/v1/accounts/{id}/signals', {
    params: { path: { id }, query: { present: true } },
  })
  if (found.isPending) return <Loading lines={4} />
  if (found.isError) return <ErrorMessage error={found.error} retry={found.refetch} />
  const findings = found.data.data
  if (findings.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No findings yet. Activate it to research and monitor it.
      </Text>
    )
  }
  return (
    <section aria-label="Why suggested">
      <Title order={3} mb={4}>
        {pluralize(findings.length, 'finding')}
      </Title>
      {findings.length > 1 && <WhyNow findings={findings} fits={fits} />}
      {findings.map((finding) => (
        <FindingCard key={finding.id} accountId={id} finding={finding} signalName={nameOf(finding.signal_id)} />
      ))}
    </section>
  )
}

/** The components of the score. */
function Reasons({ id, score }: { id: string; score: number }) {
  const { data } = queries.useQuery('get', '/v1/accounts/{id}/score', { params: { path: { id } } })
  const { nameOf } = useSignals()
  const parts = (data?.data.components ?? []).toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points))
  if (parts.length === 0) return null
  return (
    <section aria-label="Score">
      <Title order={3} mb={4}>
        Score {score} / 100
      </Title>
      <ul className={classes.reasons}>
        {parts.map(({ name, points, because }) => (
          <li key={name + because}>
            <span className={classes.points}>{points > 0 ? `+${Math.round(points)}` : Math.round(points)}</span>
            <span>
              {name === FIT ? FIT_LABEL : nameOf(name)}
              <Text size="xs" c="dimmed">
                {scoreReasons(because).join(' · ')}
              </Text>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
