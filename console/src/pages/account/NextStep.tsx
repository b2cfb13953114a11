import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { ScanSearch, Search, Undo2, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { DraftedMessage } from '../../components/DraftedMessage.tsx'
import { PageButton } from '../../components/links.tsx'
import { Markdown } from '../../components/Markdown.tsx'
import { RevealButton } from '../../components/RevealButton.tsx'
import { EventDate } from '../../components/time.tsx'
import { parseDraft } from '../../lib/message-draft.ts'
import { FIT } from '../../lib/score.ts'
import classes from './NextStep.module.css'
import { findRecipient } from './recipient.ts'
import {
  type AccountRecord,
  type Finding,
  useAccountActions,
  useAccountPeople,
  useAccountSearch,
  useScore,
  useSyncPeople,
} from './use-account.ts'

type Props = { account: AccountRecord; findings: readonly Finding[]; isScanning: boolean }

/** The recommended next step for the account. */
export function NextStep({ account, findings, isScanning }: Props) {
  const { owns, activates } = useRights()
  const { activate, reject, suggestAgain, scan } = useAccountActions(account)
  const isTheirs = owns(account.owner_id)
  const score = useScore(account.id)
  const strongest = strongestFinding(findings, score.data?.data.components ?? [])
  const reason = account.why_now_md ? (
    <Markdown>{account.why_now_md}</Markdown>
  ) : (
    strongest && <LatestEvent finding={strongest} />
  )
  const activateButton = activates(account.owner_id) && (
    <Button loading={activate.isPending} onClick={() => activate.mutate()}>
      Activate
    </Button>
  )
  const scanButton = isTheirs && !isScanning && (
    <Button
      variant="default"
      leftSection={<ScanSearch size={15} aria-hidden />}
      loading={scan.isPending}
      onClick={() => scan.mutate()}
    >
      Scan now
    </Button>
  )

  // The score decides which finding is strongest, so nothing is shown before it has loaded.
  if (score.isPending) return null
  switch (account.status) {
    case 'suggested':
      return (
        <Panel
          title="Review this suggestion"
          actions={
            <>
              {activateButton}
              {isTheirs && (
                <Button variant="default" loading={reject.isPending} onClick={() => reject.mutate()}>
                  Reject
                </Button>
              )}
            </>
          }
        >
          {reason}
          <Text size="sm" c="dimmed">
            Activating starts research and monitoring and uses 1 activation from your plan.
          </Text>
          {account.domain === null && <NoDomain />}
        </Panel>
      )
    case 'new':
      return (
        <Panel
          title="Research this company"
          actions={
            <>
              {scanButton}
              {activateButton}
            </>
          }
        >
          <Text size="sm" c="dimmed">
            {account.last_scanned_at
              ? 'Not enough data to qualify this company. Activate it to monitor it, or add details with Edit details.'
              : 'Not scanned yet. A scan checks its website and the news; activating also monitors it.'}
          </Text>
        </Panel>
      )
    case 'unqualified':
    case 'rejected':
      return (
        <Panel
          title={account.status === 'rejected' ? 'Rejected' : 'Unqualified'}
          actions={
            <>
              {account.status === 'unqualified' && activateButton}
              {isTheirs && (
                <Button
                  variant="default"
                  leftSection={<Undo2 size={15} aria-hidden />}
                  loading={suggestAgain.isPending}
                  onClick={() => suggestAgain.mutate()}
                >
                  {account.status === 'rejected' ? 'Move to Suggested' : 'Suggest anyway'}
                </Button>
              )}
            </>
          }
        >
          {reason}
          <Text size="sm" c="dimmed">
            {account.status === 'rejected'
              ? 'This account is not monitored and won’t be suggested again.'
              : (account.unqualified_reason ?? 'This company does not match your ideal customer profile.')}
          </Text>
        </Panel>
      )
    case 'active':
      if (strongest) return <ReachOut account={account} finding={strongest} />
      return (
        <Panel title={account.last_scanned_at ? 'No action needed' : 'Scan this account'} actions={scanButton}>
          <Text size="sm" c="dimmed">
            {account.last_scanned_at
              ? 'No recent signals. You will get an alert when there is a new one.'
              : isScanning
                ? 'Scan in progress…'
                : 'A scan checks the website, job boards, filings and news.'}
          </Text>
        </Panel>
      )
  }
}

/** Explains what is unavailable without a domain. */
function NoDomain() {
  return (
    <Text size="sm">
      No domain: the website can’t be monitored and email addresses can’t be found. Add the domain with Edit details.
    </Text>
  )
}

function Panel({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" className={classes.panel} component="section" aria-labelledby="next">
      <Stack gap="sm">
        <div>
          <Text size="xs" c="dimmed" fw={600}>
            Next step
          </Text>
          <Title order={2} id="next">
            {title}
          </Title>
        </div>
        {children}
        {actions && <Group gap="xs">{actions}</Group>}
      </Stack>
    </Paper>
  )
}

function LatestEvent({ finding }: { finding: Finding }) {
  return (
    <Text size="sm">
      {finding.headline}
      <Text span size="sm" c="dimmed">
        {' · '}
        <EventDate of={finding} />
      </Text>
    </Text>
  )
}

/** The number of people among which the recipient is chosen. */
const MAX_PEOPLE = 100

/** The recipient, the reason and the drafted message. */
function ReachOut({ account, finding }: { account: AccountRecord; finding: Finding }) {
  const { owns } = useRights()
  const [, go] = useAccountSearch()
  const people = useAccountPeople(account.id, 1, MAX_PEOPLE)
  const sync = useSyncPeople(account)
  const draft = finding.drafted_message_md
  const known = people.data?.data ?? []
  const { person, role } = findRecipient(known, finding.personas, draft ? parseDraft(draft) : null)
  const canSearch = people.isSuccess && owns(account.owner_id)
  const load = (
    <Button
      variant="default"
      leftSection={<Users size={15} aria-hidden />}
      loading={sync.isPending}
      onClick={() => sync.mutate()}
    >
      Load people
    </Button>
  )
  return (
    <Panel
      title={person ? `Write to ${[person.full_name, person.title].filter(Boolean).join(', ')}` : `Write to ${role}`}
    >
      {person && (
        <Group gap="xs">
          <RevealButton person={person} what="email" />
          <Button size="compact-xs" variant="subtle" onClick={() => go({ tab: 'people' })}>
            Choose someone else
          </Button>
        </Group>
      )}
      {!person && canSearch && (
        <Stack gap={6}>
          <Text size="sm" c="dimmed">
            {known.length > 0
              ? 'No contact matches the recipient of this message.'
              : 'No contacts at this account yet.'}
          </Text>
          <Group gap="xs">
            {known.length === 0 && load}
            <PageButton
              to="/people/{-$id}"
              params={{ id: undefined }}
              search={{ view: 'find', ask: finding.personas.join(' or ') || undefined, at: [account.id] }}
              variant="default"
              leftSection={<Search size={15} aria-hidden />}
            >
              Find people
            </PageButton>
          </Group>
        </Stack>
      )}
      {account.why_now_md ? <Markdown>{account.why_now_md}</Markdown> : <LatestEvent finding={finding} />}
      {draft && <DraftedMessage markdown={draft} to={person} />}
    </Panel>
  )
}

type Part = Schemas['AccountScore']['components'][number]

/** The finding with the most score points; the newest if several are equal or there is no score yet. */
function strongestFinding(findings: readonly Finding[], parts: readonly Part[]): Finding | undefined {
  const [most] = parts.filter(({ name }) => name !== FIT).toSorted((a, b) => b.points - a.points)
  const ofSignal = findings.filter(({ signal_id }) => signal_id === most?.name)
  return ofSignal.find(({ alpha }) => most?.because.startsWith(`strength ${alpha} of`)) ?? ofSignal[0] ?? findings[0]
}
