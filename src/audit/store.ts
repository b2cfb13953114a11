import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { AuditActor, AuditOutcome, AuditPersonal } from '../db/audit-tables.ts'
import type { Db } from '../db/connect.ts'
import { ALL_WORKSPACES } from '../db/distribution.ts'
import type { Purge } from '../db/purge.ts'
import { findTokenWorkspace } from '../db/token-workspaces.ts'
import { isId, newId } from '../shared/ids.ts'
import type { AuditedRecord } from './records.ts'

/** Who does something, and from where. */
export type AuditSource = {
  workspace_id: string
  actor: AuditActor
  member_id?: string | null
  key_id?: string | null
  session_id?: string | null
  request_id?: string | null
  personal?: AuditPersonal
}

export type AuditTarget = { record: AuditedRecord | null; id: string | null }
export type AuditResult = {
  outcome: AuditOutcome
  status?: number | null
  error_code?: string | null
  /** The id of a record that was added. */
  added_id?: string | null
  /** What else is to be known of it: the figures of the response, or the destination of a push. */
  details?: Record<string, unknown>
}

/** A change that has begun. */
export type OpenChange = AuditTarget & { workspace_id: string; entry_id: string; salt: string }

/**
 * Lets the statement return before it is on disk. The write-ahead log is sequential, so a change that is on disk has its
 * pending row there too, and a pending row whose entry was lost becomes one with the outcome `unknown`.
 */
const WITHOUT_FLUSH = sql`(select set_config('synchronous_commit', 'off', true)) is not null`

const SOURCE = sql`workspace_id, id, actor, member_id, key_id, session_id, action, target_type, target_id, request_id`
const ENTRY = sql`audit_entries (${SOURCE}, at, outcome, status, error_code, changes, personal)`

const json = (value: object) => sql`${JSON.stringify(value)}::jsonb`
const NOTHING = sql`null::jsonb`

const nameOf = (workspaceId: string, memberId: string | null) =>
  sql`(select name from members where workspace_id = ${workspaceId}::uuid and id = ${memberId}::uuid)`

/** The values of the columns in `SOURCE`, and the id of the target if it is a person. */
function valuesOf(source: AuditSource, id: string, action: string, { record, id: target }: AuditTarget) {
  const { workspace_id, actor, member_id = null, key_id = null, session_id = null, request_id = null } = source
  const isPerson = record?.type === 'person'
  const values = sql`${workspace_id}::uuid, ${id}::uuid, ${actor}, ${member_id}::uuid, ${key_id}::uuid, ${session_id}::uuid,
    ${action}, ${record?.type ?? null}, ${isPerson ? null : target}, ${request_id}`
  const personal = sql`jsonb_build_object('name', ${nameOf(workspace_id, member_id)}) || ${json(source.personal ?? {})}`
  return { values, personal, personId: isPerson ? target : null }
}

/** A profile contains the name of the member, and has default values until it is stored. */
const profilesOf = (workspaceId: string) => sql`(
  select members.workspace_id, members.id as member_id, name, coalesce(tone, 'brief') as tone, job_title, signature,
    calendar_url, coalesce(sample_messages, '[]') as sample_messages, greeting, sign_off, body_words
  from members left join member_profiles as profile
    on profile.workspace_id = members.workspace_id and profile.member_id = members.id
  where members.workspace_id = ${workspaceId}::uuid)`

/** The audited columns of the record, as JSON; null when it does not exist. Only whether a masked value differs is needed. */
function stored({ workspace_id, record, id, salt }: Omit<OpenChange, 'entry_id'>): RawBuilder<unknown> {
  if (!record?.table || (record.key !== null && id === null)) return NOTHING
  const { table, key = 'id', column = key ?? 'id', shown = [], masked = [], label } = record
  const fields = [
    ...shown.map((name) => sql`${sql.lit(name)}::text, ${sql.ref(name)}`),
    ...masked.map((name) => sql`${sql.lit(name)}::text, sha256(convert_to(${salt} || ${sql.ref(name)}::text, 'UTF8'))`),
    ...(label ? [sql`'label', ${sql.ref(label)}`] : []),
  ]
  const owner = table === 'workspaces' ? sql`id` : sql`workspace_id`
  const same = key === null ? sql`` : sql` and ${sql.ref(column)} = ${id}`
  return sql`(select jsonb_build_object(${sql.join(fields)}) from ${table === 'member_profiles' ? profilesOf(workspace_id) : sql.table(table)} as record
    where ${owner} = ${workspace_id}::uuid${same})`
}

/** Records that a change begins, with the record before it. A process that dies in between leaves the row. */
export async function beginChange(
  db: Db,
  source: AuditSource,
  action: string,
  target: AuditTarget,
): Promise<OpenChange> {
  const change = { ...target, workspace_id: source.workspace_id, entry_id: newId(), salt: randomUUID() }
  const { values, personal, personId } = valuesOf(source, change.entry_id, action, target)
  await sql`
    insert into audit_pending (${SOURCE}, person_id, personal, before)
    select ${values}, ${personId}, ${personal}, ${stored(change)} where ${WITHOUT_FLUSH}`.execute(db)
  return change
}

/** Replaces the pending row by the entry. Has no effect if closeAbandonedChanges has already closed it. */
export async function completeChange(db: Db, change: OpenChange, result: AuditResult): Promise<void> {
  const { workspace_id, entry_id, record } = change
  const { outcome, status = null, error_code = null, added_id = null, details } = result
  const after = outcome === 'ok' ? await readStored(db, { ...change, id: change.id ?? added_id }) : null
  const isPerson = record?.type === 'person'
  const added = isPerson ? null : added_id
  await sql`
    select complete_audit_change(${workspace_id}, ${entry_id}, ${isPerson ? change.id : null}, ${outcome}, ${status},
      ${error_code}, ${added}, ${after}::jsonb, ${record?.shown ?? []}, ${json(detailsAsChanges(details))})
    where ${WITHOUT_FLUSH}`.execute(db)
}

/** As a statement of its own: with a table in the statement, a distributed database would call the function on a shard. */
async function readStored(db: Db, change: Omit<OpenChange, 'entry_id'>): Promise<string | null> {
  const read = stored(change)
  if (read === NOTHING) return null
  const { rows } = await sql<{ after: string | null }>`select ${read}::text as after`.execute(db)
  return rows[0]?.after ?? null
}

const detailsAsChanges = (details: AuditResult['details'] = {}) =>
  Object.fromEntries(Object.entries(details).map(([name, after]) => [name, { before: null, after }]))

/** Makes a change with its entry in a transaction of the caller: a rollback removes both. `added` as for `audited`. */
export async function auditedWithin<T>(
  db: Db,
  source: AuditSource,
  action: string,
  target: AuditTarget,
  run: () => Promise<T>,
  added: (result: T) => string | null = () => null,
): Promise<T> {
  const change = await beginChange(db, source, action, target)
  const result = await run()
  await completeChange(db, change, { outcome: 'ok', added_id: added(result) })
  // The transaction makes other changes, too, so its commit waits for the disk again.
  await sql`set local synchronous_commit to default`.execute(db)
  return result
}

/** Records that a long change is still being made. */
export async function touchChange(db: Db, { workspace_id, entry_id }: OpenChange): Promise<void> {
  await db
    .updateTable('audit_pending')
    .set({ alive_at: sql<string>`now()` })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', entry_id)
    .execute()
}

/** Turns the pending rows of dead processes into entries. Returns their number. */
export async function closeAbandonedChanges(db: Db, seconds: number): Promise<number> {
  const { rows: abandoned } = await sql<{ workspace_id: string; id: string; person_id: string | null }>`
    select ${sql.raw(ALL_WORKSPACES)} workspace_id, id, person_id
    from audit_pending where alive_at < now() - make_interval(secs => ${seconds}) order by began_at`.execute(db)
  let count = 0
  for (const { workspace_id, id, person_id } of abandoned) {
    const { rows } = await sql<{ is_closed: boolean }>`
      select complete_audit_change(${workspace_id}, ${id}, ${person_id}, 'unknown', null, null, null, null, '{}', '{}')
        as is_closed`.execute(db)
    if (rows[0]?.is_closed) count++
  }
  return count
}

/** Records what has no change to wait for: an export, a sign-in, a refusal. In a transaction, together with its changes. */
export async function insertEntry(
  db: Db,
  source: AuditSource,
  action: string,
  target: AuditTarget,
  { outcome, status = null, error_code = null, details }: AuditResult,
): Promise<void> {
  const { values, personal, personId } = valuesOf(source, newId(), action, target)
  // A refusal may come before the id is validated.
  const knownId = personId !== null && isId(personId) ? personId : null
  await sql`
    insert into ${ENTRY}
    select ${values}, clock_timestamp(), ${outcome}, ${status}::int, ${error_code}, ${json(detailsAsChanges(details))},
      jsonb_strip_nulls(${personal} || jsonb_build_object(
        'person_id', (
          select id from people where workspace_id = ${source.workspace_id}::uuid and id = ${knownId}::uuid for key share)))`.execute(
    db,
  )
}

/** The revoked or expired key or used sign-in link with this hash, which a caller tried; null when it is unknown. */
export async function findRejectedCredential(db: Db, hash: Buffer) {
  const workspaceId = await findTokenWorkspace(db, hash)
  if (workspaceId === null) return null
  const { rows } = await sql<{ workspace_id: string; member_id: string; key_id: string | null }>`
    select workspace_id, member_id, id as key_id from api_keys where workspace_id = ${workspaceId} and hash = ${hash}
    union all
    select workspace_id, member_id, key_id from sign_in_links where workspace_id = ${workspaceId} and hash = ${hash}
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** Entries deleted at once, during which the workspace adds none. */
const BATCH = 1_000

/** Days that entries are kept longer for a stream whose destination has not received them. */
const UNSENT_DAYS = 30

/** Deletes entries older than so many days, oldest first. The last deleted one stays as the start of the chain. */
export function oldEntries(days: number): Purge {
  const isOld = (entry: string, workspaceId: RawBuilder<unknown>) => sql`
    ${sql.ref(`${entry}.at`)} < now() - make_interval(days => ${days} + case when exists (
      select from audit_streams as stream
      where stream.workspace_id = ${workspaceId} and stream.seq < ${sql.ref(`${entry}.seq`)}
    ) then ${UNSENT_DAYS}::int else 0 end)`
  return async (db, deadline) => {
    const { rows: due } = await sql<{ workspace_id: string }>`
      select ${sql.raw(ALL_WORKSPACES)} workspace_id from audit_heads as head
      where exists (select from audit_entries as first where first.workspace_id = head.workspace_id
        and first.seq = head.anchor_seq + 1 and ${isOld('first', sql.ref('first.workspace_id'))})`.execute(db)
    let count = 0
    for (const { workspace_id } of due) {
      for (let last = BATCH; last === BATCH; count += last) {
        if (deadline.aborted) return { count, isDone: false }
        last = await db.transaction().execute(async (db) => {
          await sql`
            update audit_heads set anchor_seq = last.seq, anchor_hash = last.hash
            from (
              select seq, hash from (
                select seq, hash, bool_and(${isOld('oldest', sql`${workspace_id}`)}) over (order by seq) as is_old from (
                  select seq, hash, at from audit_entries
                  where workspace_id = ${workspace_id} order by seq limit ${sql.lit(BATCH)}) as oldest) as first
              where is_old order by seq desc limit 1) as last
            where audit_heads.workspace_id = ${workspace_id}`.execute(db)
          const { numAffectedRows } = await sql`
            delete from audit_entries using audit_heads as head
            where audit_entries.workspace_id = ${workspace_id} and head.workspace_id = ${workspace_id}
              and audit_entries.seq <= head.anchor_seq`.execute(db)
          return Number(numAffectedRows ?? 0)
        })
      }
    }
    return { count, isDone: true }
  }
}

/** Deletes the personal part of the entries by and about a member who was removed. Returns their number. */
export async function forgetMember(db: Db, workspaceId: string, memberId: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('audit_entries')
    .set({ personal: null, salt: null })
    .where('workspace_id', '=', workspaceId)
    .where('personal', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('member_id', '=', memberId),
        eb.and([eb('target_type', '=', 'member'), eb('target_id', '=', memberId)]),
      ]),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Whether the schema has an audit log: a backup may be made before a migration. */
export async function hasAuditLog(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('audit_pending') is not null as found`.execute(db)
  return rows[0]?.found ?? false
}

/** The ends of the chains, of all workspaces or of one; null where there is none, and the time of the first entry. */
export function listHeads(db: Db, workspaceId: string | null) {
  return db
    .selectFrom('workspaces')
    .leftJoin('audit_heads as head', 'head.workspace_id', 'workspaces.id')
    .leftJoin('audit_entries as first', (join) =>
      join.onRef('first.workspace_id', '=', 'head.workspace_id').on('first.seq', '=', sql<number>`head.anchor_seq + 1`),
    )
    .select(['workspaces.id as workspace_id', 'workspaces.name', 'head.seq', 'head.hash'])
    .select(['head.anchor_seq', 'head.anchor_hash', 'head.anchor_at', 'first.at as first_at'])
    .$if(workspaceId !== null, (query) => query.where('workspaces.id', '=', workspaceId))
    .$if(workspaceId === null, (query) => query.modifyFront(sql.raw(ALL_WORKSPACES)))
    .orderBy('workspaces.created_at')
    .orderBy('workspaces.id')
    .execute()
}

export type ChainLink = {
  seq: number
  prev_hash: Buffer
  hash: Buffer
  /** The hashed text. */
  fixed: string
  personal: string | null
  salt: Buffer | null
  personal_digest: Buffer
}

/** The same text as that of the function audit_text, which takes a row: the row of a shard has another type than the table. */
const FIXED = sql`array_to_string(array[
  workspace_id::text, seq::text, id::text, extract(epoch from at)::text, actor, member_id::text, key_id::text,
  session_id::text, action, target_type, target_id, outcome, status::text, error_code, request_id, changes::text
], chr(10), '')`

/** A batch of entries after one, in their order. */
export async function readChain(db: Db, workspaceId: string, after: number, limit: number): Promise<ChainLink[]> {
  const { rows } = await sql<ChainLink>`
    select seq, prev_hash, hash, personal::text as personal, salt, personal_digest, ${FIXED} as fixed
    from audit_entries where workspace_id = ${workspaceId} and seq > ${after}
    order by seq limit ${sql.lit(limit)}`.execute(db)
  return rows
}
