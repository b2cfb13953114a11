import { ThumbsDown, ThumbsUp } from 'lucide-react'
import quiet from './button.module.css'
import classes from './VerdictButtons.module.css'

export type Verdict = 'right' | 'wrong'

type Props = {
  /** The accessible name of the button group. */
  label: string
  verdict: Verdict | null
  isPending?: boolean
  /** null clears the verdict. */
  onChange: (verdict: Verdict | null) => void
}

/** Right and wrong buttons. A second click clears the verdict. */
export function VerdictButtons({ label, verdict, isPending = false, onChange }: Props) {
  return (
    <fieldset className={classes.feedback} aria-label={label}>
      <button
        type="button"
        className={quiet.button}
        aria-pressed={verdict === 'right'}
        disabled={isPending}
        onClick={() => onChange(verdict === 'right' ? null : 'right')}
      >
        <ThumbsUp size={14} aria-hidden />
        Right
      </button>
      <button
        type="button"
        className={quiet.button}
        aria-pressed={verdict === 'wrong'}
        disabled={isPending}
        onClick={() => onChange(verdict === 'wrong' ? null : 'wrong')}
      >
        <ThumbsDown size={14} aria-hidden />
        Wrong
      </button>
    </fieldset>
  )
}
