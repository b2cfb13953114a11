import { useEffect, useRef } from 'react'

/** A letter within this time after `g` opens a page. */
export const SECOND_KEY_MS = 1_500

/** An open dialog or menu handles keys itself, even without the focus. */
const OVERLAY = '[role="dialog"], [role="menu"]'

/** Whether the focus is in a form field, a dialog or a menu. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest(`input, textarea, select, [contenteditable], ${OVERLAY}`) !== null
  )
}

/** Enter on a link or button activates it. */
const isActivating = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof HTMLElement && target.closest('a, button, summary') !== null

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
      if (isSecond || isActivating(event) || document.querySelector(OVERLAY)) return
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
