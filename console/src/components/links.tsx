import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

/** Type-checked links to pages of the console: `<PageLink to="/people/{-$id}" params={{ id }}>`. */
export const PageLink = createLink((props: AnchorProps & ComponentProps<'a'>) => <Anchor {...props} />)

/** A PageLink that looks like a button. */
export const PageButton = createLink((props: ButtonProps & ComponentProps<'a'>) => <Button component="a" {...props} />)

/** An external link. URLs come from untrusted pages, so anything but http(s) is rendered as text. */
export function SafeLink({ to, children, ...rest }: AnchorProps & { to: string; children?: ReactNode }) {
  const host = hostOf(to)
  if (host === null) return <span>{children ?? to}</span>
  return (
    <Anchor href={to} target="_blank" rel="noopener noreferrer" {...rest}>
      {children ?? host}
    </Anchor>
  )
}

/** The host of an http(s) URL without `www.`, or null. */
export function hostOf(address: string): string | null {
  const url = URL.parse(address)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.hostname.replace(/^www\./, '') : null
}
