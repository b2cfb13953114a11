import type { Deps } from '../deps/deps.ts'
import { importAccounts } from './accounts.ts'
import type { ImportCallbacks, ImportCounts, RejectedRow } from './batches.ts'
import type { CsvRows } from './csv-file.ts'
import { endImport, insertUpload, MAX_STORED_ERRORS, saveCheckpoint, startImport } from './upload-store.ts'

type Options = Pick<ImportCallbacks<unknown>, 'onProgress' | 'onRejected'> & {
  dryRun: boolean
  fileName: string | null
}

/** Imports accounts from the command line, with a record like that of an upload, so that they can be listed by it. */
export async function importRecordedAccounts(
  deps: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  rows: CsvRows,
  { fileName, onRejected, ...options }: Options,
): Promise<ImportCounts> {
  if (options.dryRun)
    return importAccounts(deps, workspaceId, rows, { ...options, ...(onRejected ? { onRejected } : {}) })
  const { db } = deps
  const upload = { kind: 'accounts', format: 'csv', options: {}, file_name: fileName } as const
  const importId = await insertUpload(db, workspaceId, upload)
  await startImport(db, workspaceId, importId)
  const errors: RejectedRow[] = []
  let storedRows = 0
  try {
    const report = await importAccounts(deps, workspaceId, rows, {
      ...options,
      importId,
      onRejected: (rejected) => {
        if (errors.length < MAX_STORED_ERRORS) errors.push(rejected)
        onRejected?.(rejected)
      },
      checkpoint: async (on, counts, progress) => {
        await saveCheckpoint(on, workspaceId, importId, counts, progress ?? 0, errors, storedRows)
        storedRows = counts.rows
      },
    })
    await endImport(db, workspaceId, importId, { report, errors })
    return report
  } catch (error) {
    await endImport(db, workspaceId, importId, { failure: (error as Error).message })
    throw error
  }
}
