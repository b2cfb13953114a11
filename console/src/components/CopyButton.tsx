import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toastError } from './toast.tsx'

type Props = Omit<ButtonProps, 'children'> & {
  value: string
  /** Such as `Copy text`. */
  label: string
  /** Icon only, for tight spaces. */
  icon?: boolean
  /** Called after the text was copied. */
  onCopied?: (() => void) | undefined
}

const SHOWN_MS = 2_000

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ value, label, icon = false, onCopied, ...rest }: Props) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    copyText(value).then(
      () => {
        setCopied(true)
        onCopied?.()
      },
      (error) => toastError('Copy failed', error),
    )
  const Icon = isCopied ? Check : Copy
  const text = isCopied ? 'Copied' : label
  if (icon) {
    return (
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={text} title={text}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <Button variant="default" size="xs" leftSection={<Icon size={14} aria-hidden />} {...rest} onClick={copy}>
      {text}
    </Button>
  )
}

/** The Clipboard API requires https; over http, execCommand still works. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Inside an open dialog, because its focus trap would take the focus back.
  const around = document.activeElement?.closest('[role="dialog"]') ?? document.body
  around.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('Your browser blocked access to the clipboard. Select the text and copy it manually.')
}
