import { Readable } from 'node:stream'
import type pg from 'pg'
import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import { defineJob, type JobContext, LOST_WORKER_MESSAGE } from '../jobs/define.ts'
import { definePurge } from '../jobs/purge.ts'
import { fillAccounts } from '../research/fill-accounts.job.ts'
import { SetupError } from '../shared/errors.ts'
import { importAccounts } from './accounts.ts'
import type { ImportCounts, RejectedRow } from './batches.ts'
import { ACCOUNT_COLUMNS, COMPANY_COLUMNS } from './column-names.ts'
import { importCompanies } from './companies.ts'
import { readCsvSource, readCsvWithLayout } from './csv-file.ts'
import { readNdjson } from './ndjson-file.ts'
import { type ImportSource, openImportStream } from './source.ts'
import {
  ContinuedByOtherWorker,
  claimIdleImports,
  deleteAbandonedUploads,
  endedImports,
  endImport,
  findImport,
  findUploadChunk,
  type ImportKind,
  MAX_STORED_ERRORS,
  saveCheckpoint,
} from './upload-store.ts'

type Payload = { workspace_id: string; import_id: string }

const RETRIES = 5
/** A chunk is parsed synchronously on the main thread, which takes some milliseconds at this size. */
const PIECE_BYTES = 32 * 1024
/** Time after which an incomplete upload is deleted; longer than a request may take. */
const ABANDONED_SECONDS = 3_600
/** Time without progress after which an import is enqueued again. */
const IDLE_SECONDS = 600
/** Maximum number of claims without a stored batch: two days, because a large file may be ahead in the queue. */
const MAX_CLAIMS = 288

/** What an import needs to process its file. */
type ImportContext = {
  deps: Deps
  found: StoredImport
  workspaceId: string
  source: ImportSource
  watch: {
    after: ImportCounts
    onRejected: (rejected: RejectedRow) => void
    /** `rejected`: rejected rows of the batch, if `onRejected` is called only after it is stored. */
    checkpoint: (
      on: pg.ClientBase | Db,
      counts: ImportCounts,
      progress: number | null,
      rejected?: RejectedRow[],
    ) => Promise<void>
  }
}
type StoredImport = NonNullable<Awaited<ReturnType<typeof findImport>>>

/** Imports companies that were sent over the API. */
export const importUploadedCompanies = uploadJob(
  'companies',
  'import-uploaded-companies',
  async ({ deps, found, workspaceId, source, watch }) => {
    const rows =
      found.format === 'csv'
        ? readCsvSource(source, COMPANY_COLUMNS, [['domain']])
        : readNdjson(source, COMPANY_COLUMNS)
    const client = await deps.pool.connect()
    const session = deps.config.DATABASE_PREPARE
    const report = await importCompanies(client, workspaceId, rows, { dryRun: false, session, ...watch }).finally(() =>
      client.release(),
    )
    await deps.jobs.enqueue(deps.db, fillAccounts, { workspace_id: workspaceId })
    return report
  },
)

/** Imports accounts that were sent over the API, by the same rules as the command line. */
export const importUploadedAccounts = uploadJob(
  'accounts',
  'import-uploaded-accounts',
  async ({ deps, found: { id: importId, options }, workspaceId, source, watch }) => {
    const { rows } = await readCsvWithLayout(source, ACCOUNT_COLUMNS, options)
    const { tag, fill_domains: fillDomains } = options
    return importAccounts(deps, workspaceId, rows, { dryRun: false, tag, fillDomains, importId, ...watch })
  },
)

export const UPLOAD_JOBS = { companies: importUploadedCompanies, accounts: importUploadedAccounts }

/**
 * Imports a file that was sent over the API. Each batch is stored in one transaction with the progress, so that a retried
 * import continues after the stored rows and counts no row twice.
 */
function uploadJob(kind: ImportKind, name: string, work: (work: ImportContext) => Promise<ImportCounts>) {
  return defineJob<Payload>({
    name,
    retries: RETRIES,
    // An import of companies holds a connection for its whole duration.
    concurrency: 1,
    timeout: 6 * 3_600,
    onLost: ({ db }, { workspace_id, import_id }) =>
      endImport(db, workspace_id, import_id, { failure: `${LOST_WORKER_MESSAGE} Send the rest of the file again.` }),
    async run(deps, payload, context) {
      const { workspace_id, import_id } = payload
      const { signal, attempt } = context
      try {
        await importOnce(deps, kind, payload, context, work)
      } catch (error) {
        // An error of the file itself is not retried.
        const isFile = error instanceof SetupError
        if (!isFile && (attempt < RETRIES || signal.aborted || error instanceof ContinuedByOtherWorker)) throw error
        const failure = isFile
          ? error.message
          : 'The import failed several times because of an internal error. See the log.'
        await endImport(deps.db, workspace_id, import_id, { failure })
        if (!isFile) throw error
      }
    },
  })
}

async function importOnce(
  deps: Deps,
  kind: ImportKind,
  { workspace_id, import_id }: Payload,
  context: JobContext,
  work: (work: ImportContext) => Promise<ImportCounts>,
): Promise<void> {
  const found = await findImport(deps.db, workspace_id, kind, import_id)
  if (found?.status !== 'running') return
  await importFile(deps, workspace_id, found, context, (source, watch) =>
    work({ deps, found, workspaceId: workspace_id, source, watch }),
  )
}

async function importFile(
  { db }: Deps,
  workspaceId: string,
  found: StoredImport,
  { signal, progressed }: JobContext,
  work: (source: ImportSource, watch: ImportContext['watch']) => Promise<ImportCounts>,
): Promise<void> {
  const errors: RejectedRow[] = [...found.errors]
  let storedRows = found.rows
  const file = new StoredFile((position) => findUploadChunk(db, workspaceId, found.id, position), signal)
  try {
    const source = await openImportStream('The file', Readable.from(file.chunks()), () => file.read / found.bytes)
    const report = await work(source, {
      after: found,
      onRejected: (rejected) => {
        if (errors.length < MAX_STORED_ERRORS) errors.push(rejected)
      },
      // Rows after this batch may already be read; their errors are not stored yet.
      checkpoint: async (on, counts, progress, rejected = []) => {
        const stored = [...errors, ...rejected].slice(0, Math.min(MAX_STORED_ERRORS, counts.rejected))
        await saveCheckpoint(on, workspaceId, found.id, counts, progress ?? 0, stored, storedRows)
        storedRows = counts.rows
        await progressed()
      },
    })
    await endImport(db, workspaceId, found.id, { report, errors })
  } catch (error) {
    // The parser reports every read error as an error of the file; the original error is thrown instead.
    throw file.failure ?? error
  }
}

/** Streams a file from its chunks in the database. */
class StoredFile {
  read = 0
  /** Why a chunk could not be loaded; not an error of the file. */
  failure: unknown
  readonly #find: (position: number) => Promise<Buffer | null>
  readonly #signal: AbortSignal

  constructor(find: (position: number) => Promise<Buffer | null>, signal: AbortSignal) {
    this.#find = find
    this.#signal = signal
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (let position = 0; ; position++) {
      const bytes = await this.#chunk(position)
      if (!bytes) return
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const piece = bytes.subarray(at, at + PIECE_BYTES)
        this.read += piece.length
        // An error of the consumer is thrown here, too, and is not a load failure.
        yield piece
      }
    }
  }

  async #chunk(position: number): Promise<Buffer | null> {
    try {
      this.#signal.throwIfAborted()
      return await this.#find(position)
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

/** Enqueues imports again whose workers died, and deletes incomplete uploads. */
export const maintainImports = defineJob<{ idle?: number }>({
  name: 'tend-imports',
  schedule: '*/5 * * * *',
  atStart: true,
  async run({ db, jobs }, { idle = IDLE_SECONDS }) {
    await deleteAbandonedUploads(db, ABANDONED_SECONDS)
    for (const { workspace_id, id, kind, taken_up } of await claimIdleImports(db, idle)) {
      if (taken_up > MAX_CLAIMS) {
        const failure = 'The import was interrupted repeatedly at the same row. Send the rest of the file again.'
        await endImport(db, workspace_id, id, { failure })
      } else await jobs.enqueue(db, UPLOAD_JOBS[kind], { workspace_id, import_id: id })
    }
  },
})

/** Keeps the record of an import as long as documents. */
export const purgeImports = definePurge('purge-imports', 50, ({ DOCUMENT_RETENTION_DAYS }) => ({
  imports: endedImports(DOCUMENT_RETENTION_DAYS),
}))
