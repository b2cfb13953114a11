import { CompiledQuery, type ExpressionBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { StoredImportOptions } from '../db/company-tables.ts'
import type { Db } from '../db/connect.ts'
import { purgeOlderThan } from '../db/purge.ts'
import type { Database } from '../db/schema.ts'
import { notFound } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'
import type { Counts, Rejected } from './batches.ts'

const FIELDS = [
  ...(['id', 'status', 'format', 'bytes', 'progress', 'rows', 'created', 'existing', 'rejected', 'errors'] as const),
  ...(['failure', 'finished_at', 'created_at'] as const),
] as const

export type ImportKind = Database['imports']['kind']

/** What a file is, and how its sender wants it read. */
export type Upload = { kind: ImportKind; format: Database['imports']['format']; options: StoredImportOptions }

/** A file of which not all has come is nobody's yet. */
const isWhole = (eb: ExpressionBuilder<Database, 'imports'>) => eb('status', '<>', 'receiving')
type Shown = { status: 'running' | 'done' | 'failed' }

/** Begins a file; its bytes follow. */
export async function insertUpload(db: Db, workspaceId: string, { kind, format, options }: Upload): Promise<string> {
  const id = newId()
  const row = { workspace_id: workspaceId, id, status: 'receiving', kind, format } as const
  await db
    .insertInto('imports')
    .values({ ...row, options: JSON.stringify(options), errors: '[]' })
    .execute()
  return id
}

/** Keeps the next bytes of a file. */
export async function insertChunk(
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

/** A file has come whole. */
export async function beginImport(db: Db, workspaceId: string, id: string) {
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

/** The bytes of a file, from a position on. Null at its end. */
export async function findChunk(db: Db, workspaceId: string, id: string, position: number): Promise<Buffer | null> {
  const found = await db
    .selectFrom('import_chunks')
    .select('bytes')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .where('position', '=', position)
    .executeTakeFirst()
  return found?.bytes ?? null
}

/** An import whose file is there, and how to read it. */
export async function findImport(db: Db, workspaceId: string, kind: ImportKind, id: string) {
  const found = await db
    .selectFrom('imports')
    .select([...FIELDS, 'options'])
    .where('kind', '=', kind)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(isWhole)
    .executeTakeFirst()
  return found ? (found as typeof found & Shown) : null
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
  return { rows: rows as ((typeof rows)[number] & Shown)[], count }
}

/** One worker works on an import: the lock ends with the connection, whatever becomes of the worker. */
export async function lockImport(client: pg.ClientBase, id: string): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as mine', [`import ${id}`])
  return rows[0].mine
}

export async function unlockImport(client: pg.ClientBase, id: string): Promise<void> {
  await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`import ${id}`])
}

/** Writes how far an import has come, on the connection or in the transaction that stores what it brings. */
export async function saveCheckpoint(
  on: pg.ClientBase | Db,
  workspaceId: string,
  id: string,
  { rows, created, existing, rejected }: Counts,
  progress: number,
  errors: readonly Rejected[],
): Promise<void> {
  const text = `update imports set rows = $3, created = $4, existing = $5, rejected = $6, progress = $7, errors = $8,
       touched_at = now(), taken_up = 0
     where workspace_id = $1 and id = $2 and status = 'running'`
  const values = [workspaceId, id, rows, created, existing, rejected, progress, JSON.stringify(errors)]
  await ('executeQuery' in on ? on.executeQuery(CompiledQuery.raw(text, values)) : on.query(text, values))
}

/** Ends an import and forgets its file; without a report the counts stay at what is stored. */
export async function endImport(
  db: Db,
  workspaceId: string,
  id: string,
  { report, errors, failure }: { report?: Counts; errors?: readonly Rejected[]; failure?: string },
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

/** Imports of all workspaces on which nobody has worked for a while, and how often that was so. It counts as work on them. */
export function takeUpIdleImports(db: Db, idleSeconds: number) {
  return db
    .updateTable('imports')
    .set({ touched_at: sql`now()`, taken_up: sql`taken_up + 1` })
    .where('status', '=', 'running')
    .where('touched_at', '<', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
    .returning(['workspace_id', 'id', 'kind', 'taken_up'])
    .execute()
}

/** Deletes files that stopped coming. */
export async function deleteAbandonedUploads(db: Db, idleSeconds: number): Promise<void> {
  await db
    .deleteFrom('imports')
    .where('status', '=', 'receiving')
    .where('touched_at', '<', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
    .execute()
}

/** Imports that ended so many days ago: what they brought stays. */
export const endedImports = (days: number) => purgeOlderThan({ table: 'imports', time: 'finished_at', days })
