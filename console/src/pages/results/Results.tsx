import { Button, Group, List, NativeSelect, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download, SearchX } from 'lucide-react'
import { api, queries } from '../../api/client.ts'
import { PageLink } from '../../components/links.tsx'
import { Page } from '../../components/Page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { toastError } from '../../components/toast.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { OutcomesTable } from './OutcomesTable.tsx'
import { type ResultsSearch, resultsQuery } from './search.ts'

const route = getRouteApi('/app/results')

const GROUPS = [
  { value: 'signal', label: 'Signal' },
  { value: 'source', label: 'Source' },
  { value: 'owner', label: 'Owner' },
]
const WINDOWS = [30, 60, 90, 180, 365]

/** What became of findings: contacts, replies, deals and won deals, with the rule by which they are counted. */
export function Results() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = resultsQuery(search)
  const report = queries.useQuery(
    'get',
    '/v1/reports/outcomes',
    { params: { query } },
    { placeholderData: keepPreviousData },
  )
  const download = useMutation({
    mutationFn: async () => {
      const headers = { accept: 'text/csv' }
      const { data } = await api.GET('/v1/reports/outcomes', { params: { query }, headers, parseAs: 'blob' })
      if (data) saveFile(data as unknown as Blob, `results-by-${query.group_by}.csv`)
    },
    onError: (error) => toastError('Could not download the results', error),
  })
  const change = (changes: Partial<ResultsSearch>) =>
    navigate({ search: (before) => ({ ...before, ...changes }), replace: true })
  const from = search.from ?? report.data?.data.from ?? ''
  const to = search.to ?? report.data?.data.to ?? ''
  return (
    <Page
      title="Results"
      lead="Does it pay? What became of your findings"
      wide
      actions={
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download CSV
        </Button>
      }
    >
      <Group gap="sm" align="flex-end">
        <SegmentedControl
          aria-label="Group by"
          data={GROUPS}
          value={query.group_by}
          onChange={(by) => change({ by: by === 'source' || by === 'owner' ? by : undefined })}
        />
        <TextInput
          type="date"
          label="Found from"
          value={from}
          max={to}
          onChange={({ currentTarget: { value } }) => change({ from: value || undefined, to: to || undefined })}
        />
        <TextInput
          type="date"
          label="to"
          value={to}
          min={from}
          onChange={({ currentTarget: { value } }) => change({ to: value || undefined, from: from || undefined })}
        />
        <NativeSelect
          label="Count results within"
          data={[...new Set([...WINDOWS, query.window_days])].map((days) => ({
            value: String(days),
            label: `${days} days`,
          }))}
          value={String(query.window_days)}
          onChange={({ currentTarget: { value } }) => change({ window: value === '90' ? undefined : Number(value) })}
        />
      </Group>
      {report.isPending ? (
        <Loading lines={8} />
      ) : report.isError ? (
        <ErrorMessage error={report.error} retry={report.refetch} />
      ) : report.data.data.rows.length === 0 ? (
        <EmptyState icon={SearchX} title="No findings in this time">
          Choose an earlier first day.
        </EmptyState>
      ) : (
        <>
          <OutcomesTable outcomes={report.data.data} />
          <Missing contacted={report.data.data.total.contacted} />
        </>
      )}
      <Rule days={query.window_days} />
    </Page>
  )
}

/** Why there are no results yet, and what to do. */
function Missing({ contacted }: { contacted: number }) {
  const { data } = queries.useQuery('get', '/v1/integrations', {}, { staleTime: 300_000 })
  const isWithoutCrm = data?.data.crms.length === 0
  if (contacted > 0 && !isWithoutCrm) return null
  return (
    <Text size="sm">
      {contacted === 0 && (
        <>
          No one was contacted about these findings yet.{' '}
          <PageLink to="/" size="sm" underline="always">
            Start in Today
          </PageLink>
          .{' '}
        </>
      )}
      {isWithoutCrm && (
        <>
          Deals are counted once a CRM is{' '}
          <PageLink to="/settings/{-$tab}" params={{ tab: 'connections' }} size="sm" underline="always">
            connected
          </PageLink>
          .
        </>
      )}
    </Text>
  )
}

function Rule({ days }: { days: number }) {
  return (
    <Stack gap={4} component="section" aria-labelledby="rule" maw={720}>
      <Title order={2} id="rule">
        How it is counted
      </Title>
      <Text size="sm" c="dimmed" component="div">
        <List size="sm" spacing={4}>
          <List.Item>
            <b>Findings</b> are counted on the day they were found, without those marked as wrong. Job changes count
            too.
          </List.Item>
          <List.Item>
            A finding is <b>contacted</b> when, after it was found, someone copied or emailed its draft, logged a call,
            sent it to the CRM, or marked it as contacted. Opening it again in Today takes that back.
          </List.Item>
          <List.Item>
            A <b>reply</b>, a <b>meeting</b> or a <b>deal</b> counts up to {days} days after the account was contacted.
            If it was contacted more than once in that time, the first contact counts, with the findings it was about.
          </List.Item>
          <List.Item>
            Deals come from your CRM, by the day they were opened there. Each deal counts once in a row and once in the
            total. Rows can share a deal or a finding, so they can add up to more than the total.
          </List.Item>
          <List.Item>
            Owners are those of today. Percentages are shown from five cases on: contacted of the findings, replies and
            deals of the contacted, won of the deals.
          </List.Item>
        </List>
      </Text>
    </Stack>
  )
}
