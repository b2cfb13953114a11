import { Button, Group } from '@mantine/core'

type Props = {
  /** The label of the primary button, which submits the form. */
  action: string
  isPending?: boolean
  isDisabled?: boolean
  onLater: () => void
}

/** The buttons at the end of a step. */
export function StepActions({ action, isPending = false, isDisabled = false, onLater }: Props) {
  return (
    <Group gap="xs" mt={4}>
      <Button type="submit" loading={isPending} disabled={isDisabled}>
        {action}
      </Button>
      <Button variant="subtle" color="gray" onClick={onLater}>
        Later
      </Button>
    </Group>
  )
}
