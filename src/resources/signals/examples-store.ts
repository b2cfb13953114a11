import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { MarkedExample } from '../../engine/custom-signals/examples.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'

const FIELDS = ['id', 'sentence', 'verdict', 'confidence', 'created_at'] as const

/** The sentences marked for a signal, the latest first. */
export function listExamples(db: Db, workspaceId: string, signalId: string) {
  return db
    .selectFrom('custom_signal_examples')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .where('signal_id', '=', signalId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Stores marked sentences; a new mark replaces an earlier one. */
export function upsertExamples(
  db: Db,
  workspaceId: string,
  signalId: string,
  markedBy: string,
  examples: readonly MarkedExample[],
) {
  // A statement cannot write a row twice.
  const once = [...new Map(examples.map((example) => [example.sentence, example])).values()]
  if (once.length === 0) return Promise.resolve([])
  const ids = { workspace_id: workspaceId, signal_id: signalId, marked_by: markedBy }
  return db
    .insertInto('custom_signal_examples')
    .values(once.map(({ sentence, verdict, confidence }) => ({ ...ids, id: newId(), sentence, verdict, confidence })))
    .onConflict((conflict) =>
      conflict.expression(sql`workspace_id, signal_id, md5(sentence)`).doUpdateSet((eb) => ({
        verdict: eb.ref('excluded.verdict'),
        confidence: eb.ref('excluded.confidence'),
        marked_by: eb.ref('excluded.marked_by'),
      })),
    )
    .returning(FIELDS)
    .execute()
}

/** Throws not_found. */
export async function deleteExample(db: Db, workspaceId: string, signalId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('custom_signal_examples')
    .where('workspace_id', '=', workspaceId)
    .where('signal_id', '=', signalId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('example')
}

/** After a change of the description: the confidence of the classifier no longer applies, the marks of members do. */
export async function clearExampleConfidences(db: Db, workspaceId: string, signalId: string): Promise<void> {
  await db
    .updateTable('custom_signal_examples')
    .set({ confidence: null })
    .where('workspace_id', '=', workspaceId)
    .where('signal_id', '=', signalId)
    .execute()
}
