import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import type { Deps } from '../../deps/deps.ts'
import type { AuthorizationSecrets } from '../../providers/oidc.ts'
import type { Secrets } from '../../shared/secrets.ts'
import { hashToken } from '../../shared/tokens.ts'

type NewAttempt = {
  provider: string
  /** The cookie of the browser. */
  browser: string
  secrets: AuthorizationSecrets
  seconds: number
}

/** Stores a sign-in that was started: state and cookie as hashes, the rest encrypted. Deletes expired ones. */
export async function insertAttempt(db: Db, vault: Secrets, { provider, browser, secrets, seconds }: NewAttempt) {
  const state_hash = hashToken(secrets.state)
  await db.deleteFrom('sign_in_attempts').where('expires_at', '<=', sql<string>`now()`).execute()
  return db
    .insertInto('sign_in_attempts')
    .values({
      state_hash,
      provider,
      browser_hash: hashToken(browser),
      secrets_sealed: vault.seal(JSON.stringify(secrets), 'sign_in_attempts.secrets', state_hash),
      expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
}

/**
 * Consumes a started sign-in and returns it; null if it is unknown, used or expired, or another browser started it, which
 * does not consume it. Of two concurrent calls one deletes the row.
 */
export async function takeAttempt(db: Db, vault: Secrets, state: string, browsers: string[]) {
  const state_hash = hashToken(state)
  const taken = await db
    .deleteFrom('sign_in_attempts')
    .where('state_hash', '=', state_hash)
    .where('browser_hash', 'in', browsers.map(hashToken))
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['provider', 'secrets_sealed'])
    .executeTakeFirst()
  if (!taken) return null
  const opened = vault.open(taken.secrets_sealed, 'sign_in_attempts.secrets', state_hash)
  return { provider: taken.provider, secrets: JSON.parse(opened) as AuthorizationSecrets }
}

/** A person at a provider. */
export type Identity = { issuer: string; subject: string }

export async function findIdentity(db: Db, workspaceId: string, { issuer, subject }: Identity) {
  const found = await db
    .selectFrom('member_identities')
    .select('member_id')
    .where('workspace_id', '=', workspaceId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return found?.member_id ?? null
}

/** Stores who a member is at a provider. Returns whether it replaces another account of the member there. */
export async function saveIdentity(
  db: Db,
  workspaceId: string,
  memberId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('member_identities')
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  await db
    .insertInto('member_identities')
    .values({ workspace_id: workspaceId, issuer, subject, member_id: memberId })
    .execute()
  return numDeletedRows > 0n
}

/** The members who a person is, in all workspaces. */
export function listIdentityMembers(db: Db, { issuer, subject }: Identity) {
  return db
    .selectFrom('member_identities')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .select(['workspace_id', 'member_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .orderBy('workspace_id')
    .execute()
}

/** Deletes the sessions that a member opened with these providers or, with `byLink`, with a link. Returns their ids. */
export async function deleteMemberSessions(
  db: Db,
  workspaceId: string,
  memberId: string,
  { providers, byLink = false }: { providers: string[]; byLink?: boolean },
): Promise<string[]> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where(
      sql<boolean>`(provider = any(${providers}::text[])
        or (${byLink}::boolean and provider is null and key_id is null))`,
    )
    .returning('id')
    .execute()
  return deleted.map(({ id }) => id)
}

/** What the provider returned, kept with a session. */
export type SessionTokens = Identity & {
  refresh_token: string | null
  id_token: string | null
  /** Whether an ID token of this session had the claim with the groups. */
  has_groups: boolean
}

/**
 * Claims the check of a session that is due, so that one process asks the provider; null if another has claimed it. A
 * claim lasts a minute, after which a later request tries again.
 */
export async function claimRefresh(db: Db, workspaceId: string, id: string) {
  const claimed = await db
    .updateTable('sessions')
    .set({ refresh_at: sql<string>`now() + interval '1 minute'` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('refresh_at', '<=', sql<string>`now()`)
    .returning(['provider', 'tokens_sealed'])
    .returning(sql<number>`extract(epoch from refresh_at - confirmed_at)::float8 - 60`.as('seconds_unconfirmed'))
    .executeTakeFirst()
  return claimed ?? null
}

/** Stores the tokens of a session, which a provider has replaced. */
export async function saveTokens(
  db: Db,
  vault: Secrets,
  workspaceId: string,
  id: string,
  tokens: SessionTokens,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ tokens_sealed: sealTokens(vault, workspaceId, id, tokens) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Records that the provider has confirmed the person of a session, and when it is asked again. False if it has ended. */
export async function confirmSession(db: Db, workspaceId: string, id: string, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({
      refresh_at: sql<string>`now() + make_interval(secs => ${seconds})`,
      confirmed_at: sql<string>`now()`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const sealTokens = (vault: Secrets, workspaceId: string, id: string, tokens: SessionTokens): Buffer =>
  vault.seal(JSON.stringify(tokens), 'sessions.tokens', workspaceId, id)

/** The tokens of a session; null if they cannot be decrypted, which the log explains. */
export function openTokens(
  { secrets, log }: Pick<Deps, 'secrets' | 'log'>,
  workspaceId: string,
  id: string,
  sealed: Buffer,
): SessionTokens | null {
  try {
    return JSON.parse(secrets.open(sealed, 'sessions.tokens', workspaceId, id)) as SessionTokens
  } catch (error) {
    log.error({ err: error, session_id: id }, 'the tokens of a session cannot be decrypted')
    return null
  }
}
