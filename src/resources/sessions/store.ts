import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { keyRights } from '../../db/key-rights.ts'
import { findTokenWorkspace, insertTokenWorkspace } from '../../db/token-workspaces.ts'
import { limitsOf, type Member } from '../../shared/member.ts'

/** Maximum age of a session, even if it is used. */
const MAX_DAYS = 365

/** How long a session survives a provider that does not respond: an outage must not stop a working day. */
export const MAX_UNCONFIRMED_SECONDS = 8 * 3600

/** `least` ignores null. */
const expiry = (days: number, latest: RawBuilder<unknown>, endsAt: RawBuilder<unknown>) =>
  sql<string>`least(now() + make_interval(days => ${days}), ${latest}, ${endsAt})`

/** The end of a session that began then, even if it is used. */
const latestExpiry = (since: RawBuilder<unknown>) => sql<string>`${since} + make_interval(days => ${sql.lit(MAX_DAYS)})`

/**
 * Selects active sessions with their members and keys. A session ends with its key, which the join checks, and with its
 * provider, when that is no longer among the configured ones.
 */
const inForce = (db: Db, providers: readonly string[]) =>
  db
    .selectFrom('sessions')
    .innerJoin('members', (join) =>
      join.onRef('members.workspace_id', '=', 'sessions.workspace_id').onRef('members.id', '=', 'sessions.member_id'),
    )
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.workspace_id', '=', 'sessions.workspace_id').onRef('api_keys.id', '=', 'sessions.key_id'),
    )
    .where('sessions.expires_at', '>', sql<string>`now()`)
    .where('api_keys.revoked_at', 'is', null)
    .where(sql<boolean>`(sessions.provider is null or sessions.provider = any(${providers}::text[]))`)
    .where((eb) => eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', sql<string>`now()`)]))

/** The earlier expiry; `least` ignores null. */
const endsAt = sql<string>`least(sessions.expires_at, api_keys.expires_at)`.as('expires_at')

/** The session determines the workspace. */
export async function findSessionByHash(db: Db, hash: Buffer, providers: readonly string[]) {
  const workspaceId = await findTokenWorkspace(db, hash)
  if (workspaceId === null) return null
  const row = await inForce(db, providers)
    .where('sessions.workspace_id', '=', workspaceId)
    .where('sessions.hash', '=', hash)
    .select([
      'sessions.workspace_id',
      'members.id',
      'members.kind',
      'sessions.key_id',
      'sessions.id as session_id',
      ...keyRights(),
      'sessions.last_used_at',
      sql<boolean>`coalesce(sessions.refresh_at <= now(), false)`.as('is_refresh_due'),
      sql<boolean>`coalesce(sessions.refresh_at is not null
        and sessions.confirmed_at < now() - make_interval(secs => ${sql.lit(MAX_UNCONFIRMED_SECONDS)}), false)`.as(
        'is_unconfirmed',
      ),
      endsAt,
    ])
    .executeTakeFirst()
  if (!row) return null
  const { last_used_at, expires_at, operations, allowed_ips, is_refresh_due, is_unconfirmed, ...caller } = row
  const member: Member = { ...caller, limits: limitsOf({ operations, allowed_ips }) }
  return { member, last_used_at, expires_at, is_refresh_due, is_unconfirmed }
}

/** Stores the last use of a session and extends its expiry. */
export async function touchSession(db: Db, workspaceId: string, id: string, days: number): Promise<void> {
  await db
    .updateTable('sessions')
    .from((eb) =>
      eb
        .selectFrom('sessions')
        .select(latestExpiry(sql`created_at`).as('latest'))
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .as('bound'),
    )
    .set({
      last_used_at: sql`now()`,
      expires_at: expiry(days, sql`bound.latest`, sql`sessions.ends_at`),
    })
    .where('sessions.workspace_id', '=', workspaceId)
    .where('sessions.id', '=', id)
    .execute()
}

type SessionQuery = {
  page: number
  per_page: number
  /** Only sessions of this member; all sessions with null. */
  memberId: string | null
  currentId: string | null
  /** The ids of the configured sign-in providers. */
  providers: readonly string[]
}

export async function listSessions(
  db: Db,
  workspaceId: string,
  { memberId, currentId, providers, page, per_page }: SessionQuery,
) {
  const all = inForce(db, providers)
    .where('sessions.workspace_id', '=', workspaceId)
    .$if(memberId !== null, (query) => query.where('sessions.member_id', '=', memberId as string))
  const [rows, { count }] = await Promise.all([
    all
      .select([
        'sessions.id',
        'sessions.member_id',
        'sessions.key_id',
        'sessions.provider',
        'sessions.browser',
        'sessions.created_at',
        'sessions.last_used_at',
        endsAt,
      ])
      .orderBy('sessions.last_used_at', 'desc')
      .orderBy('sessions.id', 'desc')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows: rows.map((row) => ({ ...row, is_current: row.id === currentId })), count }
}

type NewSession = {
  id: string
  member_id: string
  key_id: string | null
  hash: Buffer
  browser: string
  days: number
  provider: ProviderOfSession | null
}

/** How a provider keeps a session alive: it is asked after `refreshSeconds`, or the session ends after `endSeconds`. */
export type ProviderOfSession = {
  id: string
  tokens_sealed: Buffer
  refreshSeconds: number | null
  endSeconds: number | null
}

/** Stores a session, and deletes all expired sessions. */
export async function insertSession(db: Db, workspaceId: string, { days, provider, ...session }: NewSession) {
  await db
    .deleteFrom('sessions')
    .modifyEnd(sql.raw(ALL_WORKSPACES))
    .where('expires_at', '<', sql<string>`now()`)
    .execute()
  await insertTokenWorkspace(db, workspaceId, session.hash, { days: MAX_DAYS + 1 })
  const inSeconds = (seconds: number | null) => sql<string>`now() + make_interval(secs => ${seconds}::float8)`
  const ends_at = provider && inSeconds(provider.endSeconds)
  return db
    .insertInto('sessions')
    .values({
      workspace_id: workspaceId,
      ...session,
      ...(provider && {
        provider: provider.id,
        tokens_sealed: provider.tokens_sealed,
        refresh_at: inSeconds(provider.refreshSeconds),
        confirmed_at: sql<string>`now()`,
        ends_at,
      }),
      expires_at: expiry(days, latestExpiry(sql`now()`), ends_at ?? sql`null`),
    })
    .returning(['id', 'member_id', 'key_id', 'provider', 'browser', 'created_at', 'last_used_at', 'expires_at'])
    .executeTakeFirstOrThrow()
}

type Ended = {
  id: string
  /** Only a session of this member. */
  memberId?: string
  /** Only a session that was opened with this key. */
  keyId?: string | null
}

/** Deletes a session, and returns its provider with its tokens. Returns null if there is no such session. */
export async function deleteSession(db: Db, workspaceId: string, { id, memberId, keyId }: Ended) {
  const deleted = await db
    .deleteFrom('sessions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .$if(memberId !== undefined, (query) => query.where('member_id', '=', memberId as string))
    .$if(keyId !== undefined, (query) => query.where('key_id', 'is not distinct from', keyId as string | null))
    .returning(['id', 'provider', 'tokens_sealed'])
    .executeTakeFirst()
  return deleted ?? null
}

/** Deletes a previous session of a browser, whose token authorizes it, and returns it with its member. */
export async function deleteSessionByHash(db: Db, hash: Buffer) {
  const workspaceId = await findTokenWorkspace(db, hash)
  if (workspaceId === null) return null
  const deleted = await db
    .deleteFrom('sessions')
    .where('workspace_id', '=', workspaceId)
    .where('hash', '=', hash)
    .returning(['workspace_id', 'member_id', 'key_id', 'id'])
    .executeTakeFirst()
  return deleted ?? null
}
