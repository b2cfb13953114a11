import { defineJob, LOST_WORKER_MESSAGE } from '../../jobs/define.ts'
import { claimDueProfiles } from '../../resources/company-profile/store.ts'
import { readProfile, saveFailure } from './read.ts'

/** Longer than reading a site takes: after this it counts as not read. */
export const HOLD_SECONDS = 900

/** Reads the workspace's own site into its profile and its knowledge base. */
export const readCompanyProfile = defineJob<{ workspace_id: string }>({
  name: 'read-company-profile',
  timeout: HOLD_SECONDS,
  onLost: (deps, { workspace_id }) => saveFailure(deps, workspace_id, LOST_WORKER_MESSAGE),
  run: (deps, { workspace_id }, { signal }) => readProfile(deps, workspace_id, signal),
})

/** Finds workspaces whose site is to be read: domains set on the command line, and readings that failed or were killed. */
export const readDueProfiles = defineJob({
  name: 'read-due-company-profiles',
  schedule: '* * * * *',
  atStart: true,
  run: ({ db, jobs }) =>
    db.transaction().execute(async (db) => {
      for (const workspace_id of await claimDueProfiles(db, HOLD_SECONDS)) {
        await jobs.enqueue(db, readCompanyProfile, { workspace_id })
      }
    }),
})
