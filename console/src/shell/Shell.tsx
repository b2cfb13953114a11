import { AppShell, Badge, Burger, Group, NavLink, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { queries } from '../api/client.ts'
import { formatCompact } from '../lib/format.ts'
import { useSharedState } from '../lib/shared-state.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { MemberMenu } from './MemberMenu.tsx'
import { PAGES } from './navigation.ts'
import { isPaletteLoaded, isShortcutsDialogOpen, openPalette } from './overlays.ts'
import { SessionEndedDialog } from './SessionEnded.tsx'
import classes from './Shell.module.css'
import { useShortcuts } from './shortcuts.ts'

// Loaded on first use.
const loadPalette = () => import('./Palette.tsx').then(({ Palette }) => ({ default: Palette }))
const Palette = lazy(loadPalette)
// A failed preload is ignored, because opening the palette loads it again and reports the error.
const preloadPalette = () => void loadPalette().catch(() => {})
const ShortcutsDialog = lazy(() =>
  import('./ShortcutsDialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })),
)

/** The frame around every page: navigation, search and member menu. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const hasPalette = useSharedState(isPaletteLoaded)
  const isShortcutsOpen = useSharedState(isShortcutsDialogOpen)
  useShortcuts()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    close()
    // Moves keyboard and screen reader focus to the opened page.
    main.current?.focus({ preventScroll: true })
  }, [pathname, close])

  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Group h="100%" px="sm" justify="space-between">
          <Group gap="xs">
            <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={isOpen ? 'Close menu' : 'Open menu'} />
            <Brand />
          </Group>
          <UnstyledButton onClick={openPalette} className={classes.iconButton} aria-label="Search">
            <Search size={18} aria-hidden />
          </UnstyledButton>
        </Group>
      </AppShell.Header>

      <AppShell.Navbar className={classes.navbar} p="sm">
        <AppShell.Section visibleFrom="sm" mb="sm">
          <Brand />
        </AppShell.Section>
        <AppShell.Section mb="sm" visibleFrom="sm">
          <UnstyledButton onClick={openPalette} onPointerEnter={preloadPalette} className={classes.search}>
            <Search size={15} aria-hidden />
            <span>Search</span>
            <kbd className={classes.kbd}>Ctrl K</kbd>
          </UnstyledButton>
        </AppShell.Section>
        <AppShell.Section grow className={classes.pages}>
          <nav aria-label="Pages">
            {PAGES.map(({ to, label, icon: Icon }) => {
              const isHere = to === '/' ? pathname === '/' : pathname.startsWith(to)
              return (
                <NavLink
                  key={to}
                  component={Link}
                  to={to}
                  label={label}
                  active={isHere}
                  aria-current={isHere ? 'page' : undefined}
                  leftSection={<Icon size={17} strokeWidth={1.8} aria-hidden />}
                  rightSection={to === '/suggested' ? <SuggestedCount /> : null}
                  className={classes.link}
                />
              )
            })}
          </nav>
        </AppShell.Section>
        <AppShell.Section>
          <MemberMenu />
        </AppShell.Section>
      </AppShell.Navbar>

      <AppShell.Main id="main" tabIndex={-1} ref={main} className={classes.main}>
        <ConnectionBanner />
        <Outlet />
      </AppShell.Main>
      <Suspense>{hasPalette && <Palette />}</Suspense>
      <Suspense>{isShortcutsOpen && <ShortcutsDialog />}</Suspense>
      <SessionEndedDialog />
    </AppShell>
  )
}

function Brand() {
  return (
    <UnstyledButton component={Link} to="/" className={classes.brand}>
      <img src="/bell.svg" width={22} height={22} alt="" />
      <Text fw={650}>Bellwether</Text>
      <VisuallyHidden> home</VisuallyHidden>
    </UnstyledButton>
  )
}

/** The number of suggestions to review. */
function SuggestedCount() {
  const query = { status: 'suggested', per_page: 1 } as const
  const { data } = queries.useQuery('get', '/v1/accounts', { params: { query } }, { staleTime: 60_000 })
  const total = data?.pagination.total ?? 0
  if (total === 0) return null
  return (
    <Badge size="sm" variant="light" color="gray" c="dimmed" aria-label={`${total} to review`}>
      {formatCompact(total)}
    </Badge>
  )
}
