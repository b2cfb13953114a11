import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { MoveSource, ScoreComponent, StoredEvidence } from '../db/schema.ts'
import { hashDocument } from '../resources/documents/store.ts'

/** Lists the next batch of an account's documents in id order. */
export function listStoredDocuments(db: Db, workspaceId: string, accountId: string, after: string, limit: number) {
  return db
    .selectFrom('documents')
    .select(['id', 'url', 'title', 'text', 'tells', 'hash'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns the ids of the documents whose hash has not changed. */
export async function findUnchangedDocuments(
  db: Db,
  workspaceId: string,
  documents: readonly { id: string; hash: Buffer }[],
): Promise<Set<string>> {
  const [ids, hashes] = [documents.map(({ id }) => id), documents.map(({ hash }) => hash)]
  const { rows } = await sql<{ id: string }>`
    select documents.id from documents join unnest(${ids}::uuid[], ${hashes}::bytea[]) as before (id, hash)
      on before.id = documents.id and before.hash = documents.hash
    where documents.workspace_id = ${workspaceId}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function deleteDocument(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('documents').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

type StoredDocument = Awaited<ReturnType<typeof listStoredDocuments>>[number]

/** Writes redacted texts of a document. Deletes another document that has the same URL after redaction. */
export async function rewriteDocument(
  db: Db,
  workspaceId: string,
  accountId: string,
  { id, url, title, text, tells }: Omit<StoredDocument, 'hash'>,
): Promise<void> {
  await sql`
    delete from documents where workspace_id = ${workspaceId} and account_id = ${accountId}
      and md5(url) = md5(${url}) and id <> ${id}`.execute(db)
  await db
    .updateTable('documents')
    .set({ url, title, text, tells: tells && JSON.stringify(tells), hash: hashDocument(title, text) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Lists the open positions of an account. */
export function listStoredOpenings(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('openings')
    .select(['url', 'title', 'location'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}

type StoredOpening = Awaited<ReturnType<typeof listStoredOpenings>>[number]

/** Writes redacted texts of the opening at a URL. Deletes another opening that has the same URL after redaction. */
export async function rewriteOpening(
  db: Db,
  workspaceId: string,
  accountId: string,
  before: string,
  { url, title, location }: StoredOpening,
): Promise<void> {
  const ofAccount = sql`workspace_id = ${workspaceId} and account_id = ${accountId}`
  await sql`delete from openings where ${ofAccount} and md5(url) = md5(${url}) and url <> ${before}`.execute(db)
  await sql`
    update openings set url = ${url}, title = ${title}, location = ${location}
    where ${ofAccount} and md5(url) = md5(${before})`.execute(db)
}

export function listStoredDetections(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('signal_detections')
    .select(['id', 'headline', 'narrative', 'why_reach_out_md', 'drafted_message_md', 'evidence'])
    .select(['key_facts', 'personas', 'sources', 'verdict_reason'])
    .select(
      // The strings of the draft, because in its JSON a name after a line break would follow the letter of an escape.
      sql<string | null>`concat_ws(chr(10), draft -> 'to' ->> 'full_name', draft -> 'message' ->> 'subject',
        draft -> 'message' ->> 'body', draft -> 'message' ->> 'short_message', draft -> 'message' ->> 'call_opener')`.as(
        'draft_text',
      ),
    )
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('signal_present', '=', true)
    .execute()
}

export type StoredDetection = Awaited<ReturnType<typeof listStoredDetections>>[number]

/**
 * Writes redacted texts of a detection, and clears the hash of its draft, so that the next draft replaces them. A draft that
 * named the person is cleared, also one that a member edited; other edited drafts stay.
 */
export async function rewriteDetection(
  db: Db,
  workspaceId: string,
  before: StoredDetection,
  { id, evidence, draft_text, drafted_message_md, ...texts }: StoredDetection,
) {
  const isNamed = draft_text !== before.draft_text || drafted_message_md !== before.drafted_message_md
  await db
    .updateTable('signal_detections')
    .set({
      ...texts,
      evidence: JSON.stringify(evidence satisfies StoredEvidence[]),
      draft_hash: null,
      ...(isNamed ? { drafted_message_md, draft: null, draft_person_id: null } : {}),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Returns the texts of an account; null if it was deleted. */
export async function findAccountTexts(db: Db, workspaceId: string, accountId: string) {
  const found = await db
    .selectFrom('accounts')
    .select(['short_description', 'researched', 'why_now_md', 'score_components', 'relationship_reason', 'crm_fields'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .executeTakeFirst()
  return found ?? null
}

type AccountTexts = NonNullable<Awaited<ReturnType<typeof findAccountTexts>>>

export async function rewriteAccountTexts(
  db: Db,
  workspaceId: string,
  id: string,
  { researched, score_components, crm_fields, ...texts }: AccountTexts,
) {
  await db
    .updateTable('accounts')
    .set({
      ...texts,
      researched: JSON.stringify(researched),
      crm_fields: JSON.stringify(crm_fields),
      score_components: JSON.stringify(score_components satisfies ScoreComponent[]),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Lists what the CRM says about an account: names and reasons of deals, and descriptions of its companies there. */
export async function listCrmTexts(db: Db, workspaceId: string, accountId: string) {
  const { rows } = await sql<{ what: 'deal' | 'company'; provider: string; crm_id: string; texts: (string | null)[] }>`
    with company as (
      select * from pulled_companies where workspace_id = ${workspaceId} and account_id = ${accountId}
    )
    select 'deal' as what, deal.provider, deal.crm_id, array[deal.name, deal.lost_reason] as texts
    from pulled_deals as deal join company on company.provider = deal.provider and company.crm_id = deal.company_crm_id
    where deal.workspace_id = ${workspaceId}
    union all
    select 'company', provider, crm_id, array[fields ->> 'short_description'] from company
    where fields ? 'short_description'`.execute(db)
  return rows
}

export async function rewriteCrmTexts(
  db: Db,
  workspaceId: string,
  { what, provider, crm_id, texts: [first, second] }: Awaited<ReturnType<typeof listCrmTexts>>[number],
): Promise<void> {
  const ofRecord = sql`workspace_id = ${workspaceId} and provider = ${provider} and crm_id = ${crm_id}`
  await (what === 'deal'
    ? sql`update pulled_deals set name = ${first}, lost_reason = ${second} where ${ofRecord}`
    : sql`update pulled_companies set fields = jsonb_set(fields, '{short_description}', to_jsonb(${first}::text))
        where ${ofRecord}`
  ).execute(db)
}

/** Lists the next batch of monitor events that quote a page, in id order. */
export function listStoredMonitorEvents(db: Db, workspaceId: string, accountId: string, after: string, limit: number) {
  return db
    .selectFrom('monitor_events')
    .select(['id', 'url', 'reason'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'changed')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

type StoredEvent = Awaited<ReturnType<typeof listStoredMonitorEvents>>[number]

export async function rewriteMonitorEvent(
  db: Db,
  workspaceId: string,
  { id, url, reason }: StoredEvent,
): Promise<void> {
  await db
    .updateTable('monitor_events')
    .set({ url, reason })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Lists the next batch of notes about an account, of activities and work items, in id order. */
export async function listStoredNotes(db: Db, workspaceId: string, accountId: string, after: string, limit: number) {
  const { rows } = await sql<{ id: string; what: 'account_activities' | 'work_items'; note: string }>`
    select id, what, note from (
      select id, 'account_activities' as what, note from account_activities
      where workspace_id = ${workspaceId} and account_id = ${accountId}
      union all
      select id, 'work_items', note from work_items where workspace_id = ${workspaceId} and account_id = ${accountId}
    ) as noted
    where note is not null and id > ${after}
    order by id limit ${limit}`.execute(db)
  return rows
}

type StoredNote = Awaited<ReturnType<typeof listStoredNotes>>[number]

export async function rewriteNote(db: Db, workspaceId: string, { id, what, note }: StoredNote): Promise<void> {
  await db.updateTable(what).set({ note }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Deletes the notes of activities with a person: they are about them, whether or not they contain the name. */
export async function deleteNotesAbout(db: Db, workspaceId: string, personId: string): Promise<void> {
  await db
    .updateTable('account_activities')
    .set({ note: null })
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .execute()
}

/** Lists accounts with stored texts that may name a person, in id order. */
export async function listAccountsWithTexts(db: Db, workspaceId: string, after: string, limit: number) {
  const { rows } = await sql<{ id: string }>`
    select id from accounts
    where workspace_id = ${workspaceId} and id > ${after} and (short_description is not null
      or exists (select from people join person_moves as m on m.workspace_id = people.workspace_id and m.person_id = people.id
        where people.workspace_id = ${workspaceId} and people.account_id = accounts.id)
      or exists (select from pulled_companies as c where c.workspace_id = ${workspaceId} and c.account_id = accounts.id)
      or exists (select from documents where documents.workspace_id = ${workspaceId} and account_id = accounts.id)
      or exists (select from openings as o where o.workspace_id = ${workspaceId} and o.account_id = accounts.id)
      or exists (select from signal_detections as d where d.workspace_id = ${workspaceId} and d.account_id = accounts.id)
      or exists (select from monitor_events as e where e.workspace_id = ${workspaceId} and e.account_id = accounts.id)
      or exists (select from work_items as w where w.workspace_id = ${workspaceId} and w.account_id = accounts.id)
      or exists (select from account_activities as a where a.workspace_id = ${workspaceId} and a.account_id = accounts.id))
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lists the next batch of sources of moves and jobs of an account's people, in id order. */
export async function listMoveSources(db: Db, workspaceId: string, accountId: string, after: string, limit: number) {
  const { rows } = await sql<{ id: string; what: 'person_moves' | 'person_jobs'; sources: MoveSource[] }>`
    select proof.id, proof.what, proof.sources from people join (
      select person_id, id, 'person_moves' as what, evidence as sources from person_moves
      where workspace_id = ${workspaceId}
      union all select person_id, id, 'person_jobs', sources from person_jobs where workspace_id = ${workspaceId}
    ) as proof on proof.person_id = people.id
    where people.workspace_id = ${workspaceId} and people.account_id = ${accountId} and proof.id > ${after}
    order by proof.id limit ${limit}`.execute(db)
  return rows
}

export async function rewriteMoveSources(
  db: Db,
  workspaceId: string,
  { id, what, sources }: Awaited<ReturnType<typeof listMoveSources>>[number],
): Promise<void> {
  const column = what === 'person_moves' ? 'evidence' : 'sources'
  await sql`update ${sql.table(what)} set ${sql.ref(column)} = ${JSON.stringify(sources)}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}
