import { findRejectedCredential, insertEntry } from '../../audit/store.ts'
import type { Db } from '../../db/connect.ts'
import { onMissingReference } from '../../db/errors.ts'
import type { Deps } from '../../deps/deps.ts'
import type { RequestSource } from '../../http/audit.ts'
import type { AuthAttempt } from '../../http/auth-throttle.ts'
import { addressNotAllowed, isAllowedAddress } from '../../http/key-limits.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Member } from '../../shared/member.ts'
import { hashToken, newToken } from '../../shared/tokens.ts'
import { getMember } from '../members/store.ts'
import { markSignedIn } from '../workspaces/store.ts'
import { describeBrowser } from './browser.ts'
import { consumeLink, findLinkState } from './link-store.ts'
import {
  admitMember,
  endOtherSessions,
  providerSignOutUrl,
  type RedeemedSignIn,
  redeemProviderSignIn,
  SESSION,
} from './provider-sign-in.ts'
import { type SessionTokens, sealTokens } from './provider-store.ts'
import { secondsUntilRefresh } from './refresh.ts'
import { deleteSession, deleteSessionByHash, insertSession, type ProviderOfSession } from './store.ts'

type Parts = Pick<Deps, 'db' | 'keys' | 'config' | 'secrets' | 'outbound' | 'log'>
type Given = { token?: string; key?: string; callback?: string; replace?: boolean }
type Browser = {
  attempt: AuthAttempt
  userAgent: string | undefined
  address: string
  /** The session tokens it sent; these sessions end, because the new cookie replaces them. */
  before: string[]
  /** The consent cookies it sent: it started the sign-ins at providers that are bound to them. */
  nonces: string[]
  /** For the audit log. */
  from: RequestSource
}

/** A session whose provider cannot be asked again ends after a working day. */
const END_SECONDS = 12 * 3600

/** Our cookie, and one that another page of this site set. Limited, because each is looked up before the rate limit applies. */
const MAX_COOKIES = 2

type Owner = { workspace_id: string; member_id: string; key_id: string | null }

/**
 * Opens a session with a sign-in link, a key or the answer of a provider, and returns it with its token, which is not stored.
 * Every sign-in succeeds or is refused here. Throws invalid_request unless exactly one is given, unauthenticated, forbidden,
 * unavailable, rate_limited, and signed_in_as_other when it would replace the session of another member without `replace`, so
 * that a foreign link cannot silently switch the member. The answer of a provider is bound to the browser and replaces.
 */
export async function signIn(
  parts: Parts,
  { token, key, callback, replace = callback !== undefined }: Given,
  { attempt, userAgent, address, before, nonces, from }: Browser,
) {
  const { db, keys, config } = parts
  if (before.length > MAX_COOKIES || nonces.length > MAX_COOKIES) {
    throw new AppError(
      'invalid_request',
      'The browser sent many session cookies. Delete the cookies of this site first.',
    )
  }
  const browser = describeBrowser(userAgent)
  const known = replace ? [] : before.map((secret) => findCurrentMember(keys, secret))
  const current = (await Promise.all(known)).filter((member) => member !== null)
  const open = async (db: Db, who: Owner, redeemed: RedeemedSignIn | null = null) => {
    const { workspace_id, ...owner } = who
    // A link that is rejected here is not consumed, because the transaction is rolled back.
    for (const member of current) await requireSameMember(db, member, who)
    const secret = newToken('session')
    const id = newId()
    const provider = redeemed && keepTokens(parts, workspace_id, id, redeemed)
    const fields = { ...owner, id, provider, hash: hashToken(secret), browser, days: config.SESSION_DAYS }
    // The member may be removed concurrently, and then the key no longer exists.
    const session = await insertSession(db, workspace_id, fields).catch(
      onMissingReference('sessions_member', unknownKey),
    )
    const source = { ...who, actor: 'session', session_id: session.id, ...from } as const
    await insertEntry(db, source, 'signIn', { ...SESSION, id: session.id }, { outcome: 'ok', status: 201 })
    return { session, secret, workspace_id }
  }

  /** Consumes the link in the transaction that creates the session. */
  const byLink = (token: string) =>
    db.transaction().execute(async (db) => {
      const link = await consumeLink(db, hashToken(token))
      return link && open(db, link)
    })
  const byKey = async (secret: string) => {
    const member = await keys.authenticate({ kind: 'key', secret }, address)
    if (member) requireBrowserKey(member, address)
    if (!member) return null
    const who = { workspace_id: member.workspace_id, member_id: member.id, key_id: member.key_id }
    return db.transaction().execute((db) => open(db, who))
  }
  const byProvider = async (query: string) => {
    const redeemed = await redeemProviderSignIn(parts, query, nonces)
    if (!redeemed) return null
    const opened = await db
      .transaction()
      .execute(async (db) => open(db, { ...(await admitMember(parts, db, redeemed, from)), key_id: null }, redeemed))
      .catch(async (error) => {
        if (error instanceof AppError && error.code === 'forbidden') {
          await endOtherSessions(parts, redeemed, from, error)
        }
        throw error
      })
    await endOtherSessions(parts, redeemed, from, opened)
    return opened
  }

  const ways = [
    token !== undefined && { secret: token, isGuessable: false, open: byLink, refused: unusableLinkError },
    key !== undefined && { secret: key, isGuessable: keys.isGuessable(key), open: byKey, refused: unknownKey },
    callback !== undefined && { secret: callback, isGuessable: false, open: byProvider, refused: unknownCallback },
  ].filter((way) => way !== false)
  const [way, second] = ways
  if (!way || second) {
    throw new AppError(
      'invalid_request',
      'Send one of token, from a sign-in link, key and callback, from a provider.',
      {
        details: [{ path: 'token', message: 'or key or callback is required, and only one of them' }],
      },
    )
  }
  /** Records who was refused, if the link or key is or was that of a member. */
  const refuse = async ({ status, code }: AppError) => {
    const tried = await findRejectedCredential(db, hashToken(way.secret))
    if (!tried) return
    const refusal = { outcome: 'refused', status, error_code: code } as const
    await insertEntry(db, { ...tried, actor: 'anonymous', ...from }, 'signIn', { ...SESSION, id: null }, refusal)
  }
  const opened = await attempt(way.secret, way.isGuessable, () => way.open(way.secret)).catch(async (error) => {
    const isRefusal = error instanceof AppError && ['forbidden', 'signed_in_as_other'].includes(error.code)
    if (isRefusal) await refuse(error)
    throw error
  })
  if (!opened) {
    const error = await way.refused(db, way.secret)
    await refuse(error)
    throw error
  }
  if (before.length > 0) await db.transaction().execute((db) => endPreviousSessions(db, before, from))
  await markSignedIn(db)
  keys.forget()
  return { secret: opened.secret, session: { ...opened.session, is_current: true } }
}

/**
 * The member of a session that the browser sent; null also while its provider is asked, so that a link signs in when the
 * provider does not respond.
 */
function findCurrentMember(keys: Parts['keys'], secret: string): Promise<Member | null> {
  return keys.authenticate({ kind: 'session', secret }).catch((error) => {
    if (error instanceof AppError && error.code === 'unavailable') return null
    throw error
  })
}

/** Ends the sessions that the new one replaces in the browser, which may be those of another member. */
async function endPreviousSessions(db: Db, secrets: string[], from: RequestSource): Promise<void> {
  for (const secret of secrets) {
    const deleted = await deleteSessionByHash(db, hashToken(secret))
    if (!deleted) continue
    const { id, ...owner } = deleted
    const source = { ...owner, actor: 'session', session_id: id, ...from } as const
    await insertEntry(db, source, 'endSession', { ...SESSION, id }, { outcome: 'ok' })
  }
}

/** How the provider keeps the session alive, with its tokens encrypted. */
function keepTokens(
  { secrets }: Pick<Parts, 'secrets'>,
  workspaceId: string,
  sessionId: string,
  { provider, tokens, identity }: RedeemedSignIn,
): ProviderOfSession {
  const { refresh_token, id_token, expires_in, claims } = tokens
  const kept: SessionTokens = { ...identity, refresh_token, id_token, has_groups: provider.groups_claim in claims }
  return {
    id: provider.id,
    tokens_sealed: sealTokens(secrets, workspaceId, sessionId, kept),
    refreshSeconds: refresh_token === null ? null : secondsUntilRefresh(expires_in),
    endSeconds: refresh_token === null ? END_SECONDS : null,
  }
}

/** Throws forbidden for a key that is meant for a program: one of a service account, or one for single operations. */
function requireBrowserKey(member: Member, address: string): void {
  if (!isAllowedAddress(member, address)) throw addressNotAllowed(address)
  if (member.kind === 'person' && !member.limits?.operations) return
  throw new AppError(
    'forbidden',
    'This API key is for a program and cannot sign a browser in. Use the key of a member.',
  )
}

/** Throws signed_in_as_other unless these are the same member. */
async function requireSameMember(
  db: Db,
  current: Member,
  other: { workspace_id: string; member_id: string },
): Promise<void> {
  if (current.workspace_id === other.workspace_id && current.id === other.member_id) return
  const { name } = await getMember(db, current.workspace_id, current.id)
  throw new AppError(
    'signed_in_as_other',
    `This browser is signed in as ${name}. Sign out first, or send replace: true to sign ${name} out.`,
  )
}

const unknownKey = () => new AppError('unauthenticated', 'This API key is unknown, revoked or expired.')

const unknownCallback = () =>
  new AppError(
    'unauthenticated',
    'This sign-in was used before, is older than ten minutes, or was started in another browser. Sign in again.',
  )

async function unusableLinkError(db: Db, token: string): Promise<AppError> {
  const link = await findLinkState(db, hashToken(token))
  const why = link?.is_used
    ? 'This sign-in link was already used.'
    : link?.is_over
      ? 'This sign-in link has expired: links are valid for 15 minutes.'
      : 'This sign-in link is unknown, or its API key was revoked.'
  const next =
    'Ask an admin for a new one, run "bellwether sign-in" where the service runs, or sign in with an API key.'
  return new AppError('unauthenticated', `${why} ${next}`)
}

/**
 * Ends a session: a member may end their own, an admin any, and a read-only key those opened with it. Returns the session's
 * id, and for the caller's own session the URL that signs out at its provider. Throws not_found, also for a session the
 * caller may not end.
 */
export async function endSession(parts: Parts, member: Member, which: string, address: string) {
  const { db, keys } = parts
  const id = which === 'current' ? member.session_id : which
  const byRole = member.role === 'admin' ? {} : { memberId: member.id }
  const allowed = member.read_only ? { memberId: member.id, keyId: member.key_id } : byRole
  const ended = id && (await deleteSession(db, member.workspace_id, { id, ...allowed }))
  if (!ended) throw notFound('session')
  keys.forget()
  const isOwn = id === member.session_id
  // Afterwards, because the provider may not respond.
  const sign_out_url = isOwn ? await providerSignOutUrl(parts, member.workspace_id, ended, address) : null
  return { id, sign_out_url }
}
