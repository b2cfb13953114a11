import { Group, TextInput } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

/** A text to take along: selected with a click, copied with a button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    // On a narrow screen the button goes below, so that the whole can be read.
    <Group gap="xs" align="flex-end">
      <TextInput
        label={label}
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
