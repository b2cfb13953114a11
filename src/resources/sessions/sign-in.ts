import type { Db } from '../../db/connect.ts'
import { onMissingReference } from '../../db/errors.ts'
import type { Deps } from '../../deps/deps.ts'
import type { AuthAttempt } from '../../http/auth-throttle.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { hashToken, newToken } from '../../shared/tokens.ts'
import { getMember } from '../members/store.ts'
import { markSignedIn } from '../workspaces/store.ts'
import { describeBrowser } from './browser.ts'
import { consumeLink, findLinkState } from './link-store.ts'
import { deleteSession, deleteSessionsByHash, insertSession } from './store.ts'

type Parts = Pick<Deps, 'db' | 'keys' | 'config'>
type Given = { token?: string; key?: string; replace?: boolean }
type Browser = {
  attempt: AuthAttempt
  userAgent: string | undefined
  /** The session tokens it sent; these sessions end, because the new cookie replaces them. */
  before: string[]
}

/** Our cookie, and one that another page of this site set. Limited, because each is looked up before the rate limit applies. */
const MAX_COOKIES = 2

/**
 * Opens a session with a sign-in link or a key, and returns it with its token, which is not stored. Throws invalid_request
 * unless exactly one is given, unauthenticated, rate_limited, and signed_in_as_other when it would replace the session of
 * another member without `replace`, so that a foreign link cannot silently switch the member.
 */
export async function signIn(
  parts: Parts,
  { token, key, replace = false }: Given,
  { attempt, userAgent, before }: Browser,
) {
  const { db, keys, config } = parts
  if (before.length > MAX_COOKIES) {
    throw new AppError(
      'invalid_request',
      'The browser sent many session cookies. Delete the cookies of this site first.',
    )
  }
  const browser = describeBrowser(userAgent)
  const known = replace ? [] : before.map((secret) => keys.authenticate({ kind: 'session', secret }))
  const current = (await Promise.all(known)).filter((member) => member !== null)
  const open = async (db: Db, who: { workspace_id: string; member_id: string; key_id: string | null }) => {
    const { workspace_id, ...owner } = who
    // A link that is rejected here is not consumed, because the transaction is rolled back.
    for (const member of current) await requireSameMember(db, member, who)
    const secret = newToken('session')
    const fields = { ...owner, hash: hashToken(secret), browser, days: config.SESSION_DAYS }
    // The member may be removed concurrently, and then the key no longer exists.
    const session = await insertSession(db, workspace_id, fields).catch(
      onMissingReference('sessions_member', unknownKey),
    )
    return { session, secret }
  }

  /** Consumes the link in the transaction that creates the session. */
  const byLink = (token: string) =>
    db.transaction().execute(async (db) => {
      const link = await consumeLink(db, hashToken(token))
      return link && open(db, link)
    })
  const byKey = async (secret: string) => {
    const member = await keys.authenticate({ kind: 'key', secret })
    return member && open(db, { workspace_id: member.workspace_id, member_id: member.id, key_id: member.key_id })
  }

  if ((token === undefined) === (key === undefined)) {
    throw new AppError('invalid_request', 'Send either token, from a sign-in link, or key.', {
      details: [{ path: 'token', message: 'or key is required, and not both' }],
    })
  }
  const opened =
    token !== undefined
      ? await attempt(token, false, () => byLink(token))
      : await attempt(key as string, keys.isGuessable(key as string), () => byKey(key as string))
  if (!opened) throw token === undefined ? unknownKey() : await unusableLinkError(db, token)
  if (before.length > 0) await deleteSessionsByHash(db, before.map(hashToken))
  await markSignedIn(db)
  keys.forget()
  return { ...opened, session: { ...opened.session, is_current: true } }
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

async function unusableLinkError(db: Db, token: string): Promise<AppError> {
  const link = await findLinkState(db, hashToken(token))
  const why = link?.is_used
    ? 'This sign-in link was already used.'
    : link?.is_over
      ? 'This sign-in link has expired: links are valid for 15 minutes.'
      : 'This sign-in link is unknown, or its API key was revoked.'
  const next =
    'Ask an admin for a new one, run "npx bellwether sign-in" where the service runs, or sign in with an API key.'
  return new AppError('unauthenticated', `${why} ${next}`)
}

/**
 * Ends a session: a member may end their own, an admin any, and a read-only key those opened with it. Returns the session's
 * id. Throws not_found, also for a session the caller may not end.
 */
export async function endSession({ db, keys }: Pick<Deps, 'db' | 'keys'>, member: Member, which: string) {
  const id = which === 'current' ? member.session_id : which
  const byRole = member.role === 'admin' ? {} : { memberId: member.id }
  const allowed = member.read_only ? { memberId: member.id, keyId: member.key_id } : byRole
  if (!id || !(await deleteSession(db, member.workspace_id, { id, ...allowed }))) throw notFound('session')
  keys.forget()
  return id
}
