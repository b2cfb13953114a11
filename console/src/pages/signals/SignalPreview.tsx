import { Anchor, Badge, Group, Loader, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, queries, type Schemas } from '../../api/client.ts'
import { confidenceInWords, count, plural } from '../../components/numbers.ts'
import { SafeLink } from '../../components/SafeLink.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { Day } from '../../components/When.tsx'

type Preview = Schemas['SignalPreview']

const PERIODS = [
  { value: '30', label: 'last 30 days' },
  { value: '90', label: 'last 90 days' },
  { value: '365', label: 'last year' },
]
/** A description with less says nothing yet. */
const LEAST = 4
const SHOWN = 12

/** What a description would have found in what was published about the team's accounts, while it is being written. */
export function SignalPreview({ description }: { description: string }) {
  const [days, setDays] = useState('30')
  const [settled] = useDebouncedValue(description.trim(), 600)
  const isAsked = settled.length >= LEAST
  const { data, error, isFetching, refetch } = queries.useQuery(
    'post',
    '/v1/signals/preview',
    { body: { description: settled, days: Number(days) } },
    { enabled: isAsked, staleTime: 60_000, placeholderData: keepPreviousData, retry: false },
  )
  const namesNothing = error instanceof ApiError && error.status === 400
  return (
    <Stack gap="sm" component="section" aria-label="Preview" aria-busy={isFetching}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={3}>What it would have found</Title>
          {isFetching && <Loader size={14} aria-hidden />}
        </Group>
        <Select
          aria-label="Period"
          size="xs"
          w={130}
          data={PERIODS}
          value={days}
          onChange={(value) => value && setDays(value)}
          allowDeselect={false}
          checkIconPosition="right"
        />
      </Group>
      {!isAsked && (
        <Text size="sm" c="dimmed">
          Write what you are looking for: while you type, what was published about your accounts is looked through.
        </Text>
      )}
      {isAsked && namesNothing && (
        <Text size="sm" c="dimmed">
          This names nothing yet that could be looked for.
        </Text>
      )}
      {isAsked && error && !namesNothing && <Failed error={error} retry={refetch} what="It could not be tried" />}
      {isAsked && !data && isFetching && <Loading lines={5} />}
      {isAsked && data && !error && <Found preview={data.data} isStale={isFetching} />}
    </Stack>
  )
}

function Found({ preview, isStale }: { preview: Preview; isStale: boolean }) {
  const { findings, documents, documents_published, unread } = preview
  const looked = documents ?? 0
  const isPart = documents_published !== null && documents_published > looked
  return (
    <Stack gap="sm" style={{ opacity: isStale ? 0.55 : 1 }}>
      <Text size="sm" c="dimmed" role="status">
        {looked === 0
          ? 'Nothing was published about your accounts in this time.'
          : `${findings.length === 0 ? 'Nothing' : plural(findings.length, 'finding')} in ${isPart ? `the newest ${count(looked)} of ${count(documents_published)}` : plural(looked, 'publication')}${isPart ? ' publications' : ''}.`}
        {unread.length > 0 && ` ${plural(unread.length, 'publication')} could not be read.`}
      </Text>
      {looked > 0 && findings.length === 0 && (
        <Text size="sm" c="dimmed">
          Say it more broadly, or look at a longer time. A rare event may be worth waiting for, too.
        </Text>
      )}
      {findings.slice(0, SHOWN).map((finding) => (
        <Paper key={`${finding.account_id} ${finding.sentence}`} withBorder p="sm">
          <Group justify="space-between" gap="xs" mb={4}>
            <Anchor component={Link} to={`/accounts/${finding.account_id}`} size="sm" fw={600}>
              {finding.account_name}
            </Anchor>
            <Badge variant="light" color="gray" radius="sm" tt="none" fw={500}>
              {confidenceInWords(finding.confidence)}
            </Badge>
          </Group>
          <Text size="sm">{finding.sentence}</Text>
          <Text size="xs" c="dimmed" mt={4} component="div">
            <Day on={finding.published_date} />
            {finding.source_url && (
              <>
                {' · '}
                <SafeLink to={finding.source_url} size="xs" />
              </>
            )}
          </Text>
        </Paper>
      ))}
      {findings.length > SHOWN && (
        <Text size="sm" c="dimmed">
          And {count(findings.length - SHOWN)} more.
        </Text>
      )}
    </Stack>
  )
}
