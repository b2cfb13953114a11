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

/** What to do with this account now, and why. */
export function NextStep({ account, findings, isScanning }: Props) {
  const { owns, activates } = useRights()
  const { activate, reject, takeBack, scan } = useAccountActions(account)
  const isTheirs = owns(account.owner_id)
  const score = useScore(account.id)
  const strongest = strongestFinding(findings, score.data?.data.components ?? [])
  const happened = account.why_now_md ? (
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

  // Which of its findings counts most is in the score: no message is shown only to be taken back.
  if (score.isPending) return null
  switch (account.status) {
    case 'suggested':
      return (
        <Panel
          title="Is it worth following?"
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
          {happened}
          <Text size="sm" c="dimmed">
            Activating has it researched and watched from now on, and uses one activation of your plan.
          </Text>
          {account.domain === null && <NoDomain />}
        </Panel>
      )
    case 'new':
      return (
        <Panel
          title="Find out what kind of company it is"
          actions={
            <>
              {scanButton}
              {activateButton}
            </>
          }
        >
          <Text size="sm" c="dimmed">
            {account.last_scanned_at
              ? 'Too little is known to say whether it fits. Activate it to have it watched, or add what you know under Edit details.'
              : 'It was never looked at. A scan reads its site and the news; activating also watches it from now on.'}
          </Text>
        </Panel>
      )
    case 'unqualified':
    case 'rejected':
      return (
        <Panel
          title={account.status === 'rejected' ? 'Somebody decided against it' : 'It does not fit your ideal customer'}
          actions={
            <>
              {account.status === 'unqualified' && activateButton}
              {isTheirs && (
                <Button
                  variant="default"
                  leftSection={<Undo2 size={15} aria-hidden />}
                  loading={takeBack.isPending}
                  onClick={() => takeBack.mutate()}
                >
                  {account.status === 'rejected' ? 'Take it back' : 'Suggest it all the same'}
                </Button>
              )}
            </>
          }
        >
          {happened}
          <Text size="sm" c="dimmed">
            {account.status === 'rejected'
              ? 'It is not watched and not suggested again.'
              : `${account.unqualified_reason ?? 'What is known does not match your ideal customer.'} If you know better, activate it or suggest it all the same.`}
          </Text>
        </Panel>
      )
    case 'active':
      if (strongest) return <ReachOut account={account} finding={strongest} />
      return (
        <Panel title={account.last_scanned_at ? 'Nothing to act on now' : 'Have it researched'} actions={scanButton}>
          <Text size="sm" c="dimmed">
            {account.last_scanned_at
              ? 'No signal was found in the last months. It is watched: whatever is new is shown here and told.'
              : isScanning
                ? 'A scan is under way.'
                : 'A scan reads its site, job boards, filings and the news.'}
          </Text>
        </Panel>
      )
  }
}

/** What a company without a domain is left without. */
function NoDomain() {
  return (
    <Text size="sm">
      It has no domain: its web site cannot be read or watched, and email addresses of its people cannot be found. Add
      the domain under Edit details.
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

/** Among so many the one to write to is chosen. */
const MAX_PEOPLE = 100

/** Whom to write about what, with the words to send. */
function ReachOut({ account, finding }: { account: AccountRecord; finding: Finding }) {
  const { owns } = useRights()
  const [, go] = useAccountSearch()
  const people = useAccountPeople(account.id, 1, MAX_PEOPLE)
  const sync = useSyncPeople(account)
  const draft = finding.drafted_message_md
  const known = people.data?.data ?? []
  const { person, role } = findRecipient(known, finding.personas, draft ? parseDraft(draft) : null)
  const canLook = people.isSuccess && owns(account.owner_id)
  const load = (
    <Button
      variant="default"
      leftSection={<Users size={15} aria-hidden />}
      loading={sync.isPending}
      onClick={() => sync.mutate()}
    >
      Load who works there
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
            Somebody else
          </Button>
        </Group>
      )}
      {!person && canLook && (
        <Stack gap={6}>
          <Text size="sm" c="dimmed">
            {known.length > 0
              ? 'Nobody who is known there is the one whom this message is for.'
              : 'Nobody who works there is known yet.'}
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

/** The finding that counts most for the score now; of several that are as strong, and before anything is scored, the newest. */
function strongestFinding(findings: readonly Finding[], parts: readonly Part[]): Finding | undefined {
  const [most] = parts.filter(({ name }) => name !== FIT).toSorted((a, b) => b.points - a.points)
  const ofSignal = findings.filter(({ signal_id }) => signal_id === most?.name)
  return ofSignal.find(({ alpha }) => most?.because.startsWith(`strength ${alpha} of`)) ?? ofSignal[0] ?? findings[0]
}
