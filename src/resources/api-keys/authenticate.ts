import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import type { CallerCredential, Keys } from '../../deps/deps.ts'
import { isAllowedAddress } from '../../http/key-limits.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { hashToken, isToken } from '../../shared/tokens.ts'
import { findSessionByHash, touchSession } from '../sessions/store.ts'
import { findKeyByHash, touchKey } from './store.ts'

/**
 * Time for which the member of a key or session is cached, which saves a query per request. A key revoked in this process
 * stops working at once, one revoked in another process within this time.
 */
const CACHE_MS = 2_000
/** Unknown keys are cached, too, so the cache is bounded. */
const MAX_CACHED = 10_000
const LAST_USE_PRECISION_MS = 60_000

/** `until` uses the monotonic clock: a wall clock set back by an hour would keep revoked keys valid for an hour. */
type CachedMember = { member: Member | null; until: number }

/** The member of a key or session, its expiry, and its last use. */
type StoredCredential = { member: Member; expires_at: string | null; last_used_at: string | null }

const cacheKey = ({ kind, secret }: CallerCredential) => `${kind} ${secret}`

/** Finds the member of a key or session, with a short-lived cache. */
export class KeyCache implements Keys {
  readonly #db: Db
  readonly #now: () => number
  readonly #sessionDays: number
  readonly #providers: readonly string[]
  readonly #refreshSession: (member: Member) => Promise<void>
  readonly #remembered = new Map<string, CachedMember>()
  #generation = 0

  constructor(
    db: Db,
    now: () => Date,
    { SESSION_DAYS, OIDC_PROVIDERS }: Pick<Config, 'SESSION_DAYS' | 'OIDC_PROVIDERS'>,
    refreshSession: (member: Member) => Promise<void>,
  ) {
    this.#db = db
    this.#refreshSession = refreshSession
    this.#now = () => now().getTime()
    this.#sessionDays = SESSION_DAYS
    this.#providers = OIDC_PROVIDERS.map(({ id }) => id)
  }

  recall(credential: CallerCredential): Member | null | undefined {
    const known = this.#remembered.get(cacheKey(credential))
    return known && known.until > performance.now() ? known.member : undefined
  }

  isGuessable(key: string): boolean {
    return !isToken('key', key)
  }

  async authenticate(credential: CallerCredential, address?: string): Promise<Member | null> {
    const known = this.recall(credential)
    if (known !== undefined) return known
    const now = this.#now()
    const generation = this.#generation
    const found = await this.#find(credential)
    const inForce = found && !(found.expires_at && Date.parse(found.expires_at) <= now)
    const member = inForce ? found.member : null
    const isUse = inForce && (address === undefined || isAllowedAddress(found.member, address))
    if (isUse && now - Date.parse(found.last_used_at ?? '1970-01-01') > LAST_USE_PRECISION_MS) {
      await this.#touch(found.member)
    }
    // Keys changed during the query, so the result is not cached.
    if (generation !== this.#generation) return member
    if (this.#remembered.size >= MAX_CACHED) this.#remembered.clear()
    const left = inForce && found.expires_at ? Date.parse(found.expires_at) - now : CACHE_MS
    this.#remembered.set(cacheKey(credential), { member, until: performance.now() + Math.min(CACHE_MS, left) })
    return member
  }

  /** Called when keys, sessions or members change in this process. */
  forget(): void {
    this.#generation++
    this.#remembered.clear()
  }

  async #find({ kind, secret }: CallerCredential): Promise<StoredCredential | null> {
    if (kind === 'session') return isToken('session', secret) ? this.#findSession(hashToken(secret)) : null
    const found = await findKeyByHash(this.#db, hashToken(secret))
    return found?.revoked_at ? null : found
  }

  /**
   * Read again after its provider was asked, which may have ended the session or changed the role of the member. Throws
   * unavailable while another request asks the provider about a session that it has not confirmed for too long.
   */
  async #findSession(hash: Buffer): Promise<StoredCredential | null> {
    let found = await findSessionByHash(this.#db, hash, this.#providers)
    if (found?.is_refresh_due) {
      await this.#refreshSession(found.member)
      found = await findSessionByHash(this.#db, hash, this.#providers)
    }
    if (!found?.is_unconfirmed) return found
    throw new AppError('unavailable', 'The sign-in provider is being asked about this session. Try again.', {
      retryAfter: 1,
    })
  }

  async #touch({ workspace_id, session_id, key_id }: Member): Promise<void> {
    if (session_id) await touchSession(this.#db, workspace_id, session_id, this.#sessionDays)
    else if (key_id) await touchKey(this.#db, workspace_id, key_id)
  }
}
