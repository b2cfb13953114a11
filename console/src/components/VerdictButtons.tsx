import { ThumbsDown, ThumbsUp } from 'lucide-react'
import quiet from './button.module.css'
import classes from './VerdictButtons.module.css'

export type Verdict = 'right' | 'wrong'

type Props = {
  /** What is asked. */
  label: string
  verdict: Verdict | null
  isPending?: boolean
  /** null takes back what was said. */
  onChange: (verdict: Verdict | null) => void
}

/** Right and wrong. Pressed again, what was said is taken back. */
export function VerdictButtons({ label, verdict, isPending = false, onChange: onSay }: Props) {
  return (
    <fieldset className={classes.feedback} aria-label={label}>
      <button
        type="button"
        className={quiet.button}
        aria-pressed={verdict === 'right'}
        disabled={isPending}
        onClick={() => onSay(verdict === 'right' ? null : 'right')}
      >
        <ThumbsUp size={14} aria-hidden />
        Right
      </button>
      <button
        type="button"
        className={quiet.button}
        aria-pressed={verdict === 'wrong'}
        disabled={isPending}
        onClick={() => onSay(verdict === 'wrong' ? null : 'wrong')}
      >
        <ThumbsDown size={14} aria-hidden />
        Wrong
      </button>
    </fieldset>
  )
}
