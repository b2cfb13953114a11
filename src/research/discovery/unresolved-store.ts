import { sql } from 'kysely'
import type { RunUnresolved } from '../../db/company-tables.ts'
import type { Db } from '../../db/connect.ts'
import { findRun } from '../../resources/runs/store.ts'
import { notFound } from '../../shared/errors.ts'

/** Stores the companies of a run whose domain was not found, in the order of the leads. */
export async function insertUnresolved(
  db: Db,
  workspaceId: string,
  runId: string,
  unresolved: readonly Omit<RunUnresolved, 'workspace_id' | 'run_id' | 'position'>[],
): Promise<void> {
  if (unresolved.length === 0) return
  const rows = unresolved.map((company, position) => ({ ...company, position }))
  await sql`
    insert into run_unresolved (workspace_id, run_id, position, name, signal_id, source, url, attempts)
    select ${workspaceId}::uuid, ${runId}::uuid, position, name, signal_id, source, url, attempts
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (position integer, name text, signal_id text, source text, url text, attempts text[])`.execute(db)
}

/** The companies of a run whose domain was not found. Throws not_found. */
export async function listUnresolved(
  db: Db,
  workspaceId: string,
  runId: string,
  { page, per_page }: { page: number; per_page: number },
) {
  if (!(await findRun(db, workspaceId, runId))) throw notFound('run')
  const unresolved = db.selectFrom('run_unresolved').where('workspace_id', '=', workspaceId).where('run_id', '=', runId)
  const [rows, { count }] = await Promise.all([
    unresolved
      .select(['name', 'signal_id', 'source', 'url', 'attempts'])
      .orderBy('position')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    unresolved.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, count }
}
