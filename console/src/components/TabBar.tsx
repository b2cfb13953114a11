import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './TabBar.module.css'

type Props = { label: string; tabs: readonly { to: string; label: string; isHere: boolean }[] }

/** Tabs with a URL each. On narrow screens the open tab is scrolled into view. */
export function TabBar({ label, tabs }: Props) {
  const bar = useRef<HTMLElement>(null)
  const here = tabs.find(({ isHere }) => isHere)?.to
  useEffect(() => {
    const tab = here === undefined ? null : bar.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (bar.current && tab) bar.current.scrollLeft = tab.offsetLeft - (bar.current.clientWidth - tab.clientWidth) / 2
  }, [here])
  return (
    <nav aria-label={label} className={classes.tabs} ref={bar}>
      {tabs.map(({ to, label, isHere }) => (
        <Link
          key={to}
          to={to}
          // The path of a tab may begin with that of another.
          activeOptions={{ exact: true }}
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

/** Scrolls the open tab into view if the tabs are wider than the screen. */
function intoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
