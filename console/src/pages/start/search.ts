import { enumParam } from '../../lib/search-params.ts'

const STEP_IDS = ['website', 'profile', 'companies', 'signals', 'alerts'] as const

/** The open step. */
export const readStartSearch = (raw: Record<string, unknown>) => ({ step: enumParam(raw, 'step', STEP_IDS) })
