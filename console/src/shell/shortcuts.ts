import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isTyping, SECOND_KEY_MS } from '../lib/keyboard.ts'
import { PAGES } from './navigation.ts'
import { isPaletteLoaded, openPalette, toggleShortcutsDialog } from './overlays.ts'

let pressedG = Number.NEGATIVE_INFINITY

/** Global shortcuts: Ctrl-K opens the palette, `?` the shortcut list, `g` and a letter a page. */
export function useShortcuts(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k' && !isPaletteLoaded.get()) {
        event.preventDefault()
        openPalette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') return toggleShortcutsDialog()
      const page = PAGES.find(({ key }) => key === event.key)
      if (page && performance.now() - pressedG < SECOND_KEY_MS) {
        event.preventDefault()
        navigate({ to: page.to })
      }
      pressedG = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate])
}
