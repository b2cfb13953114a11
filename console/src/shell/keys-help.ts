import { state } from '../state.ts'

export const isKeysHelpOpen = state(false)

export const toggleKeysHelp = (): void => isKeysHelpOpen.set(!isKeysHelpOpen.get())
