import { sql } from 'kysely'
import type { AuditChanges } from '../../db/audit-tables.ts'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { onMissingReference } from '../../db/errors.ts'
import { AppError } from '../../shared/errors.ts'
import type { AuditEntry, AuditFilter } from './schema.ts'

function entriesOf(db: Db, workspaceId: string, filter: AuditFilter) {
  const { actor, member_id, action, target_type, target_id, outcome, since, until } = filter
  return db
    .selectFrom('audit_entries as entry')
    .where('entry.workspace_id', '=', workspaceId)
    .$if(actor !== undefined, (query) => query.where('actor', '=', actor as AuditEntry['actor']))
    .$if(member_id !== undefined, (query) => query.where('member_id', '=', member_id as string))
    .$if(action !== undefined, (query) => query.where('action', '=', action as string))
    .$if(target_type !== undefined, (query) => query.where('target_type', '=', target_type as string))
    .$if(target_id !== undefined, (query) =>
      query.where(
        sql<boolean>`(target_id = ${target_id} or personal ? 'person_id' and personal ->> 'person_id' = ${target_id})`,
      ),
    )
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome as AuditEntry['outcome']))
    .$if(since !== undefined, (query) => query.where('at', '>=', since as string))
    .$if(until !== undefined, (query) => query.where('at', '<', until as string))
}

const selectRows = (query: ReturnType<typeof entriesOf>) =>
  query
    .select(['seq', 'id', 'at', 'actor', 'member_id', 'key_id', 'session_id', 'action', 'target_type', 'target_id'])
    .select(['outcome', 'status', 'error_code', 'request_id', 'changes', 'personal', 'hash'])

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

function toEntry({ target_type, target_id, changes, personal, hash, ...row }: Row): AuditEntry {
  const target = { id: target_id ?? personal?.person_id ?? null, name: personal?.target_name ?? null }
  return {
    ...row,
    name: personal?.name ?? null,
    target: target_type === null ? null : { type: target_type, ...target },
    ip: personal?.ip ?? null,
    user_agent: personal?.user_agent ?? null,
    changes: toList(changes),
    is_erased: personal === null,
    hash: hash.toString('hex'),
  }
}

const toList = (changes: AuditChanges) =>
  Object.entries(changes).map(([field, { before, after }]) => ({ field, before: toText(before), after: toText(after) }))

/** A timestamp in JSON of PostgreSQL. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') return JSON.stringify(value)
  return TIME.test(value) ? new Date(value).toISOString() : value
}

/** Counting all of some million matches would take seconds. */
export const MAX_COUNTED = 10_000

/** A page, newest first. Without a filter its place and the total follow from the numbers, which have no gaps. */
export async function listEntries(
  db: Db,
  workspaceId: string,
  { page, per_page, ...filter }: AuditFilter & { page: number; per_page: number },
) {
  const before = (page - 1) * per_page
  const head = db.selectFrom('audit_heads').where('workspace_id', '=', workspaceId)
  const query = entriesOf(db, workspaceId, filter)
  if (Object.values(filter).every((value) => value === undefined)) {
    const [rows, { total }] = await Promise.all([
      selectRows(query)
        .where('seq', '<=', head.select(sql<number>`seq - ${before}::bigint`.as('last')))
        .orderBy('seq', 'desc')
        .limit(per_page)
        .execute(),
      head.select(sql<number>`seq - anchor_seq`.as('total')).executeTakeFirstOrThrow(),
    ])
    return { rows: rows.map(toEntry), total }
  }
  const matches = query.select('seq').limit(MAX_COUNTED).as('match')
  const [rows, { total }] = await Promise.all([
    before < MAX_COUNTED ? selectRows(query).orderBy('seq', 'desc').limit(per_page).offset(before).execute() : [],
    db
      .selectFrom(matches)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: rows.map(toEntry), total }
}

const BATCH = 1_000

/** All matching entries, newest first, for an export. */
export async function* streamEntries(db: Db, workspaceId: string, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  for (let before: number | null = null; ; ) {
    const rows: Row[] = await selectRows(entriesOf(db, workspaceId, filter))
      .$if(before !== null, (query) => query.where('seq', '<', before as number))
      .orderBy('seq', 'desc')
      .limit(BATCH)
      .execute()
    for (const row of rows) yield toEntry(row)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    before = last.seq
  }
}

/** Entries after one, oldest first. */
export async function listEntriesAfter(db: Db, workspaceId: string, seq: number, limit: number): Promise<AuditEntry[]> {
  const rows = await selectRows(entriesOf(db, workspaceId, {}))
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

export async function readStream(db: Db, workspaceId: string) {
  const row = await db
    .selectFrom('audit_heads as head')
    .leftJoin('audit_streams as stream', 'stream.workspace_id', 'head.workspace_id')
    .select(['stream.destination_id', 'stream.problem', 'stream.sent_at'])
    .select(sql<number>`coalesce(head.seq - greatest(stream.seq, head.anchor_seq), 0)::int`.as('waiting'))
    .where('head.workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { ...row, waiting: row.destination_id === null ? 0 : row.waiting }
}

/**
 * Sends entries from now on to a destination; another one continues with the entries that were not received. Null: to none
 * after the entry of this change. Throws unknown_destination.
 */
/** Rounding to the milliseconds of the column would make a stream due in the future. */
const DUE = sql<string>`date_trunc('milliseconds', now())`

export async function setStream(db: Db, workspaceId: string, destinationId: string | null): Promise<void> {
  if (destinationId === null) {
    await sql`
      update audit_streams set destination_id = null, ends_after = head.seq, failures = 0, next_at = ${DUE}
      from audit_heads as head
      where audit_streams.workspace_id = ${workspaceId} and head.workspace_id = ${workspaceId}
        and destination_id is not null`.execute(db)
    return
  }
  await sql`
    insert into audit_streams (workspace_id, destination_id, sends_to, seq, next_at)
    select workspace_id, ${destinationId}::uuid, ${destinationId}::uuid, seq, ${DUE}
    from audit_heads where workspace_id = ${workspaceId}
    on conflict (workspace_id) do update
      set destination_id = excluded.destination_id, sends_to = excluded.sends_to, ends_after = null, failures = 0,
          problem = null, next_at = excluded.next_at`
    .execute(db)
    .catch(onMissingReference('audit_streams_workspace_id_sends_to_fkey', unknownDestination))
}

const unknownDestination = () =>
  new AppError(
    'unknown_destination',
    'destination_id must be a destination of this workspace; GET /webhook-destinations lists them.',
  )

/** The streams with entries to send now. */
export function findDueStreams(db: Db) {
  return db
    .selectFrom('audit_streams as stream')
    .innerJoin('audit_heads as head', 'head.workspace_id', 'stream.workspace_id')
    .select(['stream.workspace_id', 'stream.sends_to', 'stream.seq'])
    .whereRef('head.seq', '>', 'stream.seq')
    .where('stream.next_at', '<=', sql<string>`now()`)
    .orderBy('stream.next_at')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .execute()
}

type Cursor = { workspace_id: string; sends_to: string; seq: number }

/**
 * Reserves the stream for one worker, and returns where it ends and how often the delivery has failed; null if it is not
 * due. The commit also flushes the entries that were read before to disk.
 */
export async function leaseStream(db: Db, from: Cursor, seconds: number) {
  const leased = await at(db, from)
    .set({ next_at: sql`now() + make_interval(secs => ${seconds})` })
    .where('next_at', '<=', sql<string>`now()`)
    .returning(['ends_after', 'failures'])
    .executeTakeFirst()
  return leased ?? null
}

/** Moves the stream past the received entries. Returns false if it was changed meanwhile. */
export async function advanceStream(db: Db, from: Cursor, to: number): Promise<boolean> {
  const { numUpdatedRows } = await at(db, from)
    .set({ seq: to, failures: 0, problem: null, next_at: DUE, sent_at: sql`now()` })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records a failed delivery, and when it is tried again. */
export async function postponeStream(db: Db, from: Cursor, problem: string, seconds: number): Promise<void> {
  await at(db, from)
    .set({ failures: sql`failures + 1`, problem, next_at: sql`now() + make_interval(secs => ${seconds})` })
    .execute()
}

/** Deletes a stream that was turned off, after its last entry; not one that was turned on again meanwhile. */
export async function endStream(db: Db, { workspace_id }: Cursor): Promise<void> {
  await db
    .deleteFrom('audit_streams')
    .where('workspace_id', '=', workspace_id)
    .where('destination_id', 'is', null)
    .execute()
}

const at = (db: Db, { workspace_id, sends_to, seq }: Cursor) =>
  db
    .updateTable('audit_streams')
    .where('workspace_id', '=', workspace_id)
    .where('sends_to', '=', sends_to)
    .where('seq', '=', seq)
