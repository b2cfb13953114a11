import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

/** Links to pages of the console, with their addresses checked: `<PageLink to="/people/{-$id}" params={{ id }}>`. */
export const PageLink = createLink((props: AnchorProps & ComponentProps<'a'>) => <Anchor {...props} />)

/** The same, as a button. */
export const PageButton = createLink((props: ButtonProps & ComponentProps<'a'>) => <Button component="a" {...props} />)

/** A link to somewhere else. Anything that is no web address is shown as text: what we read may be hostile. */
export function SafeLink({ to, children, ...rest }: AnchorProps & { to: string; children?: ReactNode }) {
  const host = hostOf(to)
  if (host === null) return <span>{children ?? to}</span>
  return (
    <Anchor href={to} target="_blank" rel="noopener noreferrer" {...rest}>
      {children ?? host}
    </Anchor>
  )
}

/** The host of a web address without `www.`, or null for anything else. */
export function hostOf(address: string): string | null {
  const url = URL.parse(address)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.hostname.replace(/^www\./, '') : null
}
