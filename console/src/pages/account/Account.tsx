import { Alert, Button, Paper, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Building2, TriangleAlert } from 'lucide-react'
import { ApiError } from '../../api/client.ts'
import { Page } from '../../components/Page.tsx'
import { PushDialog } from '../../components/PushDialog.tsx'
import { RunProgress } from '../../components/RunProgress.tsx'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { About } from './About.tsx'
import classes from './Account.module.css'
import { Actions } from './Actions.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { EditDialog } from './EditDialog.tsx'
import { Findings } from './Findings.tsx'
import { Header } from './Header.tsx'
import { NextStep } from './NextStep.tsx'
import { People } from './People.tsx'
import { Runs } from './Runs.tsx'
import { Score } from './Score.tsx'
import { TABS, type Tab } from './search.ts'
import { Timeline } from './Timeline.tsx'
import {
  type AccountRecord,
  useAccount,
  useAccountId,
  useFindings,
  usePeople,
  usePlace,
  useRefresh,
  useRuns,
} from './use-account.ts'

export function Account() {
  const account = useAccount(useAccountId())
  if (account.data && !account.isError) return <Known account={account.data.data} />
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
        <Empty
          icon={Building2}
          title="This account is not there"
          action={
            <Button component={Link} to="/accounts" variant="default">
              All accounts
            </Button>
          }
        >
          Somebody may have deleted it, or the address is not complete.
        </Empty>
      ) : (
        <Failed error={account.error} retry={account.refetch} />
      )}
    </Page>
  )
}

const LABELS: Record<Tab, string> = { findings: 'Findings', timeline: 'Timeline', people: 'People', runs: 'Scans' }

function Known({ account }: { account: AccountRecord }) {
  const [{ tab = 'findings', open }, go] = usePlace()
  const signals = useFindings(account.id)
  const people = usePeople(account.id)
  const runs = useRuns(account.id)
  const refresh = useRefresh()
  const findings = (signals.data?.data ?? []).filter(({ signal_present }) => signal_present)
  const running = runs.data?.data.find(({ status }) => status === 'running')
  const counts: Partial<Record<Tab, number>> = { findings: findings.length, people: people.data?.pagination.total ?? 0 }
  const close = () => go({ open: undefined })
  return (
    <Page title={account.name} wide lead={<Header account={account} />} actions={<Actions account={account} />}>
      <div className={classes.layout}>
        <Stack gap="md" className={classes.main}>
          {running && (
            <Paper withBorder p="md" component="section" aria-labelledby="running">
              <Title order={2} id="running" mb="xs">
                Being researched now
              </Title>
              <RunProgress id={running.id} onEnd={refresh} />
            </Paper>
          )}
          <LastScan account={account} />
          {signals.isSuccess && <NextStep account={account} findings={findings} isScanning={running !== undefined} />}
          <Tabs
            value={tab}
            onChange={(chosen) =>
              go({ tab: TABS.find((one) => one === chosen && one !== 'findings'), page: undefined })
            }
            keepMounted={false}
          >
            <Tabs.List mb="md">
              {TABS.map((name) => (
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
              <People account={account} />
            </Tabs.Panel>
            <Tabs.Panel value="runs">
              <Runs account={account} />
            </Tabs.Panel>
          </Tabs>
        </Stack>
        <div className={classes.score}>
          <Score account={account} />
        </div>
        <div className={classes.about}>
          <About account={account} />
        </div>
      </div>
      {open === 'edit' && <EditDialog account={account} onClose={close} />}
      {open === 'push' && <PushDialog records={{ accounts: [account.id] }} name={account.name} onClose={close} />}
      {open === 'delete' && <DeleteDialog account={account} findings={findings} onClose={close} />}
    </Page>
  )
}

/** Whether what is shown is to be trusted: a scan that failed is no scan that found nothing. */
function LastScan({ account }: { account: AccountRecord }) {
  const [, go] = usePlace()
  const last = useRuns(account.id).data?.data[0]
  if (last?.status !== 'failed') return null
  return (
    <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />} title="The last scan failed">
      <Text size="sm">{last.failure}</Text>
      <Button size="compact-sm" variant="subtle" color="red" mt={4} onClick={() => go({ tab: 'runs', run: last.id })}>
        How each source fared
      </Button>
    </Alert>
  )
}
