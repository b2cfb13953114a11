import { Ban, Check, Copy, Mail, Send, ThumbsDown, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMySignature } from '../../api/my-profile.ts'
import type { WorkItem } from '../../api/work-items.ts'
import quiet from '../../components/button.module.css'
import { SnoozeButton } from '../../components/SnoozeButton.tsx'
import { emailOf, mailtoUrl } from '../../lib/message-draft.ts'
import classes from './WorkCard.module.css'

export type ItemHandlers = {
  /** Opens the mail app or copies the draft. */
  reach: () => void
  push: () => void
  snooze: (until: string) => void
  close: (outcome: 'contacted' | 'not_relevant' | 'wrong') => void
  reopen: () => void
}

type Props = {
  item: WorkItem
  on: ItemHandlers
  isCrmConnected: boolean
  isSnoozing: boolean
  onSnoozing: (isOpen: boolean) => void
}

const outlined = `${quiet.button} ${quiet.outlined}`
const primary = `${outlined} ${classes.primary}`

/** The buttons of an item. The same actions have keys. */
export function ItemActions({ item, on, isCrmConnected, isSnoozing, onSnoozing }: Props) {
  const { signature } = useMySignature()
  const draft = emailOf(item, signature)
  const email = item.person?.email
  if (item.state !== 'open') {
    return (
      <div className={classes.actions}>
        <button type="button" className={outlined} onClick={on.reopen}>
          <Undo2 size={14} aria-hidden />
          Move to queue
        </button>
      </div>
    )
  }
  return (
    <div className={classes.actions}>
      {email ? (
        <a
          href={mailtoUrl(email, draft ?? { subject: null, body: '' })}
          className={primary}
          aria-keyshortcuts="e"
          onClick={(event) => {
            event.preventDefault()
            on.reach()
          }}
        >
          <Mail size={14} aria-hidden />
          Email
          <Key>e</Key>
        </a>
      ) : (
        draft && (
          <button type="button" className={primary} aria-keyshortcuts="e" onClick={on.reach}>
            <Copy size={14} aria-hidden />
            Copy draft
            <Key>e</Key>
          </button>
        )
      )}
      <button type="button" className={outlined} aria-keyshortcuts="d" onClick={() => on.close('contacted')}>
        <Check size={14} aria-hidden />
        Done
        <Key>d</Key>
      </button>
      <SnoozeButton isOpen={isSnoozing} onToggle={onSnoozing} onSnooze={on.snooze}>
        <Key>s</Key>
      </SnoozeButton>
      <button
        type="button"
        className={outlined}
        aria-keyshortcuts="p"
        disabled={!isCrmConnected}
        title={isCrmConnected ? undefined : 'Connect a CRM in Settings → Connections'}
        onClick={on.push}
      >
        <Send size={14} aria-hidden />
        Push to CRM
        <Key>p</Key>
      </button>
      <span className={classes.rest}>
        <button type="button" className={quiet.button} aria-keyshortcuts="n" onClick={() => on.close('not_relevant')}>
          <Ban size={14} aria-hidden />
          Not relevant
          <Key>n</Key>
        </button>
        <button type="button" className={quiet.button} aria-keyshortcuts="x" onClick={() => on.close('wrong')}>
          <ThumbsDown size={14} aria-hidden />
          Wrong
          <Key>x</Key>
        </button>
      </span>
    </div>
  )
}

function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className={classes.key} aria-hidden>
      {children}
    </kbd>
  )
}
