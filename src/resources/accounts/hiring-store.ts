import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { Database } from '../../db/schema.ts'
import type { HiringSnapshot } from '../../engine/hiring/history.ts'

export type ListedOpening = Omit<
  Selectable<Database['openings']>,
  'workspace_id' | 'account_id' | 'first_seen' | 'seen_at'
>

/** A snapshot of the open positions on all job boards of an account. */
export type BoardSnapshot = HiringSnapshot & { boards: string[]; openings: readonly ListedOpening[] }

/** The snapshots of the same boards, the oldest first: others cannot be compared. */
export function listBoardSnapshots(db: Db, workspaceId: string, accountId: string, boards: readonly string[]) {
  return db
    .selectFrom('hiring_looks')
    .select(['day', 'open', 'opened', 'closed', 'departments', 'leaders', 'countries'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`boards = ${boards}::text[]`)
    .orderBy('day')
    .execute()
}

/** The latest snapshot; null when there is none. */
export async function findLatestSnapshot(db: Db, workspaceId: string, accountId: string) {
  const found = await db
    .selectFrom('hiring_looks')
    .select(['day', 'boards', 'open', 'departments', 'countries'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The day when each stored opening was first seen, by address. */
export async function findFirstSeen(db: Db, workspaceId: string, accountId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('openings')
    .select(['url', 'first_seen'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute()
  return new Map(rows.map(({ url, first_seen }) => [url, first_seen]))
}

/** The open positions on these boards, the newest first. */
export function listOpenings(db: Db, workspaceId: string, accountId: string, boards: readonly string[], limit: number) {
  return db
    .selectFrom('openings')
    .select(['url', 'title', 'department', 'location', 'country_code', 'published_date', 'first_seen'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`board = any(${boards}::text[])`)
    .orderBy('first_seen', 'desc')
    .orderBy('published_date', (order) => order.desc().nullsLast())
    .orderBy('url')
    .limit(limit)
    .execute()
}

/**
 * Stores a snapshot: adds new openings, closes those that its boards no longer list, and counts both where the last
 * snapshot was of the same boards. Openings on other boards do not change. Idempotent.
 */
export async function saveBoardSnapshot(
  db: Db,
  workspaceId: string,
  accountId: string,
  snapshot: BoardSnapshot,
): Promise<void> {
  const { day, boards, open } = snapshot
  // Redaction may have made addresses equal; a statement cannot write a row twice.
  const openings = [...new Map(snapshot.openings.map((one) => [one.url, one])).values()]
  const last = await findLatestSnapshot(db, workspaceId, accountId)
  const isComparable = last !== null && last.boards.join('\n') === boards.join('\n')
  const { rows } = await sql<{ is_new: boolean }>`
    insert into openings
      (workspace_id, account_id, board, url, title, department, location, country_code, published_date, first_seen)
    select ${workspaceId}::uuid, ${accountId}::uuid, board, url, title, department, location, country_code, published_date,
      ${day}::date
    from json_to_recordset(${JSON.stringify(openings)}::json) as given
      (board text, url text, title text, department text, location text, country_code text, published_date date)
    on conflict (workspace_id, account_id, md5(url)) do update
      set board = excluded.board, title = excluded.title, department = excluded.department, location = excluded.location,
          country_code = excluded.country_code, published_date = excluded.published_date, seen_at = excluded.seen_at
    returning xmax = 0 as is_new`.execute(db)
  // Rows written now have the time of this transaction.
  const gone = await sql`
    delete from openings where workspace_id = ${workspaceId} and account_id = ${accountId}
      and board = any(${boards}::text[]) and seen_at <> now()`.execute(db)
  const opened = isComparable ? rows.filter(({ is_new }) => is_new).length : null
  const closed = isComparable ? Number(gone.numAffectedRows ?? 0n) : null
  const [departments, leaders, countries] = [snapshot.departments, snapshot.leaders, snapshot.countries].map((counts) =>
    JSON.stringify(counts),
  )
  await sql`
    insert into hiring_looks
      (workspace_id, account_id, day, boards, open, opened, closed, departments, leaders, countries)
    values (${workspaceId}, ${accountId}, ${day}, ${boards}::text[], ${open}, ${opened}, ${closed},
      ${departments}::jsonb, ${leaders}::jsonb, ${countries}::jsonb)
    on conflict (workspace_id, account_id, day) do update
      set boards = excluded.boards, open = excluded.open, opened = hiring_looks.opened + excluded.opened,
          closed = hiring_looks.closed + excluded.closed, departments = excluded.departments, leaders = excluded.leaders,
          countries = excluded.countries, looked_at = excluded.looked_at`.execute(db)
}

/** A job board of an account, with the page that linked it. */
export type AccountBoard = { vendor: string; token: string; found_url: string }

/** A site of a recruiter may link hundreds of boards. */
const MAX_BOARDS = 20

/** The job boards that pages of the account's current domain linked last. */
export function listAccountBoards(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('account_boards')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.workspace_id', '=', 'account_boards.workspace_id')
        .onRef('accounts.id', '=', 'account_boards.account_id')
        .onRef('accounts.domain', '=', 'account_boards.domain'),
    )
    .select(['vendor', 'token', 'found_url', 'linked_at', 'last_seen'])
    .where('account_boards.workspace_id', '=', workspaceId)
    .where('account_boards.account_id', '=', accountId)
    .orderBy('linked_at', 'desc')
    .orderBy('vendor')
    .orderBy('token')
    .limit(MAX_BOARDS)
    .execute()
}

/** The boards of an account after a scan. `read` are boards that no page linked but that exist, `missing` those that do not. */
export type BoardChanges = { linked: readonly AccountBoard[]; read: readonly BoardKey[]; missing: readonly BoardKey[] }
type BoardKey = { vendor: string; token: string }

/** Stores the boards that pages linked, and deletes those that no longer exist. Idempotent. */
export async function saveAccountBoards(
  db: Db,
  workspaceId: string,
  { id, domain }: { id: string; domain: string | null },
  { linked, read, missing }: BoardChanges,
): Promise<void> {
  const list = (boards: readonly BoardKey[]) => sql`json_to_recordset(${JSON.stringify(boards)}::json)`
  if (linked.length > 0 && domain !== null) {
    await sql`
      insert into account_boards (workspace_id, account_id, vendor, token, domain, found_url)
      select ${workspaceId}::uuid, ${id}::uuid, vendor, token, ${domain}, found_url
      from ${list(linked)} as given (vendor text, token text, found_url text)
      on conflict (workspace_id, account_id, vendor, token) do update
        set domain = excluded.domain, found_url = excluded.found_url, linked_at = excluded.linked_at,
            last_seen = excluded.last_seen`.execute(db)
  }
  const ofAccount = sql`boards.workspace_id = ${workspaceId} and boards.account_id = ${id}
    and boards.vendor = given.vendor and boards.token = given.token`
  if (read.length > 0) {
    await sql`update account_boards as boards set last_seen = now()
      from ${list(read)} as given (vendor text, token text) where ${ofAccount}`.execute(db)
  }
  if (missing.length > 0) {
    await sql`delete from account_boards as boards
      using ${list(missing)} as given (vendor text, token text) where ${ofAccount}`.execute(db)
  }
}

/** Boards that no page linked and that could not be read for a number of days. */
export const oldAccountBoards = (days: number) => purgeOlderThan({ table: 'account_boards', time: 'last_seen', days })

/** Openings last seen more than a number of days ago. */
export const oldOpenings = (days: number) => purgeOlderThan({ table: 'openings', time: 'seen_at', days })

export const oldBoardSnapshots = (days: number) => purgeOlderThan({ table: 'hiring_looks', time: 'looked_at', days })
