import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import type { Keys } from '../../deps.ts'
import type { Authenticator } from '../../http/auth.ts'
import type { Member } from '../../member.ts'
import { findKeyByHash, touchKey } from './store.ts'

/**
 * For how long an answer about a key is trusted. A key revoked here stops at once; one revoked in another process
 * stops within this time. Without it every request would begin with a query of its own.
 */
const TRUST_MS = 2_000
/** Unknown keys are remembered too, but not without bound. */
const MAX_REMEMBERED = 10_000
const LAST_USE_PRECISION_MS = 60_000

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** A new key: 256 random bits, so a plain hash of it is enough to keep. */
export const newKey = (): string => `bw_${randomBytes(32).toString('base64url')}`

const OURS = /^bw_[\w-]{43}$/

/** Enough to tell keys apart, and never more than a quarter: a key chosen by the operator may be short. */
export const keyPrefix = (key: string): string => key.slice(0, Math.min(11, key.length >> 2))

/** `until` is by a clock that never jumps: put back an hour, the wall clock would have revoked keys trusted for an hour. */
type Remembered = { member: Member | null; until: number }

/** Knows who a key belongs to, and remembers it for a moment. */
export class KeyCache implements Authenticator, Keys {
  readonly #db: Db
  readonly #now: () => number
  readonly #remembered = new Map<string, Remembered>()
  #generation = 0

  constructor(db: Db, now: () => Date) {
    this.#db = db
    this.#now = () => now().getTime()
  }

  /** Whether the next `authenticate` is answered without a query. */
  knows(key: string): boolean {
    return (this.#remembered.get(key)?.until ?? 0) > performance.now()
  }

  isGuessable(key: string): boolean {
    return !OURS.test(key)
  }

  /** The member behind a key that is in force, or null. */
  async authenticate(key: string): Promise<Member | null> {
    const now = this.#now()
    const known = this.#remembered.get(key)
    if (known && known.until > performance.now()) return known.member
    const generation = this.#generation
    const found = await findKeyByHash(this.#db, hashKey(key))
    const inForce = found && !found.revoked_at && !(found.expires_at && Date.parse(found.expires_at) <= now)
    const member = inForce ? found.member : null
    if (inForce && now - Date.parse(found.last_used_at ?? '1970-01-01') > LAST_USE_PRECISION_MS) {
      await touchKey(this.#db, found.member)
    }
    // Something changed while we asked: the answer holds for this request and for no other.
    if (generation !== this.#generation) return member
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    const left = inForce && found.expires_at ? Date.parse(found.expires_at) - now : TRUST_MS
    this.#remembered.set(key, { member, until: performance.now() + Math.min(TRUST_MS, left) })
    return member
  }

  /** Called when keys or members change in this process. */
  forget(): void {
    this.#generation++
    this.#remembered.clear()
  }
}
