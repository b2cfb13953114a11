import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/**
 * The value of a text field that is stored in the URL. It updates the URL after a delay and follows Back and Forward. It ignores
 * the URL change caused by its own input, so that no typed letter is lost.
 */
export function useDebouncedInput(known: string, settle: (text: string) => void, ms = 250) {
  const [typed, setTyped] = useState(known)
  const settled = useRef(known)
  const later = useDebouncedCallback((text: string) => {
    settled.current = text.trim()
    settle(settled.current)
  }, ms)
  useEffect(() => {
    if (known === settled.current) return
    settled.current = known
    setTyped(known)
  }, [known])
  return [
    typed,
    (text: string) => {
      setTyped(text)
      later(text)
    },
  ] as const
}
