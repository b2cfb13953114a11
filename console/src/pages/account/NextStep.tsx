import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Check, ScanSearch, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useActivations } from '../../api/activations.ts'
import { useRights } from '../../api/me.ts'
import type { WorkItem } from '../../api/work-items.ts'
import { CrmReasons } from '../../components/CrmReasons.tsx'
import { DraftedMessage } from '../../components/DraftedMessage.tsx'
import { ItemState } from '../../components/ItemState.tsx'
import { SnoozeButton } from '../../components/SnoozeButton.tsx'
import { RelativeDay } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { WhyNow } from '../../components/WhyNow.tsx'
import { WorkItemContact } from '../../components/WorkItemContact.tsx'
import { localDay } from '../../lib/days.ts'
import { close, contact, reopen, snooze, type WorkAction } from '../../lib/work-actions.ts'
import classes from './NextStep.module.css'
import {
  type AccountRecord,
  type Finding,
  useAccountActions,
  useAccountSearch,
  useRefreshAccount,
  useWorkItem,
} from './use-account.ts'

type Props = { account: AccountRecord; findings: readonly Finding[]; isScanning: boolean }

/** The recommended next step for the account. */
export function NextStep({ account, findings, isScanning }: Props) {
  const { owns, activates } = useRights()
  const { activate, reject, suggestAgain, scan } = useAccountActions(account)
  const { left, usedUp } = useActivations()
  const isTheirs = owns(account.owner_id)
  const work = useWorkItem(account.id)
  const reason = <WhyNow findings={findings} fits={account.qualified} />
  const activateButton = activates(account.owner_id) && (
    <Button loading={activate.isPending} disabled={usedUp !== undefined} onClick={() => activate.mutate()}>
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
            {usedUp ?? `Activating starts research and monitoring${left === null ? '' : ' and uses 1 activation'}.`}
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
            {account.import && `Imported${account.import.file_name ? ` from ${account.import.file_name}` : ''}. `}
            {account.last_scanned_at
              ? 'Not enough data to qualify this company. Activate it to monitor it, or add details with Edit details.'
              : 'Not scanned yet. A scan checks its website and the news; activating also monitors it.'}{' '}
            {usedUp}
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
                  {account.status === 'unqualified'
                    ? 'Suggest anyway'
                    : `Move to ${account.source === 'import' || account.source === 'crm' ? 'New' : 'Suggested'}`}
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
      if (work.isPending) return null
      if (work.item) return <ReachOut account={account} item={work.item} findings={findings} />
      return (
        <Panel title={account.last_scanned_at ? 'No action needed' : 'Scan this account'} actions={scanButton}>
          {reason}
          <Text size="sm" c="dimmed">
            {account.last_scanned_at
              ? 'There is nothing to contact them about. New findings appear here and in Today.'
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

type PanelProps = { title: string; label?: string; actions?: ReactNode; children: ReactNode }

function Panel({ title, label = 'Next step', actions, children }: PanelProps) {
  return (
    <Paper withBorder p="md" className={classes.panel} component="section" aria-labelledby="next">
      <Stack gap="sm">
        <div>
          <Text size="xs" c="dimmed" fw={600}>
            {label}
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

const STATES = { open: 'Next step', snoozed: 'Snoozed', done: 'Done' } as const

/** Whom to contact about what, with the draft, and what was done about it. */
function ReachOut({ account, item, findings }: Omit<Props, 'isScanning'> & { item: WorkItem }) {
  const { owns } = useRights()
  const refresh = useRefreshAccount()
  const [, go] = useAccountSearch()
  const [isSnoozing, setSnoozing] = useState(false)
  const run = useMutation({
    mutationFn: (action: WorkAction) => action.send(),
    onSuccess: async (_item, action) => {
      await refresh()
      toastSuccess(action.said, () => action.undo().finally(refresh), [action.item.id])
    },
    onError: (error, action) => {
      toastError(action.failed, error)
      return refresh()
    },
  })
  const { person, state, events, draft } = item
  const [lead] = events
  const addressee = person ?? (draft?.full_name ? draft : null)
  const mayAct = owns(account.owner_id)
  const isOpen = state === 'open'
  // A draft that was just used may be needed again, for its subject.
  const showsDraft = state !== 'done' || localDay(new Date(item.changed_at ?? 0)) === localDay(new Date())
  const button = { size: 'xs', variant: 'default', disabled: run.isPending } as const
  return (
    <Panel
      label={STATES[state]}
      title={
        addressee
          ? `Write to ${[addressee.full_name, addressee.title].filter(Boolean).join(', ')}`
          : 'Find someone to write to'
      }
      actions={
        mayAct &&
        (isOpen ? (
          <>
            <Button
              {...button}
              leftSection={<Check size={14} aria-hidden />}
              onClick={() => run.mutate(close(item, 'contacted'))}
            >
              Done
            </Button>
            <SnoozeButton
              isOpen={isSnoozing}
              onToggle={setSnoozing}
              onSnooze={(until) => {
                setSnoozing(false)
                run.mutate(snooze(item, until))
              }}
            />
            <Button {...button} variant="subtle" color="gray" onClick={() => run.mutate(close(item, 'not_relevant'))}>
              Not relevant
            </Button>
            <Button {...button} variant="subtle" color="gray" onClick={() => run.mutate(close(item, 'wrong'))}>
              Wrong
            </Button>
          </>
        ) : (
          <Button {...button} leftSection={<Undo2 size={14} aria-hidden />} onClick={() => run.mutate(reopen(item))}>
            Move to queue
          </Button>
        ))
      }
    >
      {!isOpen && (
        <Text size="sm">
          <ItemState item={item} />
        </Text>
      )}
      <Group gap="xs">
        <WorkItemContact item={item} onCall={mayAct ? () => run.mutate(contact(item, 'called')) : undefined} />
        {person && (
          <Button size="compact-xs" variant="subtle" onClick={() => go({ tab: 'people' })}>
            Choose another person
          </Button>
        )}
      </Group>
      {isOpen && <CrmReasons item={item} />}
      {findings.length > 0 ? (
        <WhyNow findings={findings} fits={account.qualified} />
      ) : (
        lead && (
          <Text size="sm">
            {lead.headline}
            <Text span size="sm" c="dimmed">
              {' · '}
              <RelativeDay on={lead.happened_on} />
            </Text>
          </Text>
        )
      )}
      {showsDraft && (
        <DraftedMessage
          drafted={item}
          of={mayAct && lead ? { accountId: account.id, detectionId: lead.id } : undefined}
          email={person?.email}
          onUse={mayAct ? (kind) => run.mutate(contact(item, kind)) : undefined}
        />
      )}
    </Panel>
  )
}
