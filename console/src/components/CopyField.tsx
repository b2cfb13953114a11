import { Group, TextInput } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

type Props = { label: string; value: string; description?: string }

/** A read-only text field with a copy button. A click selects the text. */
export function CopyField({ label, value, description }: Props) {
  return (
    // The button wraps below the field on narrow screens.
    <Group gap="xs" align="flex-end">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        flex={1}
        miw={260}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={value} label="Copy" size="sm" />
    </Group>
  )
}
