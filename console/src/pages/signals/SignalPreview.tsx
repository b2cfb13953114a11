import { Alert, Anchor, Badge, Group, Loader, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, queries, type Schemas } from '../../api/client.ts'
import { PageLink, SafeLink } from '../../components/links.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { CalendarDate } from '../../components/time.tsx'
import { VerdictButtons } from '../../components/VerdictButtons.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { confidenceLabel, formatNumber, pluralize } from '../../lib/format.ts'
import type { Examples } from './use-examples.ts'

type Preview = Schemas['SignalPreview']

const PERIODS = [
  { value: '30', label: 'last 30 days' },
  { value: '90', label: 'last 90 days' },
  { value: '365', label: 'last year' },
]
/** A description with less says nothing yet. */
const MIN_LENGTH = 4
const MAX_SHOWN = 12

type Props = {
  description: string
  examples: Examples
  /** What a signal that is there has; marks of it are kept at once. */
  savedDescription: string | undefined
}

/** What a description would have found in what was published about the team's accounts, while it is being written. */
export function SignalPreview({ description, examples, savedDescription }: Props) {
  const [days, setDays] = useState('30')
  const [settled] = useDebouncedValue(description.trim(), 600)
  const isAsked = settled.length >= MIN_LENGTH
  // What the reader says by one description holds for no other.
  const isKeptOne = settled === (savedDescription ?? description).trim()
  const { data, error, isFetching, isPlaceholderData, refetch } = queries.useQuery(
    'post',
    '/v1/signals/preview',
    { body: { description: settled, days: Number(days) } },
    { enabled: isAsked, staleTime: 60_000, placeholderData: keepPreviousData, retry: false },
  )
  // What the reader says by itself is what a mark is kept with; what the marks make of it is asked beside it.
  const marks = examples.all.map(({ sentence, verdict, confidence = null }) => ({
    sentence,
    verdict,
    confidence: isKeptOne ? confidence : null,
  }))
  const sharpened = queries.useQuery(
    'post',
    '/v1/signals/preview',
    { body: { description: settled, days: Number(days), examples: marks } },
    { enabled: isAsked && marks.length > 0, staleTime: 60_000, placeholderData: keepPreviousData, retry: false },
  )
  const isSharpened = marks.length > 0 && !sharpened.isPlaceholderData
  const taken = isSharpened ? (sharpened.data?.data.findings ?? null) : null
  const isUnclear = error instanceof ApiError && error.code === 'unclear_description'
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
      {isAsked && isUnclear && (
        <Text size="sm" c="dimmed">
          {errorMessage(error)}
        </Text>
      )}
      {isAsked && error && !isUnclear && <ErrorMessage error={error} retry={refetch} title="It could not be tried" />}
      {isAsked && !data && isFetching && <Loading lines={5} />}
      {isAsked && data?.data.similar && !error && <Similar signal={data.data.similar} />}
      {isAsked && data && !error && (
        <PreviewFindings
          preview={data.data}
          taken={taken}
          examples={examples}
          isStale={isFetching}
          isOfKept={isKeptOne && !isPlaceholderData}
        />
      )}
    </Stack>
  )
}

/** A built-in signal that looks for this, or for more: it has learned from thousands of texts. */
function Similar({ signal: { id, name } }: { signal: { id: string; name: string } }) {
  return (
    <Alert variant="light" p="xs">
      <Text size="sm">
        This is close to the built-in signal{' '}
        <PageLink to="/signals/{-$id}" params={{ id }} size="sm">
          {name}
        </PageLink>
        , which finds it more surely. Keep your own for a special case of it.
      </Text>
    </Alert>
  )
}

type Finding = Preview['findings'][number]
type PreviewFindingsProps = {
  preview: Preview
  /** What is taken with the marked examples; null without any. */
  taken: Finding[] | null
  examples: Examples
  isStale: boolean
  /** Whether the confidences are of the description that marks are kept for. */
  isOfKept: boolean
}

const keyOf = ({ account_id, sentence }: Finding) => `${account_id} ${sentence}`

function PreviewFindings({ preview, taken, examples, isStale, isOfKept }: PreviewFindingsProps) {
  const { documents, documents_published, unread } = preview
  const isTaken = (finding: Finding) => taken === null || taken.some((one) => keyOf(one) === keyOf(finding))
  const byReader = new Set(preview.findings.map(keyOf))
  const findings = [...preview.findings, ...(taken ?? []).filter((one) => !byReader.has(keyOf(one)))]
  const found = (taken ?? preview.findings).length
  const looked = documents ?? 0
  const isPart = documents_published !== null && documents_published > looked
  return (
    <Stack gap="sm" style={{ opacity: isStale ? 0.55 : 1 }}>
      <Text size="sm" c="dimmed" role="status">
        {looked === 0
          ? 'Nothing was published about your accounts in this time.'
          : `${found === 0 ? 'Nothing' : pluralize(found, 'finding')} in ${isPart ? `the newest ${formatNumber(looked)} of ${formatNumber(documents_published)}` : pluralize(looked, 'publication')}${isPart ? ' publications' : ''}.`}
        {unread.length > 0 && ` ${pluralize(unread.length, 'publication')} could not be read.`}
      </Text>
      {looked > 0 && findings.length === 0 && (
        <Text size="sm" c="dimmed">
          Say it more broadly, or look at a longer time. A rare event may be worth waiting for, too.
        </Text>
      )}
      {findings.length > 0 && (
        <Text size="sm">Mark what is right and what is wrong: every mark makes it more precise.</Text>
      )}
      {findings.slice(0, MAX_SHOWN).map((finding) => (
        <Paper key={keyOf(finding)} withBorder p="sm">
          <Group justify="space-between" gap="xs" mb={4}>
            <Anchor component={Link} to={`/accounts/${finding.account_id}`} size="sm" fw={600}>
              {finding.account_name}
            </Anchor>
            <Badge variant="light" color="gray" radius="sm" tt="none" fw={500}>
              {isTaken(finding) ? confidenceLabel(finding.confidence) : 'no longer found'}
            </Badge>
          </Group>
          <Text size="sm" {...(!isTaken(finding) && { c: 'dimmed' })}>
            {finding.sentence}
          </Text>
          <Group justify="space-between" gap="xs" mt={4}>
            <Text size="xs" c="dimmed" component="div">
              <CalendarDate on={finding.published_date} />
              {finding.source_url && (
                <>
                  {' · '}
                  <SafeLink to={finding.source_url} size="xs" />
                </>
              )}
            </Text>
            <VerdictButtons
              label={`Is “${finding.sentence}” right?`}
              verdict={examples.all.find(({ sentence }) => sentence === finding.sentence)?.verdict ?? null}
              isPending={examples.isPending}
              onChange={(verdict) =>
                examples.mark(
                  finding.sentence,
                  verdict,
                  isOfKept && byReader.has(keyOf(finding)) ? finding.confidence : null,
                )
              }
            />
          </Group>
        </Paper>
      ))}
      {findings.length > MAX_SHOWN && (
        <Text size="sm" c="dimmed">
          And {formatNumber(findings.length - MAX_SHOWN)} more.
        </Text>
      )}
    </Stack>
  )
}
