import { Button, Group, Spoiler } from '@mantine/core'
import { Mail } from 'lucide-react'
import { addressDraft, mailtoUrl, parseDraft } from '../lib/message-draft.ts'
import { CopyButton } from './CopyButton.tsx'
import classes from './DraftedMessage.module.css'
import { DraftText } from './DraftText.tsx'

type Props = {
  markdown: string
  /** Whom it is for; with an address, it can be sent to them at once. */
  to?: { full_name: string; email: string | null } | null
}

/** A subject and eleven whole lines. */
const SHOWN_PX = 258

/** A message that can be sent as it is: to read, to copy, to open in the mail program. */
export function DraftedMessage({ markdown, to }: Props) {
  const read = parseDraft(markdown)
  const draft = to ? addressDraft(read, to.full_name) : read
  return (
    <section className={classes.draft} aria-label="Drafted message">
      <Spoiler
        maxHeight={SHOWN_PX}
        showLabel="Show all of it"
        hideLabel="Show less"
        classNames={{ control: classes.more }}
      >
        <DraftText draft={draft} />
      </Spoiler>
      <Group gap="xs" mt="sm">
        <CopyButton value={draft.body} label="Copy text" variant="filled" />
        {draft.subject && <CopyButton value={draft.subject} label="Copy subject" variant="subtle" />}
        {to?.email && (
          <Button
            component="a"
            href={mailtoUrl(to.email, draft)}
            size="xs"
            variant="subtle"
            leftSection={<Mail size={14} aria-hidden />}
          >
            Open in your mail program
          </Button>
        )}
      </Group>
    </section>
  )
}
