import { useEffect, useRef } from 'react'

/** A letter within this time after `g` opens a page. */
export const SECOND_KEY_MS = 1_500

/** Whether the focus is in a form field or a dialog, which handles keys itself. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null
  )
}

/** Single-key shortcuts of a page. Ignored while typing, and after `g`, when a letter opens another page. */
export function usePageShortcuts(keys: Record<string, () => unknown>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isSecond = performance.now() - pressedG < SECOND_KEY_MS
      pressedG = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
      // An open dialog handles keys itself, even without the focus.
      if (isSecond || document.querySelector('[role="dialog"]')) return
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
