import { Button, Paper, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ApiError, type Schemas } from '../../api/client.ts'
import { Page } from '../../components/Page.tsx'
import { PushDialog } from '../../components/PushDialog.tsx'
import { RunProgress } from '../../components/RunProgress.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { About } from './About.tsx'
import classes from './Account.module.css'
import { AccountHeader } from './AccountHeader.tsx'
import { AccountPeople } from './AccountPeople.tsx'
import { Actions } from './Actions.tsx'
import { CompanyStructure } from './CompanyStructure.tsx'
import { CrmCard } from './Crm.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { EditDialog } from './EditDialog.tsx'
import { Findings } from './Findings.tsx'
import { Hiring } from './Hiring.tsx'
import { LastScanAlert } from './LastScanAlert.tsx'
import { NextStep } from './NextStep.tsx'
import { Scans } from './Scans.tsx'
import { ScoreCard } from './ScoreCard.tsx'
import { ACCOUNT_TABS, type AccountTab } from './search.ts'
import { Timeline } from './Timeline.tsx'
import {
  type AccountRecord,
  useAccount,
  useAccountId,
  useAccountPeople,
  useAccountRuns,
  useAccountSearch,
  useFindings,
  useRefreshAccount,
} from './use-account.ts'

export function Account() {
  const account = useAccount(useAccountId())
  if (account.data && !account.isError) return <AccountDetails account={account.data.data} />
  if (account.isPending) {
    return (
      <Page title="Account" wide lead={<Skeleton height={18} width={320} mt={8} />}>
        <Loading lines={10} />
      </Page>
    )
  }
  const isGone = account.error instanceof ApiError && [400, 404].includes(account.error.status)
  return (
    <Page title="Account">
      {isGone ? (
        <EmptyState
          icon={Building2}
          title="Account not found"
          action={
            <Button component={Link} to="/accounts" variant="default">
              Go to accounts
            </Button>
          }
        >
          It may have been deleted, or the URL is incomplete.
        </EmptyState>
      ) : (
        <ErrorMessage error={account.error} retry={account.refetch} />
      )}
    </Page>
  )
}

const LABELS: Record<AccountTab, string> = {
  findings: 'Findings',
  timeline: 'Timeline',
  people: 'People',
  runs: 'Scans',
}

function AccountDetails({ account }: { account: AccountRecord }) {
  const [{ tab = 'findings', open }, go] = useAccountSearch()
  const signals = useFindings(account.id)
  const people = useAccountPeople(account.id)
  const runs = useAccountRuns(account.id)
  const findings = (signals.data?.data ?? []).filter(({ signal_present }) => signal_present)
  const running = runs.data?.data.find(({ status }) => status === 'running')
  useScanEnd(runs.data?.data)
  const counts: Partial<Record<AccountTab, number>> = {
    findings: findings.length,
    people: people.data?.pagination.total ?? 0,
  }
  const close = () => go({ open: undefined })
  return (
    <Page title={account.name} wide lead={<AccountHeader account={account} />} actions={<Actions account={account} />}>
      <div className={classes.layout}>
        <div className={classes.main}>
          <Stack gap="md" className={classes.now}>
            {running && (
              <Paper withBorder p="md" component="section" aria-labelledby="running">
                <Title order={2} id="running" mb="xs">
                  Scan in progress
                </Title>
                <RunProgress id={running.id} />
              </Paper>
            )}
            <LastScanAlert account={account} />
            {signals.isSuccess && <NextStep account={account} findings={findings} isScanning={running !== undefined} />}
          </Stack>
          <Tabs
            className={classes.tabs}
            value={tab}
            onChange={(chosen) =>
              go({ tab: ACCOUNT_TABS.find((one) => one === chosen && one !== 'findings'), page: undefined })
            }
            keepMounted={false}
          >
            <Tabs.List mb="md">
              {ACCOUNT_TABS.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {LABELS[name]}
                  {counts[name] ? (
                    <Text span size="sm" c="dimmed" ml={6}>
                      {counts[name]}
                    </Text>
                  ) : null}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="findings">
              <Findings account={account} />
            </Tabs.Panel>
            <Tabs.Panel value="timeline">
              <Timeline account={account} findings={findings} />
            </Tabs.Panel>
            <Tabs.Panel value="people">
              <AccountPeople account={account} />
            </Tabs.Panel>
            <Tabs.Panel value="runs">
              <Scans account={account} />
            </Tabs.Panel>
          </Tabs>
        </div>
        <div className={classes.aside}>
          <div className={classes.score}>
            <ScoreCard account={account} />
          </div>
          <div className={classes.about}>
            <Stack gap="md">
              <CrmCard account={account} />
              <Hiring account={account} />
              <About account={account} />
              <CompanyStructure account={account} />
            </Stack>
          </div>
        </div>
      </div>
      {open === 'edit' && <EditDialog account={account} onClose={close} />}
      {open === 'push' && <PushDialog records={{ accounts: [account.id] }} name={account.name} onClose={close} />}
      {open === 'delete' && <DeleteDialog account={account} findings={findings} onClose={close} />}
    </Page>
  )
}

/** Refetches the account when a scan ends. */
function useScanEnd(runs: readonly Schemas['Run'][] | undefined): void {
  const refresh = useRefreshAccount()
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (!runs) return
    const ended = runs.filter(({ status }) => status !== 'running')
    // Also covers a scan that ended between two polls.
    const now = known.current && ended.find(({ id }) => !known.current?.has(id))
    known.current = new Set(ended.map(({ id }) => id))
    if (!now) return
    refresh()
    if (now.status === 'done') toastSuccess('Scan completed')
  }, [runs, refresh])
}
