import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Keyboard, LogOut, Monitor, Moon, ScrollText, Settings, Sun } from 'lucide-react'
import { api } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { tellFailed } from '../components/tell.tsx'
import { toggleKeysHelp } from './KeysHelp.tsx'
import classes from './MemberMenu.module.css'

/** Who is signed in, how it looks, and the way out. */
export function MemberMenu() {
  const { member, workspace } = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemes = { auto: Monitor, light: Sun, dark: Moon } as const
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.button} aria-label={`${member.name}, menu`}>
          <Avatar name={member.name} size={28} color="bell" aria-hidden />
          <span className={classes.names}>
            <Text size="sm" fw={550} truncate>
              {member.name}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {workspace.name}
            </Text>
          </span>
        </UnstyledButton>
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
              {{ auto: 'As the system', light: 'Light', dark: 'Dark' }[scheme]}
            </Menu.Item>
          )
        })}
        <Menu.Divider />
        <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={toggleKeysHelp}>
          Keys
        </Menu.Item>
        <Menu.Item leftSection={<ScrollText size={15} aria-hidden />} component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<Settings size={15} aria-hidden />} component={Link} to="/settings">
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

async function signOut(): Promise<void> {
  try {
    await api.DELETE('/v1/sessions/{id}', { params: { path: { id: 'current' } } })
    // All that was read is forgotten with the page.
    window.location.assign('/sign-in')
  } catch (error) {
    tellFailed('You could not be signed out', error)
  }
}
