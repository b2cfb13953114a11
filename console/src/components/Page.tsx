import { Container, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import classes from './Page.module.css'

type Props = {
  title: string
  /** A line under the title. */
  lead?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** Tables need the width; text does not. */
  wide?: boolean
  /** The content fills the rest of the window and scrolls inside. */
  fills?: boolean
  children: ReactNode
}

/** The layout of every page: title (also of the browser tab), actions and content. */
export function Page({ title, lead, actions, wide = false, fills = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Bellwether`
  }, [title])
  return (
    <Container size={1560} px={{ base: 'sm', sm: 'lg' }} py="lg" className={fills ? classes.fills : undefined}>
      {/* All pages start at the same left edge, whatever their width. */}
      <Stack gap="md" maw={wide ? undefined : 1040}>
        <Group justify="space-between" align="flex-end" gap="sm">
          <div style={{ maxWidth: '100%', overflowWrap: 'anywhere' }}>
            <Title order={1}>{title}</Title>
            {lead && (
              <Text c="dimmed" size="sm" component="div">
                {lead}
              </Text>
            )}
          </div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Container>
  )
}
