import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { Database } from '../../db/schema.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import type { FoundDocument } from '../../providers/types.ts'
import { newId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'

/** A document with its source. */
export type SourcedDocument = Pick<
  Selectable<Database['documents']>,
  'url' | 'kind' | 'source' | 'title' | 'text' | 'published_date'
> &
  Partial<Pick<Selectable<Database['documents']>, 'published_by' | 'language'>> &
  Pick<FoundDocument, 'tells'>

/** Longer texts are truncated; a press release has its news at the beginning. */
export const MAX_TEXT_CHARS = 200_000
const MAX_TITLE_CHARS = 1_000
/** Enough to identify the subject of a document. */
const OPENING_CHARS = 2_000

/** Detects whether a document has changed. */
export const hashDocument = (title: string | null, text: string): Buffer =>
  createHash('sha256')
    .update(`${title ?? ''}\n${text}`)
    .digest()

/**
 * Stores documents, one row for each account and address, and updates those that changed. Returns the ids of new and
 * changed ones.
 */
export async function saveDocuments(
  db: Db,
  workspaceId: string,
  accountId: string,
  documents: readonly SourcedDocument[],
): Promise<string[]> {
  // The last of two with the same address counts; a statement cannot write a row twice.
  const rows = [...new Map(documents.map((document) => [document.url, document])).values()].map((document) => {
    const text = cutText(toStorable(document.text), MAX_TEXT_CHARS)
    const title = document.title === null ? null : cutText(toStorable(document.title), MAX_TITLE_CHARS)
    return { ...document, id: newId(), title, text, hash: hashDocument(title, text).toString('hex') }
  })
  if (rows.length === 0) return []
  const { rows: written } = await sql<{ id: string; url: string }>`
    insert into documents
      (workspace_id, id, account_id, url, kind, source, title, text, published_date, published_by, language, tells, hash)
    select ${workspaceId}::uuid, id, ${accountId}::uuid, url, kind, source, title, text, published_date, published_by, language, tells,
      decode(hash, 'hex')
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      (id uuid, url text, kind text, source text, title text, text text, published_date date, published_by text, language text, tells jsonb, hash text)
    on conflict (workspace_id, account_id, md5(url)) do update
      set kind = excluded.kind, source = excluded.source, title = excluded.title, text = excluded.text,
          published_date = coalesce(excluded.published_date, documents.published_date),
          published_by = case when excluded.published_date is null then documents.published_by else excluded.published_by end,
          language = excluded.language, tells = excluded.tells, hash = excluded.hash, read_at = excluded.read_at
      where documents.hash <> excluded.hash or (documents.published_date is null and excluded.published_date is not null)
    returning id, url`.execute(db)
  // Updates the time of unchanged documents, because the retention time counts from the last read.
  const unchanged = rows.map(({ url }) => url).filter((url) => !written.some((row) => row.url === url))
  if (unchanged.length > 0) {
    await sql`
      update documents set read_at = now()
      where workspace_id = ${workspaceId} and account_id = ${accountId}
        and md5(url) = any(select md5(seen) from unnest(${unchanged}::text[]) as seen)`.execute(db)
  }
  return written.map(({ id }) => id)
}

/** Whether documents with all of these addresses are stored for the account. */
export async function areDocumentsStored(
  db: Db,
  workspaceId: string,
  accountId: string,
  urls: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from documents
    where workspace_id = ${workspaceId} and account_id = ${accountId}
      and md5(url) = any(select md5(asked) from unnest(${urls}::text[]) as asked)`.execute(db)
  return rows[0]?.count === new Set(urls).size
}

/** The beginnings of the account's documents at these addresses. */
export async function listDocumentOpenings(
  db: Db,
  workspaceId: string,
  accountId: string,
  urls: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (urls.length === 0) return new Map()
  const { rows } = await sql<{ url: string; title: string | null; text: string }>`
    select url, title, left(text, ${OPENING_CHARS}) as text from documents
    where workspace_id = ${workspaceId} and account_id = ${accountId}
      and md5(url) = any(select md5(asked) from unnest(${urls}::text[]) as asked)`.execute(db)
  return new Map(rows.map((row) => [row.url, documentOpening(row)]))
}

/** The headline on one line, followed by the beginning of the text. */
export function documentOpening({ title, text }: { title: string | null; text: string }): string {
  return `${(title ?? '').replaceAll(/\s+/g, ' ')}\n${text.slice(0, OPENING_CHARS)}`
}

/** The documents of an account that may still count: published since the day, or undated. */
export function listDocuments(db: Db, workspaceId: string, accountId: string, since: string | null) {
  let query = db
    .selectFrom('documents')
    .select(['url', 'kind', 'source', 'title', 'text', 'published_date', 'tells'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
  if (since) query = query.where((eb) => eb.or([eb('published_date', 'is', null), eb('published_date', '>=', since)]))
  return query.orderBy('read_at', 'desc').orderBy('id').limit(500).execute()
}

/**
 * The documents read last in a workspace; for a viewer with scoped visibility, of their own accounts, because pages
 * name employees.
 */
export function listNewestDocuments(db: Db, viewer: Viewer, limit: number) {
  return researched(db, viewer)
    .select(READ)
    .orderBy('documents.read_at', 'desc')
    .orderBy('documents.id')
    .limit(limit)
    .execute()
}

type Period = { since: string; until: string }

/** The documents of the same accounts published in a period, the newest first. */
export function listPublished(db: Db, viewer: Viewer, { since, until }: Period, limit: number) {
  return researched(db, viewer)
    .select(READ)
    .where('documents.published_date', '>=', since)
    .where('documents.published_date', '<=', until)
    .orderBy('documents.published_date', 'desc')
    .orderBy('documents.id')
    .limit(limit)
    .execute()
}

/** The number of these documents. */
export async function countPublished(db: Db, viewer: Viewer, { since, until }: Period): Promise<number> {
  const { count } = await researched(db, viewer)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('documents.published_date', '>=', since)
    .where('documents.published_date', '<=', until)
    .executeTakeFirstOrThrow()
  return count
}

const READ = [
  ...(['documents.url', 'documents.title', 'documents.text', 'documents.published_date'] as const),
  ...(['accounts.id as account_id', 'accounts.name as account_name', 'accounts.domain'] as const),
] as const

function researched(db: Db, { workspace_id, scoped_to }: Viewer) {
  return db
    .selectFrom('documents')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.workspace_id', '=', 'documents.workspace_id')
        .onRef('accounts.id', '=', 'documents.account_id'),
    )
    .where('documents.workspace_id', '=', workspace_id)
    .$if(scoped_to !== null, (query) => query.where('accounts.owner_id', '=', scoped_to))
}

/** Documents last read more than a number of days ago. */
export const oldDocuments = (days: number) =>
  purgeOlderThan({ table: 'documents', time: 'read_at', days, batch: 1_000 })
