import { defineJob } from '../jobs/define.ts'
import { AppError } from '../shared/errors.ts'
import { enrich } from './enrich.ts'

/** Brings the profile of an account up to date where no scan does it along the way. */
export const enrichAccount = defineJob<{ workspace_id: string; account_id: string }>({
  name: 'enrich-account',
  retries: 2,
  retryDelay: 60,
  async run(deps, { workspace_id, account_id }, { signal }) {
    await enrich(deps, workspace_id, account_id, signal).catch((error) => {
      // Deleted or deactivated meanwhile.
      const isOver = error instanceof AppError && (error.code === 'not_found' || error.code === 'account_not_active')
      if (!isOver) throw error
    })
  },
})
