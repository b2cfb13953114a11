import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './button.module.css'

type Props = {
  isOpen: boolean
  /** The id of the controlled element. */
  panel?: string
  icon?: ReactNode
  /** The accessible name, if the visible text is ambiguous. */
  label?: string
  onClick: () => void
  children: ReactNode
}

/** A button that expands content below it. Plain HTML, because a feed renders hundreds of them. */
export function Toggle({ isOpen, panel, icon, label, onClick, children }: Props) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      aria-expanded={isOpen}
      aria-controls={isOpen ? panel : undefined}
      onClick={onClick}
    >
      {icon}
      {children}
      <ChevronDown size={14} aria-hidden className={isOpen ? classes.turned : undefined} />
    </button>
  )
}
