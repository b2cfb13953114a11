import { Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { ChevronDown, Mail, Quote } from 'lucide-react'
import { memo, useId, useState } from 'react'
import { queries, type Schemas } from '../api/client.ts'
import { CopyButton } from './CopyButton.tsx'
import { plainMessage } from './drafts.ts'
import { EvidenceQuote } from './EvidenceQuote.tsx'
import { type Feedback, FeedbackButtons } from './FeedbackButtons.tsx'
import classes from './FindingCard.module.css'
import { Markdown } from './Markdown.tsx'
import { MarkedWrong } from './MarkedWrong.tsx'
import { confidenceInWords, plural } from './numbers.ts'
import { SignalName } from './signals.tsx'
import { Failed, Loading } from './states.tsx'
import { Day } from './When.tsx'

type Props = {
  accountId: string
  finding: Schemas['SignalDetection']
  /** What its signal is called. */
  signalName: string
  /** All its proofs at once, with what stands around them. */
  open?: boolean
  /** The level of its heading. */
  order?: 3 | 4
  onFeedback?: (feedback: Feedback) => void
}

/** One finding: what happened, the sentence that proves it, where that stands, what to write, and whether it is right. */
export const FindingCard = memo(function FindingCard({
  accountId,
  finding,
  signalName,
  open = false,
  order = 4,
  onFeedback,
}: Props) {
  const { id, headline, confidence, detected_at, evidence, signal_id, drafted_message_md, why_reach_out_md } = finding
  const [said, setSaid] = useState(finding.feedback)
  const [shows, setShows] = useState<'draft' | null>(null)
  const [isOpen, setOpen] = useState(open)
  const panel = useId()
  const title = headline ?? evidence[0]?.claim ?? signalName
  const change = (feedback: Feedback) => {
    setSaid(feedback)
    onFeedback?.(feedback)
  }
  const feedback = { accountId, detectionId: id, feedback: said, onChange: change }
  if (said?.verdict === 'wrong') {
    return (
      <article className={classes.finding} aria-label={title}>
        <MarkedWrong {...feedback} feedback={said} headline={title} />
      </article>
    )
  }
  const Heading = `h${order}` as 'h4'
  const message = drafted_message_md ? plainMessage(drafted_message_md) : null
  const more = evidence.length - 1
  return (
    <article className={classes.finding} aria-label={title}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Group gap="2px 8px" className={classes.meta}>
          <SignalName id={signal_id} name={signalName} />
          <span>
            <Day on={detected_at} />
          </span>
          <span>{confidenceInWords(confidence)}</span>
        </Group>
        <FeedbackButtons {...feedback} />
      </Group>
      <Heading className={classes.title}>{title}</Heading>
      <Stack gap={8}>
        {isOpen ? (
          <Proofs accountId={accountId} finding={finding} />
        ) : (
          evidence[0] && <EvidenceQuote proof={evidence[0]} />
        )}
        <Group gap={6}>
          {message && <CopyButton value={message} label="Copy message" size="compact-sm" />}
          {message && (
            <Toggle
              isOpen={shows === 'draft'}
              panel={panel}
              icon={<Mail size={14} aria-hidden />}
              onClick={() => setShows(shows ? null : 'draft')}
            >
              Draft and reasons
            </Toggle>
          )}
          <Toggle isOpen={isOpen} icon={<Quote size={14} aria-hidden />} onClick={() => setOpen(!isOpen)}>
            {more > 0 ? `In context, ${plural(more, 'more source')}` : 'In context'}
          </Toggle>
        </Group>
        <Collapse expanded={shows === 'draft'} id={panel}>
          {shows === 'draft' && (
            <div className={classes.draft}>
              <section aria-label="Drafted message">
                <Text className={classes.message}>{message}</Text>
              </section>
              {why_reach_out_md && (
                <section aria-label="Why reach out">
                  <Markdown top={4}>{why_reach_out_md}</Markdown>
                </section>
              )}
            </div>
          )}
        </Collapse>
      </Stack>
    </article>
  )
})

type ToggleProps = {
  isOpen: boolean
  panel?: string
  icon: React.ReactNode
  onClick: () => void
  children: React.ReactNode
}

function Toggle({ isOpen, panel, icon, onClick, children }: ToggleProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={icon}
      rightSection={<ChevronDown size={14} aria-hidden className={isOpen ? classes.turned : undefined} />}
      aria-expanded={isOpen}
      aria-controls={panel}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

/** All proofs, each where it stands in what was read. */
function Proofs({ accountId, finding: { id, evidence } }: Pick<Props, 'accountId' | 'finding'>) {
  const path = { id: accountId, detection_id: id }
  const { data, error, isPending, refetch } = queries.useQuery(
    'get',
    '/v1/accounts/{id}/signals/{detection_id}/evidence',
    { params: { path } },
    { staleTime: 300_000 },
  )
  return (
    <Stack gap="sm">
      {evidence.map((proof, at) => (
        <EvidenceQuote
          key={`${proof.source_url} ${proof.quote ?? proof.claim}`}
          proof={proof}
          passage={data?.data[at]}
        />
      ))}
      {isPending && <Loading lines={2} />}
      {error && <Failed error={error} retry={refetch} what="What stands around it could not be loaded" />}
    </Stack>
  )
}
