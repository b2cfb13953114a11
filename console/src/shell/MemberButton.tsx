import { Avatar, Text, UnstyledButton } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useMe } from '../api/me.ts'
import classes from './MemberButton.module.css'

/** The signed-in member; opens the member menu. */
export function MemberButton(props: ComponentProps<'button'>) {
  const { member, workspace } = useMe()
  return (
    <UnstyledButton aria-haspopup="menu" {...props} className={classes.button} aria-label={`${member.name}, menu`}>
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
  )
}
