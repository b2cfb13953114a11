import type { Db } from '../db/connect.ts'
import { AppError } from '../shared/errors.ts'
import {
  type AuditSource,
  type AuditTarget,
  beginChange,
  completeChange,
  type OpenChange,
  touchChange,
} from './store.ts'

const TOUCH_MS = 600_000

/** The figures of an operation on many records; none of one whose entry names the fields of a record before and after. */
export function figuresIn({ record, id }: AuditTarget, result: unknown): Record<string, number> {
  if (record?.key === null || id !== null) return {}
  if (Array.isArray(result)) return { records: result.length }
  const isRecord = typeof result === 'object' && result !== null && !('id' in result)
  return Object.fromEntries(
    Object.entries(isRecord ? result : {}).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value]] : Array.isArray(value) ? [[name, value.length]] : [],
    ),
  )
}

/** Makes a change with its entry, outside of a request to the API. `added` returns the id of a record that was added. */
export async function audited<T>(
  db: Db,
  source: AuditSource,
  action: string,
  target: AuditTarget,
  run: () => Promise<T>,
  added: (result: T) => string | null = () => null,
): Promise<T> {
  const change = await beginChange(db, source, action, target)
  const result = await runAlive(db, change, run).catch(async (error) => {
    const error_code = error instanceof AppError ? error.code : null
    const outcome = error_code === 'forbidden' ? 'refused' : 'failed'
    // Without its entry the pending row stays, and is closed later. The first error is the one to report.
    await completeChange(db, change, { outcome, error_code }).catch(() => {})
    throw error
  })
  await completeChange(db, change, { outcome: 'ok', added_id: added(result), details: figuresIn(target, result) })
  return result
}

async function runAlive<T>(db: Db, change: OpenChange, run: () => Promise<T>): Promise<T> {
  const stop = keepAlive(db, change)
  try {
    return await run()
  } finally {
    stop()
  }
}

/** Reports that a change is still being made, until the returned function is called or `isOver` returns true. */
export function keepAlive(db: Db, change: OpenChange, isOver = () => false): () => void {
  const timer = setInterval(() => {
    if (isOver()) return clearInterval(timer)
    // A failed update does no harm: the next one follows long before the change counts as abandoned.
    touchChange(db, change).catch(() => {})
  }, TOUCH_MS).unref()
  return () => clearInterval(timer)
}
