import { state } from '../lib/shared-state.ts'
import { keepKeys } from './key-buffer.ts'

/** Whether the search was asked for once; then it is loaded and answers its key itself. */
export const isPaletteLoaded = state(false)

/** Opens the search. */
export async function openPalette(): Promise<void> {
  if (isPaletteLoaded.get()) return (await import('./Palette.tsx')).showPalette()
  keepKeys()
  isPaletteLoaded.set(true)
}

export const isKeysHelpOpen = state(false)

export const toggleKeysHelp = (): void => isKeysHelpOpen.set(!isKeysHelpOpen.get())
