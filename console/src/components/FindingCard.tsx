import { Stack } from '@mantine/core'
import { Check, Copy, Mail, Quote } from 'lucide-react'
import { lazy, memo, Suspense, useId, useState } from 'react'
import { queries, type Schemas } from '../api/client.ts'
import { confidenceLabel, findingHeadline, pluralize } from '../lib/format.ts'
import { draftText, emailOf } from '../lib/message-draft.ts'
import quiet from './button.module.css'
import { copyText } from './CopyButton.tsx'
import { EvidenceQuote, isComputed } from './EvidenceQuote.tsx'
import { type Feedback, FeedbackButtons } from './FeedbackButtons.tsx'
import classes from './FindingCard.module.css'
import { SignalName } from './signals.tsx'
import { ErrorMessage, Loading } from './states.tsx'
import { Toggle } from './Toggle.tsx'
import { EventDate } from './time.tsx'
import { toastError } from './toast.tsx'

/** Loaded on demand to keep the initial bundle small. */
const DraftedMessage = lazy(() =>
  import('./DraftedMessage.tsx').then(({ DraftedMessage }) => ({ default: DraftedMessage })),
)
const Markdown = lazy(() => import('./Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })))
const WrongFinding = lazy(() => import('./WrongFinding.tsx').then(({ WrongFinding }) => ({ default: WrongFinding })))

type Props = {
  accountId: string
  finding: Schemas['SignalDetection']
  /** The display name of the signal. */
  signalName: string
  /** Shows all evidence in context from the start. */
  open?: boolean
  /** The heading level. */
  order?: 3 | 4
  /** Whether the member may edit the draft. */
  mayEdit?: boolean
  onFeedback?: (feedback: Feedback) => void
}

/** A finding with its evidence, drafted message and feedback buttons. */
export const FindingCard = memo(function FindingCard({
  accountId,
  finding,
  signalName,
  open = false,
  order = 4,
  mayEdit = false,
  onFeedback,
}: Props) {
  const { id, confidence, evidence, signal_id, why_reach_out_md } = finding
  const [feedback, setFeedback] = useState(finding.feedback)
  const [shows, setShows] = useState<'draft' | null>(null)
  const [isOpen, setOpen] = useState(open)
  const panel = useId()
  const title = findingHeadline(finding, signalName)
  const change = (next: Feedback) => {
    setFeedback(next)
    onFeedback?.(next)
  }
  const feedbackProps = { accountId, detectionId: id, feedback, onChange: change }
  if (feedback?.verdict === 'wrong') {
    return (
      <article className={classes.finding} aria-label={title}>
        <Suspense fallback={<Loading lines={2} />}>
          <WrongFinding {...feedbackProps} feedback={feedback} headline={title} />
        </Suspense>
      </article>
    )
  }
  const Heading = `h${order}` as 'h4'
  const email = emailOf(finding, null)
  const message = email && draftText(email)
  const more = evidence.length - 1
  return (
    <article className={classes.finding} aria-label={title}>
      <div className={classes.top}>
        <div className={classes.meta}>
          <SignalName id={signal_id} name={signalName} />
          <span>
            <EventDate of={finding} /> · {confidenceLabel(confidence)}
          </span>
        </div>
        <FeedbackButtons {...feedbackProps} />
      </div>
      <Heading className={classes.title}>{title}</Heading>
      <div className={classes.body}>
        {isOpen ? (
          <EvidenceList accountId={accountId} finding={finding} heading={title} />
        ) : (
          evidence[0] && <EvidenceQuote evidence={evidence[0]} />
        )}
        <div className={classes.actions}>
          {message && <CopyMessage message={message} />}
          {message && (
            <Toggle
              isOpen={shows === 'draft'}
              panel={panel}
              icon={<Mail size={14} aria-hidden />}
              onClick={() => setShows(shows ? null : 'draft')}
            >
              View draft
            </Toggle>
          )}
          {(more > 0 || !evidence.every(isComputed)) && (
            <Toggle isOpen={isOpen} icon={<Quote size={14} aria-hidden />} onClick={() => setOpen(!isOpen)}>
              {more > 0 ? `Show context (${pluralize(more, 'more source')})` : 'Show context'}
            </Toggle>
          )}
        </div>
        {finding.draft?.note && <p className={classes.note}>{finding.draft.note}</p>}
        {shows === 'draft' && email && (
          <div className={classes.draft} id={panel}>
            <Suspense fallback={<Loading lines={6} />}>
              <DraftedMessage drafted={finding} of={mayEdit ? { accountId, detectionId: id } : undefined} />
            </Suspense>
            {why_reach_out_md && (
              <section aria-label="Why reach out">
                <Suspense fallback={<Loading lines={3} />}>
                  <Markdown top={4}>{why_reach_out_md}</Markdown>
                </Suspense>
              </section>
            )}
          </div>
        )}
      </div>
    </article>
  )
})

const SHOWN_MS = 2_000

/** A plain HTML button, because a feed renders hundreds of them. */
function CopyMessage({ message }: { message: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    copyText(message).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), SHOWN_MS)
      },
      (error) => toastError('Copy failed', error),
    )
  const Icon = isCopied ? Check : Copy
  return (
    <button type="button" className={`${quiet.button} ${quiet.outlined}`} onClick={copy}>
      <Icon size={14} aria-hidden />
      {isCopied ? 'Copied' : 'Copy message'}
    </button>
  )
}

/** All evidence of a finding, each with its surrounding text. */
function EvidenceList({
  accountId,
  finding: { id, evidence },
  heading,
}: Pick<Props, 'accountId' | 'finding'> & { heading: string }) {
  const path = { id: accountId, detection_id: id }
  const { data, error, isLoading, refetch } = queries.useQuery(
    'get',
    '/v1/accounts/{id}/signals/{detection_id}/evidence',
    { params: { path } },
    { staleTime: 300_000, enabled: !evidence.every(isComputed) },
  )
  return (
    <Stack gap="sm">
      {evidence.map((item, at) => (
        <EvidenceQuote
          key={`${item.source_url} ${item.quote ?? item.claim}`}
          evidence={item}
          passage={data?.data[at]}
          heading={heading}
        />
      ))}
      {isLoading && <Loading lines={2} />}
      {error && <ErrorMessage error={error} retry={refetch} title="Context not loaded" />}
    </Stack>
  )
}
