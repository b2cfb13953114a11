import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import type { MarkedExample } from '../../engine/custom-signals/examples.ts'
import type { FeedbackCounts } from '../../engine/score/feedback.ts'
import { BUILTIN_SIGNALS, findBuiltinSignal } from '../../engine/signals/index.ts'
import { AppError, notFound } from '../../shared/errors.ts'

const FIELDS = ['id', 'name', 'description', 'is_builtin', 'enabled', 'created_at', 'updated_at'] as const

/** The number of detections in the last 30 days, by the day of the event. */
const findingsOf = (workspaceId: string) =>
  sql<number>`(select count(*)::int from signal_detections as found
  where found.workspace_id = ${workspaceId} and found.signal_id = signals.id and found.is_shown
    and found.detected_at > current_date - 30)`.as('findings_30d')

/** Adds the colour of a built-in signal. */
const withColor = <Row extends { id: string; is_builtin: boolean }>(row: Row) => ({
  ...row,
  color: (row.is_builtin && findBuiltinSignal(row.id)?.color) || 'gray',
})

/** The feedback of members since the last change of the description. */
const verdictsOf = (workspaceId: string) =>
  sql<FeedbackCounts>`(select json_build_object('right', count(*) filter (where judged.verdict = 'right'),
    'wrong', count(*) filter (where judged.verdict = 'wrong'))
  from signal_detections as judged
  where judged.workspace_id = ${workspaceId} and judged.signal_id = signals.id and judged.verdict is not null
    and judged.verdict_at >= signals.described_at)`.as('verdicts')

const examplesOf = (workspaceId: string) =>
  sql<MarkedExample[]>`(select coalesce(json_agg(json_build_object('sentence', marked.sentence,
    'verdict', marked.verdict, 'confidence', marked.confidence)), '[]')
  from custom_signal_examples as marked
  where marked.workspace_id = ${workspaceId} and marked.signal_id = signals.id)`.as('examples')

export type NewSignal = { id: string; name: string; description: string; is_builtin: boolean; enabled?: boolean }
export type SignalFields = { name: string; description: string; enabled: boolean }

const nameTaken = () => new AppError('name_taken', 'Another signal of this workspace has this name.')

/** All signals with the number of recent detections. */
export async function listSignalsWithFindings(db: Db, workspaceId: string) {
  const rows = await signalsOf(db, workspaceId)
    .select([findingsOf(workspaceId), verdictsOf(workspaceId)])
    .execute()
  return rows.map(withColor)
}

export function listSignals(db: Db, workspaceId: string) {
  return signalsOf(db, workspaceId).execute()
}

/** The signals with the feedback and the marked examples that detection uses. */
export function listSignalsToDetect(db: Db, workspaceId: string) {
  return signalsOf(db, workspaceId)
    .select([verdictsOf(workspaceId), examplesOf(workspaceId)])
    .execute()
}

function signalsOf(db: Db, workspaceId: string) {
  return db
    .selectFrom('signals')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('is_builtin', 'desc')
    .orderBy('created_at')
    .orderBy('id')
}

/** Locks a signal, so that concurrent changes of its data wait. Throws not_found. */
export async function lockSignal(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('signals')
    .select(['id', 'is_builtin'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('signal')
  return found
}

/** Locks descriptions until the transaction ends; deleted signals are missing. */
export async function lockDescriptions(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('signals')
    .select(['id', 'description'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(rows.map(({ id, description }) => [id, description]))
}

/** Throws not_found. */
export async function getSignal(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('signals')
    .select(FIELDS)
    .select([findingsOf(workspaceId), verdictsOf(workspaceId)])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('signal')
  return withColor(found)
}

/** Inserts the missing built-in signals of a workspace, or of all; a custom signal with the same id or name stays. */
export async function insertBuiltinSignals(db: Db, workspaceId: string | null): Promise<void> {
  const builtin = JSON.stringify(BUILTIN_SIGNALS.map(({ id, name, description }) => ({ id, name, description })))
  const workspace = workspaceId === null ? sql`workspaces.id` : sql`${workspaceId}::uuid`
  await sql`insert into signals (workspace_id, id, name, description, is_builtin, enabled)
    select ${workspace}, builtin.id, builtin.name, builtin.description, true, true
    from ${sql.raw(workspaceId === null ? `workspaces, ${ALL_WORKSPACES}` : '')}
      jsonb_to_recordset(${builtin}::jsonb) as builtin (id text, name text, description text)
    where not exists (select from signals where signals.workspace_id = ${workspace} and signals.id = builtin.id)
    on conflict do nothing`.execute(db)
}

/** Inserts a signal; returns null when its id exists. Throws name_taken. */
export async function insertSignal(db: Db, workspaceId: string, signal: NewSignal) {
  const row = await db
    .insertInto('signals')
    .values({ workspace_id: workspaceId, enabled: true, ...signal })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .returning(FIELDS)
    .executeTakeFirst()
    .catch(onUniqueViolation('signals_name', nameTaken))
  return row ? withColor({ ...row, findings_30d: 0, verdicts: { right: 0, wrong: 0 } }) : null
}

/** Throws not_found, name_taken. */
export async function updateSignalRow(db: Db, workspaceId: string, id: string, fields: Partial<SignalFields>) {
  const updated = await db
    .updateTable('signals')
    .set({ ...fields, updated_at: sql`now()`, ...(fields.description !== undefined && { described_at: sql`now()` }) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(FIELDS)
    .executeTakeFirst()
    .catch(onUniqueViolation('signals_name', nameTaken))
  if (!updated) throw notFound('signal')
  return updated
}

export async function deleteSignalRow(db: Db, workspaceId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('signals')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('signal')
}
