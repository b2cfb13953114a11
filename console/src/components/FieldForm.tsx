import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { onSave: () => void; isPending: boolean; isDisabled: boolean; children: ReactNode }

/** A form with one field and a Save button. */
export function FieldForm({ onSave, isPending, isDisabled, children }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <Group align="flex-end" gap="xs">
        {children}
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          Save
        </Button>
      </Group>
    </form>
  )
}
