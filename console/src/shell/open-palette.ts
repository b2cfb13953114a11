import { state } from '../state.ts'

/** Whether the search was asked for once; then it is loaded and answers its key itself. */
export const isPaletteLoaded = state(false)

/** Opens the search. */
export async function openPalette(): Promise<void> {
  if (!isPaletteLoaded.get()) return isPaletteLoaded.set(true)
  const { spotlight } = await import('@mantine/spotlight')
  spotlight.open()
}
