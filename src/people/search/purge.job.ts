import { definePurge } from '../../jobs/purge.ts'
import { abandonedLookups } from '../lookup-store.ts'
import { oldRoleLookups, oldSearches } from './search-store.ts'

/** Keeps searches as long as documents. */
export const purgeOldSearches = definePurge('purge-people-searches', 45, ({ DOCUMENT_RETENTION_DAYS }) => ({
  searches: oldSearches(DOCUMENT_RETENTION_DAYS),
  'role lookups': oldRoleLookups(DOCUMENT_RETENTION_DAYS),
  'abandoned lookups': abandonedLookups,
}))
