import { Group, TextInput } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

/** A text to take along: selected with a click, copied with a button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        flex={1}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={value} label="Copy" size="sm" />
    </Group>
  )
}
