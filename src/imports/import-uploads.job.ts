import { Readable } from 'node:stream'
import type pg from 'pg'
import type { Db } from '../db/connect.ts'
import type { Deps } from '../deps/deps.ts'
import { defineJob, type JobContext, LOST_WORKER_MESSAGE } from '../jobs/define.ts'
import { SetupError } from '../shared/errors.ts'
import { importAccounts } from './accounts.ts'
import type { Counts, Rejected } from './batches.ts'
import { ACCOUNT_COLUMNS, COMPANY_COLUMNS } from './columns.ts'
import { importCompanies } from './companies.ts'
import { readAnyCsv, readCsvSource } from './csv-file.ts'
import { readNdjson } from './ndjson-file.ts'
import { type ImportSource, openImportStream } from './source.ts'
import {
  deleteAbandonedUploads,
  endImport,
  findChunk,
  findImport,
  type ImportKind,
  lockImport,
  saveCheckpoint,
  takeUpIdleImports,
  unlockImport,
} from './upload-store.ts'

type Payload = { workspace_id: string; import_id: string }

const RETRIES = 5
/** A piece of a file is parsed at once, on the thread that answers requests: it takes some milliseconds. */
const PIECE_BYTES = 32 * 1024
/** Lines that could not be used, as many as an answer shows. */
const MAX_ERRORS = 20
/** A file that stopped coming; longer than a request may take. */
const ABANDONED_SECONDS = 3_600
/** An import on which nobody has worked for so long is taken up again. */
const IDLE_SECONDS = 600
/** So often in a row without a batch stored: two days, in which a file ahead of it in the queue may take its turn. */
const MOST_TAKEN_UP = 288

/** What an import does with the file it is about. */
type Work = {
  deps: Deps
  /** A connection of its own, which holds the lock of the import. */
  client: pg.PoolClient
  found: Found
  workspaceId: string
  source: ImportSource
  watch: {
    after: Counts
    onRejected: (rejected: Rejected) => void
    /** `rejected`: of the batch that is stored, where `onRejected` is told of them only afterwards. */
    checkpoint: (
      on: pg.ClientBase | Db,
      counts: Counts,
      progress: number | null,
      rejected?: Rejected[],
    ) => Promise<void>
  }
}
type Found = NonNullable<Awaited<ReturnType<typeof findImport>>>

/** Imports companies that were sent over the API. */
export const importUploadedCompanies = uploadJob(
  'companies',
  'import-uploaded-companies',
  ({ client, found, workspaceId, source, watch }) => {
    const rows =
      found.format === 'csv'
        ? readCsvSource(source, COMPANY_COLUMNS, [['domain']])
        : readNdjson(source, COMPANY_COLUMNS)
    return importCompanies(client, workspaceId, rows, { dryRun: false, ...watch })
  },
)

/** Imports accounts that were sent over the API, by the same rules as the command line. */
export const importUploadedAccounts = uploadJob(
  'accounts',
  'import-uploaded-accounts',
  async ({ deps, found: { options }, workspaceId, source, watch }) => {
    const { rows } = await readAnyCsv(source, ACCOUNT_COLUMNS, options)
    return importAccounts(deps, workspaceId, rows, { dryRun: false, tag: options.tag, ...watch })
  },
)

export const UPLOAD_JOBS = { companies: importUploadedCompanies, accounts: importUploadedAccounts }

/**
 * Imports a file that was sent over the API. Each batch is stored together with how far it has come, so an import that is
 * taken up again goes on after what is stored and counts nothing twice.
 */
function uploadJob(kind: ImportKind, name: string, work: (work: Work) => Promise<Counts>) {
  return defineJob<Payload>({
    name,
    retries: RETRIES,
    // Each holds a connection for as long as it takes.
    concurrency: 1,
    timeout: 6 * 3_600,
    onLost: ({ db }, { workspace_id, import_id }) =>
      endImport(db, workspace_id, import_id, { failure: `${LOST_WORKER_MESSAGE} Send the rest of the file anew.` }),
    async run(deps, payload, context) {
      const { workspace_id, import_id } = payload
      const { signal, attempt } = context
      try {
        await importOnce(deps, kind, payload, context, work)
      } catch (error) {
        // What the file itself is to blame for will not be better the next time.
        const isFile = error instanceof SetupError
        if (!isFile && (attempt < RETRIES || signal.aborted || error instanceof HeldByAnother)) throw error
        const failure = isFile ? error.message : 'Something went wrong on our side, several times. The log says what.'
        await endImport(deps.db, workspace_id, import_id, { failure })
        if (!isFile) throw error
      }
    },
  })
}

/**
 * Another worker has the lock. It may be frozen, and then the import is nobody's when it continues: the job is tried again,
 * and the import is not ended for it.
 */
class HeldByAnother extends Error {
  constructor() {
    super('Another worker works on this import.')
  }
}

async function importOnce(
  deps: Deps,
  kind: ImportKind,
  { workspace_id, import_id }: Payload,
  context: JobContext,
  work: (work: Work) => Promise<Counts>,
): Promise<void> {
  const client = await deps.pool.connect()
  try {
    if (!(await lockImport(client, import_id))) throw new HeldByAnother()
    const found = await findImport(deps.db, workspace_id, kind, import_id)
    if (found?.status !== 'running') return
    await importFile(deps, workspace_id, found, context, (source, watch) =>
      work({ deps, client, found, workspaceId: workspace_id, source, watch }),
    )
  } finally {
    // A connection that broke has lost its lock already.
    await unlockImport(client, import_id).catch(() => {})
    client.release()
  }
}

async function importFile(
  { db }: Deps,
  workspaceId: string,
  found: Found,
  { signal, progressed }: JobContext,
  work: (source: ImportSource, watch: Work['watch']) => Promise<Counts>,
): Promise<void> {
  const errors: Rejected[] = [...found.errors]
  const file = new StoredFile((position) => findChunk(db, workspaceId, found.id, position), signal)
  try {
    const source = await openImportStream('The file', Readable.from(file.chunks()), () => file.read / found.bytes)
    const report = await work(source, {
      after: found,
      onRejected: (rejected) => {
        if (errors.length < MAX_ERRORS) errors.push(rejected)
      },
      // Lines after this batch may be read already; they are not part of what is stored.
      checkpoint: async (on, counts, progress, rejected = []) => {
        const told = [...errors, ...rejected].slice(0, Math.min(MAX_ERRORS, counts.rejected))
        await saveCheckpoint(on, workspaceId, found.id, counts, progress ?? 0, told)
        await progressed()
      },
    })
    await endImport(db, workspaceId, found.id, { report, errors })
  } catch (error) {
    // Whoever reads a file takes every failure for the file's.
    throw file.failure ?? error
  }
}

/** A file as it lies in the database, a chunk at a time. */
class StoredFile {
  read = 0
  /** Why it could not be had, which is no fault of the file. */
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
        // What whoever reads it throws arrives here, too, and is no failure to have it.
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

/** Takes up imports whose workers are gone for good, and forgets files that stopped coming. */
export const maintainImports = defineJob<{ idle?: number }>({
  name: 'tend-imports',
  schedule: '*/5 * * * *',
  atStart: true,
  async run({ db, jobs }, { idle = IDLE_SECONDS }) {
    await deleteAbandonedUploads(db, ABANDONED_SECONDS)
    for (const { workspace_id, id, kind, taken_up } of await takeUpIdleImports(db, idle)) {
      if (taken_up > MOST_TAKEN_UP) {
        const failure = 'The import was interrupted again and again at the same place. Send the rest of the file anew.'
        await endImport(db, workspace_id, id, { failure })
      } else await jobs.enqueue(db, UPLOAD_JOBS[kind], { workspace_id, import_id: id })
    }
  },
})
