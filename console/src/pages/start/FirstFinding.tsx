import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowRight, CircleCheck, Radar } from 'lucide-react'
import type { Setup } from '../../api/setup.ts'
import { PageButton } from '../../components/links.tsx'
import { ErrorAlert } from '../../components/states.tsx'
import { pluralize } from '../../lib/format.ts'
import classes from './Start.module.css'

/** What is being read, until the first finding appears. Hidden before there is a company. */
export function FirstFinding({ setup: { scans, finding } }: { setup: Setup }) {
  const { running, reading, last } = scans
  if (finding) {
    return (
      <Paper withBorder p="md" component="section" aria-labelledby="first-finding" className={classes.finding}>
        <Stack gap="xs">
          <Group gap="xs">
            <CircleCheck size={18} color="var(--mantine-color-bell-text)" aria-hidden />
            <Title order={2} id="first-finding">
              Your first finding
            </Title>
          </Group>
          <div role="status">
            <Text fw={600}>{finding.headline}</Text>
            <Text size="sm" c="dimmed">
              {finding.account_name}
              {running > 0 && ` · still reading ${pluralize(running, 'company', 'companies')}`}
            </Text>
          </div>
          <Group gap="xs">
            <Button
              component={Link}
              to={`/accounts/${finding.account_id}`}
              rightSection={<ArrowRight size={15} aria-hidden />}
            >
              Open finding
            </Button>
          </Group>
        </Stack>
      </Paper>
    )
  }
  if (reading) return <Reading reading={reading} others={running - 1} />
  if (!last) return null
  if (last.status === 'failed') {
    return (
      <ErrorAlert title={`${last.account_name} could not be scanned`}>
        <Text size="sm">{last.failure}</Text>
        <PageButton
          to="/accounts/$id"
          params={{ id: last.account_id }}
          search={{ tab: 'runs' }}
          size="compact-sm"
          variant="default"
          mt="xs"
        >
          View scan
        </PageButton>
      </ErrorAlert>
    )
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-finding">
      <Group gap="xs">
        <Radar size={18} color="var(--mantine-color-dimmed)" aria-hidden />
        <Title order={2} id="first-finding">
          No findings yet
        </Title>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {pluralize(last.documents, 'document')} of {last.account_name} read, without news of the last months. Websites
        are checked again every day. Add more companies to find news sooner.
      </Text>
    </Paper>
  )
}

function Reading({ reading, others }: { reading: NonNullable<Setup['scans']['reading']>; others: number }) {
  const { account_name, url, pages } = reading
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-finding">
      <Stack gap={6}>
        <Title order={2} id="first-finding">
          Looking for your first finding
        </Title>
        <Text size="sm" role="status">
          Reading {account_name}
          {pages > 0 && `: ${pluralize(pages, 'page')} so far`}
          {others > 0 && `, then ${others} more`}
        </Text>
        <Progress value={100} animated size="sm" aria-label="Reading" />
        <Text size="xs" c="dimmed" className={classes.url}>
          {url ? url.replace(/^https?:\/\/(?:www\.)?/, '') : 'Website, news, filings and job boards'}
        </Text>
      </Stack>
    </Paper>
  )
}
