import { AlarmClock } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import classes from './button.module.css'

// Loaded on the first use to keep the initial bundle small.
const SnoozeMenu = lazy(() => import('./SnoozeMenu.tsx').then(({ SnoozeMenu }) => ({ default: SnoozeMenu })))

type Props = {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Called with a day in the browser's time zone. */
  onSnooze: (until: string) => void
  /** After the label, such as the key. */
  children?: ReactNode
}

/** A button with a menu of days. */
export function SnoozeButton({ isOpen, onToggle, onSnooze, children }: Props) {
  const [isLoaded, setLoaded] = useState(isOpen)
  if (isOpen && !isLoaded) setLoaded(true)
  const target = (
    <SnoozeTarget aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
      {children}
    </SnoozeTarget>
  )
  if (!isLoaded) return target
  return (
    <Suspense fallback={target}>
      <SnoozeMenu isOpen={isOpen} onToggle={onToggle} onSnooze={onSnooze}>
        <SnoozeTarget onClick={() => onToggle(!isOpen)}>{children}</SnoozeTarget>
      </SnoozeMenu>
    </Suspense>
  )
}

function SnoozeTarget({ children, ...props }: ComponentProps<'button'>) {
  return (
    <button type="button" aria-haspopup="menu" {...props} className={`${classes.button} ${classes.outlined}`}>
      <AlarmClock size={14} aria-hidden />
      Snooze
      {children}
    </button>
  )
}
