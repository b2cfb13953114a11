import { defineJob } from '../../jobs/define.ts'
import { purgeSearches } from './search-store.ts'

/** Keeps searches as long as what was read. */
export const purgeOldSearches = defineJob({
  name: 'purge-people-searches',
  schedule: '45 3 * * *',
  run: ({ db, config }) => purgeSearches(db, config.DOCUMENT_RETENTION_DAYS),
})
