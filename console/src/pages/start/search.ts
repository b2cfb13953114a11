import type { SetupStep } from '../../api/setup.ts'
import { enumParam } from '../../lib/search-params.ts'

const STEP_IDS: readonly SetupStep[] = ['website', 'profile', 'crm', 'companies', 'signals', 'alerts']

/** The open step. */
export const readStartSearch = (raw: Record<string, unknown>): { step?: SetupStep | undefined } => ({
  step: enumParam(raw, 'step', STEP_IDS),
})
