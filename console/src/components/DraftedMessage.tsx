import { Alert, Badge, Button, Group, SegmentedControl, Spoiler, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Mail, Pencil, RotateCcw } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../api/client.ts'
import { useMySignature } from '../api/my-profile.ts'
import { errorMessage } from '../lib/errors.ts'
import { emailOf, type MessageDraft, mailtoUrl } from '../lib/message-draft.ts'
import { openUrl } from '../lib/open-url.ts'
import { CopyButton } from './CopyButton.tsx'
import classes from './DraftedMessage.module.css'
import { DraftText } from './DraftText.tsx'
import { PageButton } from './links.tsx'
import { toastError, toastSuccess } from './toast.tsx'

type Drafted = Pick<Schemas['SignalDetection'], 'draft' | 'drafted_message_md'>

type Props = {
  drafted: Drafted
  /** The finding; with it the draft can be edited. */
  of?: { accountId: string; detectionId: string } | undefined
  /** The recipient's email address, to open the message in the mail app. */
  email?: string | null | undefined
  /** Called when the text is copied or opened in the mail app. */
  onUse?: ((kind: 'copied' | 'emailed') => void) | undefined
}

/** The subject and eleven lines. */
const SHOWN_PX = 258

const VARIANTS = [
  { value: 'email', label: 'Email' },
  { value: 'short', label: 'Short message' },
  { value: 'call', label: 'Call' },
] as const
type Variant = (typeof VARIANTS)[number]['value']

/** A drafted message in its variants, with actions to copy, send and edit it. */
export function DraftedMessage({ drafted, of, email, onUse }: Props) {
  const { draft } = drafted
  const { signature, isMissing } = useMySignature()
  const [variant, setVariant] = useState<Variant>('email')
  const [isEditing, setEditing] = useState(false)
  const message = variantOf(drafted, variant, signature)
  if (!message) return null
  if (isEditing && of)
    return <DraftForm {...of} email={emailOf(drafted, signature) ?? message} onEnd={() => setEditing(false)} />
  return (
    <section className={classes.draft} aria-label="Drafted message">
      {draft?.short_message && (
        <Group justify="space-between" mb="xs" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Kind of message"
            data={[...VARIANTS]}
            value={variant}
            onChange={(value) => setVariant(value as Variant)}
          />
          {draft.edited_at && (
            <Badge variant="light" color="gray" tt="none">
              Edited
            </Badge>
          )}
        </Group>
      )}
      <Spoiler maxHeight={SHOWN_PX} showLabel="Show more" hideLabel="Show less" classNames={{ control: classes.more }}>
        <DraftText draft={message} />
      </Spoiler>
      {draft && !draft.is_signed && isMissing && (
        <Alert variant="light" color="gray" mt="sm" p="xs">
          <Group gap="xs" justify="space-between">
            <Text size="sm">Drafts are not signed: your name and signature are missing.</Text>
            <PageButton to="/settings/{-$tab}" params={{ tab: 'profile' }} size="compact-xs" variant="default">
              Add signature
            </PageButton>
          </Group>
        </Alert>
      )}
      <Group gap="xs" mt="sm">
        <CopyButton value={message.body} label="Copy text" variant="filled" onCopied={() => onUse?.('copied')} />
        {message.subject && <CopyButton value={message.subject} label="Copy subject" variant="subtle" />}
        {email && variant === 'email' && (
          <Button
            component="a"
            href={mailtoUrl(email, message)}
            onClick={(event) => {
              event.preventDefault()
              openUrl(event.currentTarget.href)
              onUse?.('emailed')
            }}
            size="xs"
            variant="subtle"
            leftSection={<Mail size={14} aria-hidden />}
          >
            Open in mail app
          </Button>
        )}
        {of && draft && variant === 'email' && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<Pencil size={14} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            Edit
          </Button>
        )}
        {of && draft?.edited_at && <ResetButton {...of} />}
      </Group>
    </section>
  )
}

function variantOf(drafted: Drafted, variant: Variant, signature: string | null): MessageDraft | null {
  const other = { email: null, short: drafted.draft?.short_message, call: drafted.draft?.call_opener }[variant]
  return other ? { subject: null, body: other } : emailOf(drafted, signature)
}

type Of = { accountId: string; detectionId: string }

/** Everything that shows the draft is read again. */
function useDraftChange(said: string, send: (path: { id: string; detection_id: string }) => Promise<unknown>, of: Of) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => send({ id: of.accountId, detection_id: of.detectionId }),
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      toastSuccess(said)
    },
  })
}

const PATH = '/v1/accounts/{id}/signals/{detection_id}/draft'

function ResetButton(of: Of) {
  const reset = useDraftChange('Draft composed again', (path) => api.DELETE(PATH, { params: { path } }), of)
  return (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      leftSection={<RotateCcw size={14} aria-hidden />}
      loading={reset.isPending}
      onClick={() => reset.mutate(undefined, { onError: (error) => toastError('Could not reset the draft', error) })}
    >
      Discard edits
    </Button>
  )
}

function DraftForm({ email, onEnd, ...of }: Of & { email: MessageDraft; onEnd: () => void }) {
  const [subject, setSubject] = useState(email.subject ?? '')
  const [body, setBody] = useState(email.body)
  const save = useDraftChange('Draft saved', (path) => api.PUT(PATH, { params: { path }, body: { subject, body } }), of)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onEnd })
  }
  return (
    <form className={classes.draft} aria-label="Edit draft" onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label="Subject"
          required
          maxLength={200}
          value={subject}
          onChange={(e) => setSubject(e.target.value)}
        />
        <Textarea
          label="Message"
          description="Your greeting, sign-off and usual length are used in later drafts."
          required
          autosize
          minRows={8}
          maxRows={24}
          maxLength={10_000}
          value={body}
          onChange={(e) => setBody(e.target.value)}
        />
        {save.error && (
          <Text size="sm" c="red" role="alert">
            {errorMessage(save.error)}
          </Text>
        )}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={save.isPending}>
            Save
          </Button>
          <Button size="xs" variant="default" onClick={onEnd}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
