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
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]
/** The minimum length of a description for a preview. */
const MIN_LENGTH = 4
const MAX_SHOWN = 12

type Props = {
  description: string
  examples: Examples
  /** The description of a saved signal; its marks are saved immediately. */
  savedDescription: string | undefined
}

/** The findings that a description would have produced in past documents, updated while typing. */
export function SignalPreview({ description, examples, savedDescription }: Props) {
  const [days, setDays] = useState('30')
  const [settled] = useDebouncedValue(description.trim(), 600)
  const isReady = settled.length >= MIN_LENGTH
  // A confidence is valid only for the description it was computed with.
  const isSavedDescription = settled === (savedDescription ?? description).trim()
  const { data, error, isFetching, isPlaceholderData, refetch } = queries.useQuery(
    'post',
    '/v1/signals/preview',
    { body: { description: settled, days: Number(days) } },
    { enabled: isReady, staleTime: 60_000, placeholderData: keepPreviousData, retry: false },
  )
  // Marks are saved with the confidence of the unadjusted preview; the adjusted preview is a second query.
  const marks = examples.all.map(({ sentence, verdict, confidence = null }) => ({
    sentence,
    verdict,
    confidence: isSavedDescription ? confidence : null,
  }))
  const adjusted = queries.useQuery(
    'post',
    '/v1/signals/preview',
    { body: { description: settled, days: Number(days), examples: marks } },
    { enabled: isReady && marks.length > 0, staleTime: 60_000, placeholderData: keepPreviousData, retry: false },
  )
  const isAdjusted = marks.length > 0 && !adjusted.isPlaceholderData
  const taken = isAdjusted ? (adjusted.data?.data.findings ?? null) : null
  const isUnclear = error instanceof ApiError && error.code === 'unclear_description'
  return (
    <Stack gap="sm" component="section" aria-label="Preview" aria-busy={isFetching}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={3}>Preview</Title>
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
      {!isReady && (
        <Text size="sm" c="dimmed">
          Describe the event to see matching findings from your accounts.
        </Text>
      )}
      {isReady && isUnclear && (
        <Text size="sm" c="dimmed">
          {errorMessage(error)}
        </Text>
      )}
      {isReady && error && !isUnclear && <ErrorMessage error={error} retry={refetch} title="Preview failed" />}
      {isReady && !data && isFetching && <Loading lines={5} />}
      {isReady && data?.data.similar && !error && <Similar signal={data.data.similar} />}
      {isReady && data && !error && (
        <PreviewFindings
          preview={data.data}
          taken={taken}
          examples={examples}
          isStale={isFetching}
          hasSavedConfidence={isSavedDescription && !isPlaceholderData}
        />
      )}
    </Stack>
  )
}

/** Points to a similar built-in signal, which is more accurate because it is trained on many texts. */
function Similar({ signal: { id, name } }: { signal: { id: string; name: string } }) {
  return (
    <Alert variant="light" p="xs">
      <Text size="sm">
        This is close to the built-in signal{' '}
        <PageLink to="/signals/{-$id}" params={{ id }} size="sm">
          {name}
        </PageLink>
        , which is more accurate. Use a custom signal only for a special case.
      </Text>
    </Alert>
  )
}

type Finding = Preview['findings'][number]
type PreviewFindingsProps = {
  preview: Preview
  /** The findings with the marked examples applied; null without examples. */
  taken: Finding[] | null
  examples: Examples
  isStale: boolean
  /** Whether the confidences belong to the saved description. */
  hasSavedConfidence: boolean
}

const keyOf = ({ account_id, sentence }: Finding) => `${account_id} ${sentence}`

function PreviewFindings({ preview, taken, examples, isStale, hasSavedConfidence }: PreviewFindingsProps) {
  const { documents, documents_published, unread } = preview
  const isTaken = (finding: Finding) => taken === null || taken.some((one) => keyOf(one) === keyOf(finding))
  const previewKeys = new Set(preview.findings.map(keyOf))
  const findings = [...preview.findings, ...(taken ?? []).filter((one) => !previewKeys.has(keyOf(one)))]
  const found = (taken ?? preview.findings).length
  const documentCount = documents ?? 0
  const isPart = documents_published !== null && documents_published > documentCount
  return (
    <Stack gap="sm" style={{ opacity: isStale ? 0.55 : 1 }}>
      <Text size="sm" c="dimmed" role="status">
        {documentCount === 0
          ? 'No documents about your accounts in this period.'
          : `${found === 0 ? 'No findings' : pluralize(found, 'finding')} in ${isPart ? `the latest ${formatNumber(documentCount)} of ${formatNumber(documents_published)} documents` : pluralize(documentCount, 'document')}.`}
        {unread.length > 0 && ` ${pluralize(unread.length, 'document')} could not be read.`}
      </Text>
      {documentCount > 0 && findings.length === 0 && (
        <Text size="sm" c="dimmed">
          Try a broader description or a longer period.
        </Text>
      )}
      {findings.length > 0 && <Text size="sm">Mark findings right or wrong to improve accuracy.</Text>}
      {findings.slice(0, MAX_SHOWN).map((finding) => (
        <Paper key={keyOf(finding)} withBorder p="sm">
          <Group justify="space-between" gap="xs" mb={4}>
            <Anchor component={Link} to={`/accounts/${finding.account_id}`} size="sm" fw={600}>
              {finding.account_name}
            </Anchor>
            <Badge variant="light" color="gray" radius="sm" tt="none" fw={500}>
              {isTaken(finding) ? confidenceLabel(finding.confidence) : 'Excluded'}
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
                  hasSavedConfidence && previewKeys.has(keyOf(finding)) ? finding.confidence : null,
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
