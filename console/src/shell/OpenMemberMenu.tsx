import { Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Keyboard, LogOut, Monitor, Moon, ScrollText, Settings, Sun } from 'lucide-react'
import { toastError } from '../components/toast.tsx'
import { signOut } from '../lib/sign-out.ts'
import { MemberButton } from './MemberButton.tsx'
import { toggleShortcutsDialog } from './overlays.ts'

/** Appearance, shortcuts and sign-out. Opens on mount, because a click on the button loads it. */
export default function OpenMemberMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemes = { auto: Monitor, light: Sun, dark: Moon } as const
  return (
    <Menu position="top-start" width={220} defaultOpened>
      <Menu.Target>
        <MemberButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Appearance</Menu.Label>
        {(['auto', 'light', 'dark'] as const).map((scheme) => {
          const Icon = schemes[scheme]
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => setColorScheme(scheme)}
              role="menuitemradio"
              aria-checked={colorScheme === scheme}
              fw={colorScheme === scheme ? 600 : 400}
            >
              {{ auto: 'System', light: 'Light', dark: 'Dark' }[scheme]}
            </Menu.Item>
          )
        })}
        <Menu.Divider />
        <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={toggleShortcutsDialog}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<ScrollText size={15} aria-hidden />} component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<Settings size={15} aria-hidden />} component={Link} to="/settings">
          Settings
        </Menu.Item>
        <Menu.Item
          leftSection={<LogOut size={15} aria-hidden />}
          onClick={() => signOut('current').catch((error) => toastError('Sign-out failed', error))}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
