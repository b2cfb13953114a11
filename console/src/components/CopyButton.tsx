import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toastError } from './toast.tsx'

type Props = Omit<ButtonProps, 'children'> & {
  value: string
  /** What it copies: `Copy text`. */
  label: string
  /** Only an icon, where there is little room. */
  icon?: boolean
}

const SHOWN_MS = 2_000

/** Puts a text on the clipboard and says so. */
export function CopyButton({ value, label, icon = false, ...rest }: Props) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    copyText(value).then(
      () => setCopied(true),
      (error) => toastError('It could not be copied', error),
    )
  const Icon = isCopied ? Check : Copy
  const said = isCopied ? 'Copied' : label
  if (icon) {
    return (
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={said} title={said}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <Button variant="default" size="xs" leftSection={<Icon size={14} aria-hidden />} {...rest} onClick={copy}>
      {said}
    </Button>
  )
}

/** Browsers give the clipboard to pages over https only; over plain http the old way still works. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // In the dialog that is open, where there is one: it would take the focus back at once.
  const around = document.activeElement?.closest('[role="dialog"]') ?? document.body
  around.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('Your browser does not allow it. Select the text and copy it.')
}
