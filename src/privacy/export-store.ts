import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../db/connect.ts'
import { MOVE_SENTENCE } from '../db/move-sentence.ts'
import { visibleTo } from '../db/visibility.ts'
import type { PersonMove } from '../resources/people/history-schema.ts'
import { notFound } from '../shared/errors.ts'
import type { Viewer } from '../shared/member.ts'

/** Maximum number of documents of other companies that are searched, because searching a large workspace would take minutes. */
const MAX_SEARCHED = 20_000

/** Returns the whole row of a person, with company and owner. Throws not_found if the viewer may not see the person. */
export async function getStoredPerson(db: Db, viewer: Viewer, id: string) {
  const found = await db
    .selectFrom('people')
    .innerJoin('accounts as account', (join) =>
      join.onRef('account.workspace_id', '=', 'people.workspace_id').onRef('account.id', '=', 'people.account_id'),
    )
    .leftJoin('members as owner', (join) =>
      join.onRef('owner.workspace_id', '=', 'people.workspace_id').onRef('owner.id', '=', 'people.owner_id'),
    )
    .selectAll('people')
    .select(['account.name as account_name', 'account.domain', 'account.why_now_md', 'account.short_description'])
    .select('owner.name as owner_name')
    .where('people.workspace_id', '=', viewer.workspace_id)
    .where('people.id', '=', id)
    .where(visibleTo(viewer))
    .executeTakeFirst()
  if (!found) throw notFound('person')
  return found
}

export type StoredPerson = Awaited<ReturnType<typeof getStoredPerson>>
type Slice = { limit: number; offset: number }

/** Returns other records with the same profile page or one of these email addresses. */
export async function findSamePerson(
  db: Db,
  viewer: Viewer,
  { id, identity, network_url }: StoredPerson,
  emails: string[],
  part: Slice,
) {
  return db
    .selectFrom('people')
    .select(['id', 'account_id'])
    .where('workspace_id', '=', viewer.workspace_id)
    .where('id', '<>', id)
    .where(visibleTo(viewer))
    .where((eb) =>
      eb.or([
        ...(identity.startsWith('page:') ? [eb('identity', '=', identity)] : []),
        ...(network_url ? [eb('network_url', '=', network_url)] : []),
        eb(sql`lower(email)`, '=', sql`any(${emails}::text[])`),
        eb(sql`lower(given_email)`, '=', sql`any(${emails}::text[])`),
        eb(sql`lower(published_email)`, '=', sql`any(${emails}::text[])`),
      ]),
    )
    .orderBy('id')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
}

export function findListsOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  return db
    .selectFrom('people_list_members as saved')
    .innerJoin('people_lists as list', (join) =>
      join.onRef('list.workspace_id', '=', 'saved.workspace_id').onRef('list.id', '=', 'saved.list_id'),
    )
    .select(['list.id', 'list.name'])
    .where('saved.workspace_id', '=', workspaceId)
    .where('saved.person_id', '=', id)
    .orderBy('list.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns searches that found the person; for a scoped viewer only their own, because other members' queries are private. */
export function findSearchesOfPerson(db: Db, viewer: Viewer, id: string, { limit, offset }: Slice) {
  return db
    .selectFrom('people_search_hits as hit')
    .innerJoin('people_searches as search', (join) =>
      join.onRef('search.workspace_id', '=', 'hit.workspace_id').onRef('search.id', '=', 'hit.search_id'),
    )
    .select(['search.id', 'search.query', 'hit.tier', 'search.created_at'])
    .where('hit.workspace_id', '=', viewer.workspace_id)
    .$if(viewer.scoped_to !== null, (query) => query.where('search.created_by', '=', viewer.scoped_to))
    .where('hit.person_id', '=', id)
    .orderBy('search.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export function findCrmRecordsOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  return db
    .selectFrom('crm_contacts')
    .select(['provider', 'crm_id', 'pushed_at'])
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', id)
    .orderBy('provider')
    .orderBy('portal')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns the contacts of CRMs that are this person, with the values there. */
export function findPulledContactsOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  return db
    .selectFrom('pulled_contacts')
    .select(['provider', 'crm_id', 'full_name', 'email', 'title', 'phone', 'country', 'modified_at', 'deleted_at'])
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', id)
    .orderBy('provider')
    .orderBy('crm_id')
    .limit(limit)
    .offset(offset)
    .execute()
}

export function findPushesOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  return db
    .selectFrom('push_rows as row')
    .innerJoin('push_runs as run', (join) =>
      join.onRef('run.workspace_id', '=', 'row.workspace_id').onRef('run.id', '=', 'row.run_id'),
    )
    .leftJoin('webhook_destinations as destination', (join) =>
      join
        .onRef('destination.workspace_id', '=', 'run.workspace_id')
        .onRef('destination.id', '=', 'run.destination_id'),
    )
    .select(['row.run_id', 'run.channel', 'destination.name as destination', 'run.providers', 'row.state'])
    .select(['row.message', 'run.created_at'])
    .where('row.workspace_id', '=', workspaceId)
    .where('row.record_id', '=', id)
    .orderBy('run.created_at', 'desc')
    .orderBy('row.run_id')
    .limit(limit)
    .offset(offset)
    .execute()
}

export function findDeliveriesOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  return db
    .selectFrom('deliveries as sent')
    .leftJoin('webhook_destinations as destination', (join) =>
      join
        .onRef('destination.workspace_id', '=', 'sent.workspace_id')
        .onRef('destination.id', '=', 'sent.destination_id'),
    )
    .select(['sent.id', 'destination.name as destination', 'sent.run_id', 'sent.attempt', 'sent.status'])
    .select(['sent.message', 'sent.answer', 'sent.created_at'])
    .where('sent.workspace_id', '=', workspaceId)
    .where('sent.record_id', '=', id)
    .orderBy('sent.created_at', 'desc')
    .orderBy('sent.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns what members did with the person: emails, calls, replies, reveals, pushes, and the notes about them. */
export function findActivitiesOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  return db
    .selectFrom('account_activities as line')
    .leftJoin('members as member', (join) =>
      join.onRef('member.workspace_id', '=', 'line.workspace_id').onRef('member.id', '=', 'line.member_id'),
    )
    .select(['line.id', 'line.kind', 'line.note', 'member.name as by', 'line.created_at'])
    .where('line.workspace_id', '=', workspaceId)
    .where('line.person_id', '=', id)
    .orderBy('line.created_at', 'desc')
    .orderBy('line.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns entries of the audit log about the person: exports, reveals, assignments. */
export async function findAuditOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  const { rows } = await sql<{ id: string; at: string; action: string; by: string | null }>`
    select id, at, action, personal ->> 'name' as by from audit_entries
    where workspace_id = ${workspaceId} and personal ? 'person_id' and personal ->> 'person_id' = ${id}
    order by seq desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Returns departures, new jobs and role changes of the person. */
export async function findMovesOfPerson(db: Db, workspaceId: string, id: string, { limit, offset }: Slice) {
  const { rows } = await sql<Static<typeof PersonMove>>`
    select move.id, move.kind, ${MOVE_SENTENCE} as text, move.happened_on, move.evidence, move.created_at
    from person_moves as move
      join people on people.workspace_id = move.workspace_id and people.id = move.person_id
    where move.workspace_id = ${workspaceId} and move.person_id = ${id}
    order by move.created_at desc, move.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts the stored documents, and those that are searched for a person at this account. */
export async function countDocuments(db: Db, workspaceId: string, accountId: string) {
  const { rows } = await sql<{ kept: number; searched: number }>`
    select count(*)::int as kept, least(count(*), count(*) filter (where account_id = ${accountId}) + ${MAX_SEARCHED})::int as searched
    from documents where workspace_id = ${workspaceId}`.execute(db)
  return rows[0] ?? { kept: 0, searched: 0 }
}

/** Whether a folded text matches one of the LIKE patterns. For ASCII text, which is the most common, lower() is enough. */
function containsAny(text: RawBuilder<unknown>, patterns: string[]) {
  return sql<boolean>`(select translate(
      case when octet_length(given.text) = length(given.text) then lower(given.text) else search_fold(given.text) end,
      chr(39) || '\u2019\u02bc', '')
    from (select ${text} as text) as given) like any(${patterns}::text[])`
}

/** Returns documents that match one of the patterns: all of the account, and the newest of other accounts. */
export async function findDocumentsNaming(
  db: Db,
  workspaceId: string,
  accountId: string,
  patterns: string[],
  { limit, offset }: Slice,
) {
  const { rows } = await sql<{
    id: string
    account_id: string
    url: string
    kind: string
    source: string
    title: string | null
    text: string
    published_date: string | null
    published_by: string | null
    language: string | null
    read_at: string
  }>`
    select id, account_id, url, kind, source, title, text, published_date, published_by, language, read_at from documents
    where workspace_id = ${workspaceId} and id in (
        select id from documents where workspace_id = ${workspaceId} and account_id = ${accountId}
        union all
        (select id from documents where workspace_id = ${workspaceId} and account_id <> ${accountId}
         order by read_at desc limit ${MAX_SEARCHED}))
      and ${containsAny(sql`concat_ws(chr(10), title, url, text)`, patterns)}
    order by read_at desc, id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function findDetectionsNaming(db: Db, workspaceId: string, patterns: string[], { limit, offset }: Slice) {
  return db
    .selectFrom('signal_detections')
    .select(['id', 'account_id', 'signal_id', 'detected_at', 'headline', 'narrative', 'why_reach_out_md'])
    .select(['drafted_message_md', 'draft', 'evidence', 'key_facts'])
    .where('workspace_id', '=', workspaceId)
    .where('signal_present', '=', true)
    .where(
      containsAny(
        sql`concat_ws(chr(10), headline, narrative, why_reach_out_md, drafted_message_md, draft::text, evidence::text, key_facts::text)`,
        patterns,
      ),
    )
    .orderBy('detected_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns sent and queued alerts about these detections and moves. */
export function findAlertsAbout(db: Db, workspaceId: string, recordIds: string[]) {
  return db
    .selectFrom('alerts as alert')
    .innerJoin('alert_deliveries as sent', (join) =>
      join.onRef('sent.workspace_id', '=', 'alert.workspace_id').onRef('sent.alert_id', '=', 'alert.id'),
    )
    .select(['alert.id', 'alert.type', 'sent.channel', 'sent.state', 'alert.created_at'])
    .where('alert.workspace_id', '=', workspaceId)
    .where(
      sql<boolean>`exists (select from alert_items as item where item.workspace_id = ${workspaceId}
        and item.alert_id = alert.id and item.record_id = any(${recordIds}::uuid[]))`,
    )
    .orderBy('alert.created_at', 'desc')
    .orderBy('alert.id')
    .orderBy('sent.channel')
    .execute()
}

/** Returns example sentences of signals that match one of the patterns. */
export function findExamplesNaming(db: Db, workspaceId: string, patterns: string[], { limit, offset }: Slice) {
  return db
    .selectFrom('custom_signal_examples')
    .select(['id', 'signal_id', 'sentence', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where(containsAny(sql`sentence`, patterns))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns monitor events that match one of the patterns: all of the account, and of other accounts those that quote a page. */
export function findMonitorEventsNaming(
  db: Db,
  workspaceId: string,
  accountId: string,
  patterns: string[],
  { limit, offset }: Slice,
) {
  return db
    .selectFrom('monitor_events')
    .select(['id', 'account_id', 'url', 'reason', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('account_id', '=', accountId), eb('status', '=', 'changed')]))
    .where(containsAny(sql`concat_ws(chr(10), reason, url)`, patterns))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}
