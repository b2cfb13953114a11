import { Link } from '@tanstack/react-router'
import classes from './TabBar.module.css'

type Props = { label: string; tabs: readonly { to: string; label: string; isHere: boolean }[] }

/** Parts of a page that have an address each. */
export function TabBar({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, label, isHere }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          aria-current={isHere ? 'page' : undefined}
          ref={isHere ? intoView : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Where the tabs are wider than the screen, the open one is shown. */
function intoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
