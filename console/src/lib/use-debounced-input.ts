import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/**
 * A field whose text lies in the address: it shows what is typed at once and settles a moment later. Back and forward change
 * it; what comes back of one's own typing does not, so no letter is lost.
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
