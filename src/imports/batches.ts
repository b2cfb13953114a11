import type { Db } from '../db/connect.ts'
import { SetupError } from '../shared/errors.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import type { CsvRow, CsvRows } from './csv-file.ts'
import { RowRejected } from './fields.ts'

export type RejectedRow = { line: number; reason: string }

export type ImportCounts = { rows: number; created: number; existing: number; rejected: number }

const BATCH = 500
/** Lines that cannot be used wait for a batch, too. */
const MAX_BATCH_ROWS = 2_000
/** What is kept of a line may hold on to all of it, and a line may have a megabyte: a batch of such lines is a small one. */
const MAX_BATCH_CHARS = 8 * 1024 * 1024

export type RowOutcome = 'created' | 'existing' | RowRejected

/** What whoever starts an import is told of it. */
export type ImportCallbacks<T> = {
  onProgress?: (counts: ImportCounts, progress: number | null) => void
  /** Called for each line that cannot be used: their number has no limit, so they are not kept. */
  onRejected?: (rejected: RejectedRow) => void
  /** Called for each line that was read, in their order, when it is known what becomes of it. */
  onRow?: (line: number, value: T | null, outcome: RowOutcome) => void
  /** Where an earlier attempt ended: its rows are passed over and its counts go on. */
  after?: ImportCounts
  /** Writes how far the import has come, in the transaction that stores the batch. */
  checkpoint?: (db: Db, counts: ImportCounts, progress: number | null, rejected: RejectedRow[]) => Promise<void>
}

type Import<T> = ImportCallbacks<T> & {
  rows: CsvRows
  /** Turns a record into what is stored. Throws Unusable. */
  read: (fields: Record<string, string>) => T
  /**
   * Stores a batch and answers, for each, whether it is new, was there, or cannot be stored and why. `along` belongs to
   * the transaction that stores it.
   */
  store: (batch: T[], along: (db: Db, outcomes: RowOutcome[]) => Promise<void>) => Promise<RowOutcome[]>
}

/** Imports records in batches. One bad record is reported and does not hold up the others. */
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
    const along = async (db: Db, outcomes: RowOutcome[]) =>
      watch.checkpoint?.(db, settle(outcomes), progress, rejected(outcomes))
    const outcomes = values.length > 0 ? await store(values, along) : []
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
  const turn = yieldToEventLoop()
  let progress: number | null = null
  try {
    for await (const some of rows) {
      for (const row of some) {
        await turn()
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
    // What stands before the place where a file cannot be read any more counts.
    if (error instanceof SetupError) await flush(progress)
    throw error
  }
  await flush(1)
  return counts
}

function readRow<T>(row: CsvRow, read: (fields: Record<string, string>) => T) {
  try {
    if ('reason' in row) throw new RowRejected(row.reason)
    return { value: read(row.fields), refusal: null }
  } catch (error) {
    if (!(error instanceof RowRejected)) throw error
    return { value: null, refusal: error }
  }
}

/** The counts after a batch. */
function tally(before: ImportCounts, refusals: (RowRejected | null)[], outcomes: RowOutcome[]): ImportCounts {
  const counts = { ...before }
  for (const outcome of [...refusals.filter((refusal) => refusal !== null), ...outcomes]) {
    if (outcome instanceof RowRejected) counts.rejected++
    else counts[outcome]++
  }
  return counts
}
