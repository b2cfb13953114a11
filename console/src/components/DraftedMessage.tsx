import { Button, Group, Spoiler } from '@mantine/core'
import { Mail } from 'lucide-react'
import { addressDraft, mailtoUrl, parseDraft } from '../lib/message-draft.ts'
import { openUrl } from '../lib/open-url.ts'
import { CopyButton } from './CopyButton.tsx'
import classes from './DraftedMessage.module.css'
import { DraftText } from './DraftText.tsx'

type Props = {
  markdown: string
  /** The recipient. With an email address, the message can be opened in the mail app. */
  to?: { full_name: string; email: string | null } | null
  /** Called when the text is copied or opened in the mail app. */
  onUse?: ((kind: 'copied' | 'emailed') => void) | undefined
}

/** The subject and eleven lines. */
const SHOWN_PX = 258

/** A drafted message with actions to copy it or open it in the mail app. */
export function DraftedMessage({ markdown, to, onUse }: Props) {
  const read = parseDraft(markdown)
  const draft = to ? addressDraft(read, to.full_name) : read
  return (
    <section className={classes.draft} aria-label="Drafted message">
      <Spoiler maxHeight={SHOWN_PX} showLabel="Show more" hideLabel="Show less" classNames={{ control: classes.more }}>
        <DraftText draft={draft} />
      </Spoiler>
      <Group gap="xs" mt="sm">
        <CopyButton value={draft.body} label="Copy text" variant="filled" onCopied={() => onUse?.('copied')} />
        {draft.subject && <CopyButton value={draft.subject} label="Copy subject" variant="subtle" />}
        {to?.email && (
          <Button
            component="a"
            href={mailtoUrl(to.email, draft)}
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
      </Group>
    </section>
  )
}
