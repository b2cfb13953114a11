import { Button } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './Toggle.module.css'

type Props = {
  isOpen: boolean
  /** The id of what it opens. */
  panel?: string
  icon?: ReactNode
  /** Its name for screen readers, where the words alone do not say of what. */
  about?: string
  onClick: () => void
  children: ReactNode
}

/** A quiet button that opens something below it. */
export function Toggle({ isOpen, panel, icon, about, onClick, children }: Props) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      className={classes.toggle}
      leftSection={icon}
      rightSection={<ChevronDown size={14} aria-hidden className={isOpen ? classes.turned : undefined} />}
      aria-label={about}
      aria-expanded={isOpen}
      aria-controls={panel}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
