import { defineJob } from '../jobs/define.ts'
import { rereadCompanyPages, syncRoster } from '../people/roster/sync.ts'
import { AppError } from '../shared/errors.ts'
import { updateProfile } from './enrich.ts'

type Payload = {
  workspace_id: string
  account_id: string
  /** Only what the company's own pages show. */
  own?: boolean
}

/** Loads an account's roster: on activation, on enrichment, and when its team page has changed. An account that is gone or no longer active needs none. */
export const loadRoster = defineJob<Payload>({
  name: 'sync-roster',
  retries: 3,
  retryDelay: 60,
  async run(deps, { workspace_id, account_id, own = false }, { signal }) {
    try {
      await (own ? rereadCompanyPages : syncRoster)(deps, workspace_id, account_id, signal)
      // The workforce is made up of the people known.
      await updateProfile(deps, workspace_id, account_id, [])
    } catch (error) {
      const isOver = error instanceof AppError && (error.code === 'not_found' || error.code === 'account_not_active')
      if (!isOver) throw error
      deps.log.info({ account_id, reason: error.code }, 'a roster is not wanted any more')
    }
  },
})
