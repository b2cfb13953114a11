import { CompiledQuery, type ExpressionBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { StoredImportOptions } from '../db/company-tables.ts'
import type { Db } from '../db/connect.ts'
import { ALL_WORKSPACES } from '../db/distribution.ts'
import { purgeOlderThan } from '../db/purge.ts'
import type { Database } from '../db/schema.ts'
import { notFound } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'
import type { ImportCounts, RejectedRow } from './batches.ts'

const FIELDS = [
  ...(['id', 'status', 'format', 'bytes', 'progress', 'rows', 'created', 'existing', 'rejected', 'errors'] as const),
  ...(['failure', 'finished_at', 'created_at', 'file_name'] as const),
] as const

/** Maximum number of rejected rows stored for the report. */
export const MAX_STORED_ERRORS = 20

export type ImportKind = Database['imports']['kind']

/** Kind, format and layout options of an uploaded file. */
export type ImportUpload = {
  kind: ImportKind
  format: Database['imports']['format']
  options: StoredImportOptions
  file_name: string | null
}

/** Excludes imports whose upload is not complete. */
const isWhole = (eb: ExpressionBuilder<Database, 'imports'>) => eb('status', '<>', 'receiving')
type VisibleStatus = { status: 'running' | 'done' | 'failed' }

/** Inserts an upload; its chunks follow. */
export async function insertUpload(
  db: Db,
  workspaceId: string,
  { kind, format, options, file_name }: ImportUpload,
): Promise<string> {
  const id = newId()
  const row = { workspace_id: workspaceId, id, status: 'receiving', kind, format, file_name } as const
  await db
    .insertInto('imports')
    .values({ ...row, options: JSON.stringify(options), errors: '[]' })
    .execute()
  return id
}

/** Stores the next chunk of a file. */
export async function insertUploadChunk(
  db: Db,
  workspaceId: string,
  id: string,
  position: number,
  bytes: Buffer,
): Promise<void> {
  await db
    .with('touched', (db) =>
      db
        .updateTable('imports')
        .set({ touched_at: sql`now()`, bytes: sql`bytes + ${bytes.length}` })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id),
    )
    .insertInto('import_chunks')
    .values({ workspace_id: workspaceId, import_id: id, position, bytes })
    .execute()
}

/** Marks the upload as complete, which makes the import visible. */
export async function startImport(db: Db, workspaceId: string, id: string) {
  return db
    .updateTable('imports')
    .set({ status: 'running', touched_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
}

export async function deleteUpload(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('imports').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Returns the chunk at a position, or null after the last one. */
export async function findUploadChunk(
  db: Db,
  workspaceId: string,
  id: string,
  position: number,
): Promise<Buffer | null> {
  const found = await db
    .selectFrom('import_chunks')
    .select('bytes')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .where('position', '=', position)
    .executeTakeFirst()
  return found?.bytes ?? null
}

/** Returns an import whose upload is complete, with its layout options. */
export async function findImport(db: Db, workspaceId: string, kind: ImportKind, id: string) {
  const found = await db
    .selectFrom('imports')
    .select([...FIELDS, 'options'])
    .where('kind', '=', kind)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(isWhole)
    .executeTakeFirst()
  return found ? (found as typeof found & VisibleStatus) : null
}

/** Throws not_found. */
export async function getImport(db: Db, workspaceId: string, kind: ImportKind, id: string) {
  const found = await findImport(db, workspaceId, kind, id)
  if (!found) throw notFound('import')
  const { options, ...shown } = found
  return { ...shown, tag: options.tag ?? null }
}

export async function listImports(
  db: Db,
  workspaceId: string,
  kind: ImportKind,
  { page, per_page }: { page: number; per_page: number },
) {
  const query = db.selectFrom('imports').where('workspace_id', '=', workspaceId).where('kind', '=', kind).where(isWhole)
  const [rows, { count }] = await Promise.all([
    query
      .select([...FIELDS, sql<string | null>`options ->> 'tag'`.as('tag')])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows: rows as ((typeof rows)[number] & VisibleStatus)[], count }
}

/** The job is retried and the import does not fail: the other worker may be one that is about to stop. */
export class ContinuedByOtherWorker extends Error {
  constructor() {
    super('Another worker is processing this import.')
  }
}

/**
 * Stores the progress of an import in the transaction that stores its rows. Throws ContinuedByOtherWorker, which rolls the
 * transaction back, when the stored rows are no longer those after which this worker continues: so no row counts twice.
 */
export async function saveCheckpoint(
  on: pg.ClientBase | Db,
  workspaceId: string,
  id: string,
  { rows, created, existing, rejected }: ImportCounts,
  progress: number,
  errors: readonly RejectedRow[],
  after: number,
): Promise<void> {
  const text = `update imports set rows = $3, created = $4, existing = $5, rejected = $6, progress = $7, errors = $8,
       touched_at = now(), taken_up = 0
     where workspace_id = $1 and id = $2 and status = 'running' and rows = $9
     returning id`
  const values = [workspaceId, id, rows, created, existing, rejected, progress, JSON.stringify(errors), after]
  const stored = await ('executeQuery' in on
    ? on.executeQuery(CompiledQuery.raw(text, values))
    : on.query(text, values))
  if (stored.rows.length === 0) throw new ContinuedByOtherWorker()
}

/** Ends an import and deletes its file; without a report the stored counts are not changed. */
export async function endImport(
  db: Db,
  workspaceId: string,
  id: string,
  { report, errors, failure }: { report?: ImportCounts; errors?: readonly RejectedRow[]; failure?: string },
): Promise<void> {
  await db
    .with('forgotten', (db) =>
      db.deleteFrom('import_chunks').where('workspace_id', '=', workspaceId).where('import_id', '=', id),
    )
    .updateTable('imports')
    .set({
      ...(report ?? {}),
      ...(errors ? { errors: JSON.stringify(errors) } : {}),
      ...(failure === undefined ? { status: 'done', progress: 1 } : { status: 'failed', failure }),
      finished_at: sql`now()`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
}

/** Claims imports of all workspaces without recent progress, and returns how often each was claimed in a row. */
export function claimIdleImports(db: Db, idleSeconds: number) {
  return (
    db
      .updateTable('imports')
      .set({ touched_at: sql`now()`, taken_up: sql`taken_up + 1` })
      .where('status', '=', 'running')
      // A command reads its file itself, which may be standard input; after a day it has ended.
      .where(sql<boolean>`(bytes > 0 or touched_at < now() - interval '1 day')`)
      .where('touched_at', '<', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
      .returning(['workspace_id', 'id', 'kind', 'taken_up'])
      .modifyEnd(sql.raw(ALL_WORKSPACES))
      .execute()
  )
}

/** Deletes uploads that were not completed. */
export async function deleteAbandonedUploads(db: Db, idleSeconds: number): Promise<void> {
  await db
    .deleteFrom('imports')
    .where('status', '=', 'receiving')
    .where('touched_at', '<', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
    .modifyEnd(sql.raw(ALL_WORKSPACES))
    .execute()
}

/** Imports that ended this many days ago and of which no account is left. */
export const endedImports = (days: number) =>
  purgeOlderThan({
    table: 'imports',
    time: 'finished_at',
    days,
    where: sql`not exists (select from accounts
      where accounts.workspace_id = imports.workspace_id and accounts.import_id = imports.id)`,
  })
