import { createSharedState } from '../lib/shared-state.ts'
import { startKeyBuffer } from './key-buffer.ts'

/** Whether the search was asked for once; then it is loaded and answers its key itself. */
export const isPaletteLoaded = createSharedState(false)

/** Opens the search. */
export async function openPalette(): Promise<void> {
  if (isPaletteLoaded.get()) return (await import('./Palette.tsx')).showPalette()
  startKeyBuffer()
  isPaletteLoaded.set(true)
}

export const isShortcutsDialogOpen = createSharedState(false)

export const toggleShortcutsDialog = (): void => isShortcutsDialogOpen.set(!isShortcutsDialogOpen.get())
