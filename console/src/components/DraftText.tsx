import type { MessageDraft } from '../lib/message-draft.ts'
import classes from './DraftText.module.css'

/** The subject and the text of a drafted message. */
export function DraftText({ draft: { subject, body } }: { draft: MessageDraft }) {
  return (
    <div className={classes.text}>
      {subject && (
        <p className={classes.subject}>
          <span>Subject</span> {subject}
        </p>
      )}
      <p className={classes.body}>{body}</p>
    </div>
  )
}
