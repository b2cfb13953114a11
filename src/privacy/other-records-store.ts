import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** Deletes the cached readings of the language model, which may name the erased person. The redacted texts are read again. */
export async function deleteModelReadings(db: Db, workspaceId: string): Promise<void> {
  await sql`delete from model_readings where workspace_id = ${workspaceId} and events <> '[]'`.execute(db)
}

export function listSearchQueries(db: Db, workspaceId: string) {
  return db.selectFrom('people_searches').select(['id', 'query']).where('workspace_id', '=', workspaceId).execute()
}

export async function rewriteSearchQuery(db: Db, workspaceId: string, id: string, query: string): Promise<void> {
  await db
    .updateTable('people_searches')
    .set({ query })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Lists the example sentences of signals. */
export function listMarkedSentences(db: Db, workspaceId: string) {
  return db
    .selectFrom('custom_signal_examples')
    .select(['id', 'signal_id', 'sentence'])
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** Writes a redacted example sentence. Deletes another example of the signal that is identical after redaction. */
export async function rewriteMarkedSentence(
  db: Db,
  workspaceId: string,
  { id, signal_id, sentence }: Awaited<ReturnType<typeof listMarkedSentences>>[number],
): Promise<void> {
  await sql`
    delete from custom_signal_examples where workspace_id = ${workspaceId} and signal_id = ${signal_id}
      and md5(sentence) = md5(${sentence}) and id <> ${id}`.execute(db)
  await db
    .updateTable('custom_signal_examples')
    .set({ sentence })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Lists what members wrote or were learned to write: sample messages, greetings and sign-offs. */
export function listSampleMessages(db: Db, workspaceId: string) {
  return db
    .selectFrom('member_profiles')
    .select(['member_id', 'sample_messages', 'greeting', 'sign_off'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`(sample_messages <> '[]' or greeting is not null or sign_off is not null)`)
    .execute()
}

type SampleMessages = Awaited<ReturnType<typeof listSampleMessages>>[number]

/** Does not overwrite samples that were saved since `before` was read: these are redacted when they are saved. */
export async function rewriteSampleMessages(
  db: Db,
  workspaceId: string,
  before: SampleMessages,
  { member_id, sample_messages, greeting, sign_off }: SampleMessages,
): Promise<void> {
  await db
    .updateTable('member_profiles')
    .set({ sample_messages: JSON.stringify(sample_messages), greeting, sign_off })
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', member_id)
    .where('sample_messages', '=', sql<string[]>`${JSON.stringify(before.sample_messages)}::jsonb`)
    .execute()
}

/** A page of what discovery stores of companies without a known website, after a row. */
export function listUnresolvedTexts(
  db: Db,
  workspaceId: string,
  { run_id, position }: { run_id: string; position: number },
) {
  return db
    .selectFrom('run_unresolved')
    .select(['run_id', 'position', 'name', 'url', 'attempts'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`(run_id, position) > (${run_id}, ${position})`)
    .orderBy('run_id')
    .orderBy('position')
    .limit(500)
    .execute()
}

export async function rewriteUnresolvedTexts(
  db: Db,
  workspaceId: string,
  { run_id, position, name, url, attempts }: Awaited<ReturnType<typeof listUnresolvedTexts>>[number],
): Promise<void> {
  await db
    .updateTable('run_unresolved')
    .set({ name, url, attempts })
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', run_id)
    .where('position', '=', position)
    .execute()
}

/** Lists the error messages of imports, which quote rejected rows. */
export async function listImportTexts(db: Db, workspaceId: string) {
  const { rows } = await sql<{ id: string; errors: { line: number; reason: string }[]; failure: string | null }>`
    select id, errors, failure from imports
    where workspace_id = ${workspaceId} and (errors <> '[]' or failure is not null)`.execute(db)
  return rows
}

export async function rewriteImportTexts(
  db: Db,
  workspaceId: string,
  { id, errors, failure }: Awaited<ReturnType<typeof listImportTexts>>[number],
): Promise<void> {
  await sql`
    update imports set errors = ${JSON.stringify(errors)}, failure = ${failure}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/**
 * Clears the responses of receivers and CRMs about deleted records, because they may repeat the data sent. Applies to one
 * record, or to all with null.
 */
export async function clearDeliveryResponses(db: Db, workspaceId: string, recordId: string | null): Promise<void> {
  const which = recordId === null ? sql`true` : sql`record_id = ${recordId}`
  // Deliveries without a record, such as test calls, contain no personal data.
  const gone = sql`record_id is not null
    and not exists (select from people where people.workspace_id = ${workspaceId} and people.id = record_id)
    and not exists (select from accounts where accounts.workspace_id = ${workspaceId} and accounts.id = record_id)`
  await sql`
    update deliveries set answer = null, message = null, body_digest = null
    where workspace_id = ${workspaceId} and ${which}
      and (answer is not null or message is not null or body_digest is not null) and ${gone}`.execute(db)
  await sql`
    update push_rows set message = null, outcomes = null
    where workspace_id = ${workspaceId} and ${which} and (message is not null or outcomes is not null)
      and state <> 'pending' and ${gone}`.execute(db)
}
