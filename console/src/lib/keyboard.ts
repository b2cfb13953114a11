import { useEffect, useRef } from 'react'

/** For so long after `g` a letter opens a page. */
export const SECOND_KEY_MS = 1_500

/** Whether keys go into a field, a menu or a dialog just now. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null
  )
}

/** Single keys that do something on a page, unless somebody types, or pressed `g` before: then they open another page. */
export function usePageShortcuts(keys: Record<string, () => unknown>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isSecond = performance.now() - pressedG < SECOND_KEY_MS
      pressedG = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
      // A dialog that is open has the keys, wherever the focus is.
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
