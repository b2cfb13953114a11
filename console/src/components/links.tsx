import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** Links to pages of the console, with their addresses checked: `<PageLink to="/people/{-$id}" params={{ id }}>`. */
export const PageLink = createLink((props: AnchorProps & ComponentProps<'a'>) => <Anchor {...props} />)

/** The same, as a button. */
export const PageButton = createLink((props: ButtonProps & ComponentProps<'a'>) => <Button component="a" {...props} />)
