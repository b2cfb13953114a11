import { Menu, Text, TextInput } from '@mantine/core'
import { CalendarDays } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { addDays, localDay, nextMonday } from '../lib/days.ts'
import { FormDialog } from './FormDialog.tsx'

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })

/** The longest snooze that the API accepts. */
const MAX_DAYS = 365

type Props = {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  onSnooze: (until: string) => void
  /** The button. */
  children: ReactNode
}

/** The days until which an item can be snoozed. */
export function SnoozeMenu({ isOpen, onToggle, onSnooze, children }: Props) {
  const [isPicking, setPicking] = useState(false)
  const now = new Date()
  const days = [
    { label: 'Tomorrow', day: addDays(now, 1) },
    { label: 'In 3 days', day: addDays(now, 3) },
    { label: 'Next Monday', day: nextMonday(now) },
  ]
  return (
    <>
      <Menu
        opened={isOpen}
        onChange={onToggle}
        position="bottom-start"
        width={230}
        shadow="md"
        // The first day has the focus, so that Enter snoozes until tomorrow.
        withInitialFocusPlaceholder={false}
        returnFocus
      >
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          {days.map(({ label, day }) => (
            <Menu.Item
              key={label}
              onClick={() => onSnooze(localDay(day))}
              rightSection={
                <Text size="xs" c="dimmed">
                  {weekday.format(day)}
                </Text>
              }
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setPicking(true)} rightSection={<CalendarDays size={14} aria-hidden />}>
            Pick a day
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPicking && <PickDay now={now} onClose={() => setPicking(false)} onPick={onSnooze} />}
    </>
  )
}

type PickProps = { now: Date; onClose: () => void; onPick: (day: string) => void }

function PickDay({ now, onClose, onPick }: PickProps) {
  const [day, setDay] = useState(localDay(addDays(now, 7)))
  const pick = () => {
    onClose()
    onPick(day)
  }
  return (
    <FormDialog title="Snooze until" action="Snooze" onClose={onClose} onSubmit={pick} isPending={false} size="xs">
      <TextInput
        type="date"
        label="Day"
        required
        data-autofocus
        min={localDay(addDays(now, 1))}
        max={localDay(addDays(now, MAX_DAYS))}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
