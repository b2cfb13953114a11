import type { Row } from './csv-file.ts'

export type Rejected = { line: number; reason: string }

export type Report = { rows: number; created: number; existing: number; rejected: Rejected[] }

const BATCH = 500

/** Thrown by a row that cannot be imported; its message is the reason in the report. */
export class Unusable extends Error {}

type Import<T> = {
  rows: AsyncIterable<Row>
  /** Turns a record into what is stored. Throws Unusable. */
  read: (fields: Record<string, string>) => T
  /** Stores a batch and answers, for each, whether it is new, was there, or cannot be stored and why. */
  store: (batch: T[]) => Promise<('created' | 'existing' | Unusable)[]>
  onProgress?: (report: Report, progress: number | null) => void
}

/** Imports records in batches. One bad record is reported and does not hold up the others. */
export async function importRows<T>({ rows, read, store, onProgress }: Import<T>): Promise<Report> {
  const report: Report = { rows: 0, created: 0, existing: 0, rejected: [] }
  let batch: { line: number; value: T }[] = []
  const flush = async (progress: number | null) => {
    const results = batch.length > 0 ? await store(batch.map(({ value }) => value)) : []
    for (const [at, result] of results.entries()) {
      if (result instanceof Unusable) report.rejected.push({ line: batch[at]?.line ?? 0, reason: result.message })
      else report[result]++
    }
    batch = []
    onProgress?.(report, progress)
  }
  for await (const row of rows) {
    const { line, progress } = row
    report.rows++
    try {
      if ('reason' in row) throw new Unusable(row.reason)
      batch.push({ line, value: read(row.fields) })
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      report.rejected.push({ line, reason: error.message })
    }
    if (batch.length >= BATCH) await flush(progress)
  }
  await flush(1)
  return report
}
