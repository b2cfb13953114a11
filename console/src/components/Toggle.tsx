import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './button.module.css'

type Props = {
  isOpen: boolean
  /** The id of what it opens. */
  panel?: string
  icon?: ReactNode
  /** Its name for screen readers, where the words alone do not say of what. */
  label?: string
  onClick: () => void
  children: ReactNode
}

/** A quiet button that opens something below it. Plain: a feed has hundreds of them. */
export function Toggle({ isOpen, panel, icon, label: about, onClick, children }: Props) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={about}
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
