import type { Db } from '../db/connect.ts'
import { SetupError } from '../shared/errors.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import type { CsvRow, CsvRows } from './csv-file.ts'
import { RowRejected } from './fields.ts'

export type RejectedRow = { line: number; reason: string }

export type ImportCounts = { rows: number; created: number; existing: number; rejected: number }

const BATCH = 500
/** Maximum number of rows in a batch, including rejected ones. */
const MAX_BATCH_ROWS = 2_000
/** Maximum size of a batch: a field may keep the whole line in memory, and a line may have a megabyte. */
const MAX_BATCH_CHARS = 8 * 1024 * 1024

export type RowOutcome = 'created' | 'existing' | RowRejected

/** Callbacks for the caller of an import. */
export type ImportCallbacks<T> = {
  onProgress?: (counts: ImportCounts, progress: number | null) => void
  /** Called for each rejected row. Rejected rows are not collected, because their number has no limit. */
  onRejected?: (rejected: RejectedRow) => void
  /** Called for each row in file order, once its outcome is known. */
  onRow?: (line: number, value: T | null, outcome: RowOutcome) => void
  /** Counts of an earlier attempt: its rows are skipped and its counts continued. */
  after?: ImportCounts
  /** Stores the progress in the transaction that stores the batch. */
  checkpoint?: (db: Db, counts: ImportCounts, progress: number | null, rejected: RejectedRow[]) => Promise<void>
}

type Import<T> = ImportCallbacks<T> & {
  rows: CsvRows
  /** Converts a record to the stored form. Throws RowRejected. */
  read: (fields: Record<string, string>, line: number) => T
  /** Stores a batch and returns the outcome of each row. Must call `checkpoint` in the transaction that stores the batch. */
  store: (batch: T[], checkpoint: (db: Db, outcomes: RowOutcome[]) => Promise<void>) => Promise<RowOutcome[]>
}

/** Imports records in batches. A rejected record is reported and does not affect the others. */
export async function importRows<T>({ rows, read, store, after, ...watch }: Import<T>): Promise<ImportCounts> {
  let counts: ImportCounts = { created: 0, existing: 0, rejected: 0, ...after, rows: 0 }
  const passedOver = after?.rows ?? 0
  let batch: { line: number; value: T | null; refusal: RowRejected | null }[] = []
  let usable = 0
  let chars = 0
  const flush = async (progress: number | null) => {
    const values = batch.flatMap(({ value }) => (value === null ? [] : [value]))
    const settle = (outcomes: RowOutcome[]) =>
      tally(
        counts,
        batch.map(({ refusal }) => refusal),
        outcomes,
      )
    const ends = (outcomes: RowOutcome[]) => {
      const next = outcomes.values()
      return batch.map(({ refusal, ...row }) => ({ ...row, outcome: refusal ?? (next.next().value as RowOutcome) }))
    }
    const rejected = (outcomes: RowOutcome[]) =>
      ends(outcomes).flatMap(({ line, outcome }) =>
        outcome instanceof RowRejected ? [{ line, reason: outcome.message }] : [],
      )
    const checkpoint = async (db: Db, outcomes: RowOutcome[]) =>
      watch.checkpoint?.(db, settle(outcomes), progress, rejected(outcomes))
    const outcomes = values.length > 0 ? await store(values, checkpoint) : []
    for (const { line, value, outcome } of ends(outcomes)) {
      watch.onRow?.(line, value, outcome)
      if (outcome instanceof RowRejected) watch.onRejected?.({ line, reason: outcome.message })
    }
    counts = settle(outcomes)
    batch = []
    usable = 0
    chars = 0
    watch.onProgress?.(counts, progress)
  }
  const yields = yieldToEventLoop()
  let progress: number | null = null
  try {
    for await (const some of rows) {
      for (const row of some) {
        await yields()
        progress = row.progress
        counts.rows++
        if (counts.rows <= passedOver) continue
        const { value, refusal } = readRow(row, read)
        batch.push({ line: row.line, value, refusal })
        if (!refusal) usable++
        if ('fields' in row) for (const field in row.fields) chars += row.fields[field]?.length ?? 0
        if (usable >= BATCH || batch.length >= MAX_BATCH_ROWS || chars >= MAX_BATCH_CHARS) await flush(progress)
      }
    }
  } catch (error) {
    // Rows before the unreadable part of a file are stored.
    if (error instanceof SetupError) await flush(progress)
    throw error
  }
  await flush(1)
  return counts
}

function readRow<T>(row: CsvRow, read: (fields: Record<string, string>, line: number) => T) {
  try {
    if ('reason' in row) throw new RowRejected(row.reason)
    return { value: read(row.fields, row.line), refusal: null }
  } catch (error) {
    if (!(error instanceof RowRejected)) throw error
    return { value: null, refusal: error }
  }
}

/** Returns the counts after a batch. */
function tally(before: ImportCounts, refusals: (RowRejected | null)[], outcomes: RowOutcome[]): ImportCounts {
  const counts = { ...before }
  for (const outcome of [...refusals.filter((refusal) => refusal !== null), ...outcomes]) {
    if (outcome instanceof RowRejected) counts.rejected++
    else counts[outcome]++
  }
  return counts
}
