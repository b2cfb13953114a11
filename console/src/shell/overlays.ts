import { createSharedState } from '../lib/shared-state.ts'
import { startKeyBuffer } from './key-buffer.ts'

/** Whether the palette was opened once. From then on it handles Ctrl-K itself. */
export const isPaletteLoaded = createSharedState(false)

/** Opens the command palette. */
export async function openPalette(): Promise<void> {
  if (isPaletteLoaded.get()) return (await import('./Palette.tsx')).showPalette()
  startKeyBuffer()
  isPaletteLoaded.set(true)
}

export const isShortcutsDialogOpen = createSharedState(false)

export const toggleShortcutsDialog = (): void => isShortcutsDialogOpen.set(!isShortcutsDialogOpen.get())
