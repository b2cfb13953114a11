import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { purgeOlderThan } from '../db/purge.ts'
import { visibleTo } from '../db/visibility.ts'
import type { Member, Viewer } from '../shared/member.ts'

/** Lease of a key, after which the key of a killed request is free; longer than any request may take. */
const LEASE_SECONDS = 180
const KEEP_HOURS = 24

/** The claim is a fencing token: a request that outlived its lease cannot write over the next one. */
type Where = { workspace_id: string; member_id: string; key: string; claim: string }

type Wanted = { key: string; claim: string; hash: Buffer }

/** Claims the key for this request, or returns the stored row. One statement, so that two requests cannot both claim it. */
export async function claimKey(db: Db, { workspace_id, id }: Member, { key, claim, hash: request_hash }: Wanted) {
  const lease = sql<string>`now() + make_interval(secs => ${LEASE_SECONDS})`
  const free = sql<boolean>`excluded.created_at - idempotency_keys.created_at > make_interval(hours => ${KEEP_HOURS})
    or (idempotency_keys.status is null and idempotency_keys.lease_until < excluded.created_at)`
  const { rows } = await sql`
    insert into idempotency_keys (workspace_id, member_id, key, request_hash, claim, lease_until)
    values (${workspace_id}, ${id}, ${key}, ${request_hash}, ${claim}, ${lease})
    on conflict (workspace_id, member_id, key) do update
      set request_hash = excluded.request_hash, claim = excluded.claim, lease_until = excluded.lease_until,
          status = null, answer_sealed = null, people = '{}', created_at = excluded.created_at
      where ${free}
    returning 1`.execute(db)
  if (rows.length > 0) return 'taken'
  const kept = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer_sealed', 'people'])
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', id)
    .where('key', '=', key)
    .executeTakeFirst()
  // Released between the two statements: the caller retries.
  return kept ?? { request_hash, status: null, answer_sealed: null, people: [] }
}

export function releaseKey(db: Db, { workspace_id, member_id, key, claim }: Where) {
  return db
    .deleteFrom('idempotency_keys')
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', member_id)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

type Kept = {
  status: number
  answer_sealed: Buffer
  /** Every id in the response, of any kind of record. */
  ids: string[]
}

/** Stores a response and the ids in it of people that the viewer sees. Other ids only repeat the request. */
export function storeResponse(
  db: Db,
  { workspace_id, member_id, key, claim }: Where,
  viewer: Viewer,
  { status, answer_sealed, ids }: Kept,
) {
  const people = sql<string[]>`array(${seen(db, viewer, ids)})`
  return db
    .updateTable('idempotency_keys')
    .set({ status, answer_sealed, ...(ids.length > 0 ? { people } : {}) })
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', member_id)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

/** Whether the viewer sees all of these people. */
export async function seesAll(db: Db, viewer: Viewer, ids: string[]): Promise<boolean> {
  return ids.length === 0 || (await seen(db, viewer, ids).execute()).length === ids.length
}

function seen(db: Db, viewer: Viewer, ids: string[]) {
  return db
    .selectFrom('people')
    .select('people.id')
    .where('people.workspace_id', '=', viewer.workspace_id)
    .where('people.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(visibleTo(viewer))
}

/** Replaces a stored response. */
export function replaceResponse(db: Db, { workspace_id, member_id, key, claim }: Where, answer_sealed: Buffer) {
  return db
    .updateTable('idempotency_keys')
    .set({ answer_sealed })
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', member_id)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

/** A batch of the stored responses of a workspace. */
export function listResponses(db: Db, workspaceId: string, after: { member_id: string; key: string }, limit: number) {
  return db
    .selectFrom('idempotency_keys')
    .select(['member_id', 'key', 'claim', 'answer_sealed'])
    .where('workspace_id', '=', workspaceId)
    .where('answer_sealed', 'is not', null)
    .where(sql<boolean>`(member_id, key) > (${after.member_id}::uuid, ${after.key})`)
    .$narrowType<{ answer_sealed: Buffer }>()
    .orderBy('member_id')
    .orderBy('key')
    .limit(limit)
    .execute()
}

/** Purges expired keys. */
export const purgeExpiredKeys = purgeOlderThan({ table: 'idempotency_keys', time: 'created_at', hours: KEEP_HOURS })
