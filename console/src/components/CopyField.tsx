import { Button, Group, TextInput, VisuallyHidden } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'

/** A text to take along, selected with a click and copied with a button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    field.current?.select()
    setCopied(await copyText(value))
  }
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        ref={field}
        label={label}
        value={value}
        readOnly
        flex={1}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        onClick={copy}
        leftSection={isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      <VisuallyHidden role="status">{isCopied ? 'Copied' : ''}</VisuallyHidden>
    </Group>
  )
}

/** Browsers give the clipboard to pages over https and on this machine alone; elsewhere what is selected can be copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text)
    else if (!document.execCommand('copy')) return false
    return true
  } catch {
    // Not allowed: it stays selected, for the person to copy.
    return false
  }
}
