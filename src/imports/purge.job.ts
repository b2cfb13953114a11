import { definePurge } from '../jobs/purge.ts'
import { endedImports } from './upload-store.ts'

/** Keeps the record of an import as long as what was read. */
export const purgeImports = definePurge('purge-imports', 50, ({ DOCUMENT_RETENTION_DAYS }) => ({
  imports: endedImports(DOCUMENT_RETENTION_DAYS),
}))
