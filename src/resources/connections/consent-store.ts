import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { findTokenWorkspace, insertTokenWorkspace } from '../../db/token-workspaces.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import type { Secrets } from '../../shared/secrets.ts'
import { hashToken } from '../../shared/tokens.ts'
import type { CrmGrant } from './store.ts'

type NewState = {
  provider: CrmProvider
  memberId: string
  state: string
  verifier: string
  /** Stored in the cookie of the browser that started the consent; null without a browser. */
  nonce: string | null
  seconds: number
}

const isExpired = sql<boolean>`expires_at <= now()`

/** Stores a consent that was started: state and nonce as hashes, the PKCE verifier encrypted. Deletes expired ones. */
export async function insertConsent(
  db: Db,
  workspaceId: string,
  secrets: Secrets,
  { provider, memberId, state, verifier, nonce, seconds }: NewState,
) {
  const state_hash = hashToken(state)
  await db.deleteFrom('oauth_states').modifyEnd(sql.raw(ALL_WORKSPACES)).where(isExpired).execute()
  await insertTokenWorkspace(db, workspaceId, state_hash, { days: 1 })
  return db
    .insertInto('oauth_states')
    .values({
      workspace_id: workspaceId,
      state_hash,
      provider,
      member_id: memberId,
      verifier_sealed: secrets.seal(verifier, 'oauth_states.verifier', workspaceId, state_hash),
      nonce_hash: nonce === null ? null : hashToken(nonce),
      grant_sealed: null,
      expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
}

/**
 * The consent of a state, which determines the workspace; null for a state that is unknown or has expired. `allowed`: the member
 * who started the consent is still an admin.
 */
export async function findConsent(db: Db, state: string, secrets: Secrets) {
  const workspaceId = await findTokenWorkspace(db, hashToken(state))
  if (workspaceId === null) return null
  const found = await db
    .selectFrom('oauth_states')
    .select(['workspace_id', 'member_id', 'state_hash', 'verifier_sealed', 'nonce_hash', 'grant_sealed'])
    .select([
      sql<CrmProvider>`oauth_states.provider`.as('provider'),
      sql<boolean>`exists (select from members where members.workspace_id = ${workspaceId}
        and members.id = oauth_states.member_id and members.role = 'admin')`.as('allowed'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('state_hash', '=', hashToken(state))
    .where(sql<boolean>`not ${isExpired}`)
    .executeTakeFirst()
  if (!found) return null
  const { verifier_sealed, grant_sealed, ...pending } = found
  const { workspace_id, state_hash } = pending
  const grant = grant_sealed && secrets.open(grant_sealed, 'oauth_states.grant', workspace_id, state_hash)
  return {
    ...pending,
    isBrowserBound: pending.nonce_hash !== null,
    verifier: secrets.open(verifier_sealed, 'oauth_states.verifier', workspace_id, state_hash),
    grant: grant && (JSON.parse(grant) as CrmGrant),
  }
}

export type PendingConsent = NonNullable<Awaited<ReturnType<typeof findConsent>>>

/** Whether one of these is the nonce of the browser that started the consent. */
export function hasNonce({ nonce_hash }: PendingConsent, nonces: string[]): boolean {
  return nonce_hash !== null && nonces.some((nonce) => timingSafeEqual(hashToken(nonce), nonce_hash))
}

/** Deletes a consent, so that its state works once. Returns whether it still existed. */
export async function deleteConsent(
  db: Db,
  { workspace_id, state_hash }: Pick<PendingConsent, 'workspace_id' | 'state_hash'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_states')
    .where('workspace_id', '=', workspace_id)
    .where('state_hash', '=', state_hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Stores the encrypted grant of the vendor until an admin confirms it. Returns whether the consent still existed. */
export async function saveGrant(
  db: Db,
  { workspace_id, state_hash }: Pick<PendingConsent, 'workspace_id' | 'state_hash'>,
  secrets: Secrets,
  grant: CrmGrant,
): Promise<boolean> {
  const sealed = secrets.seal(JSON.stringify(grant), 'oauth_states.grant', workspace_id, state_hash)
  const { numUpdatedRows } = await db
    .updateTable('oauth_states')
    .set({ grant_sealed: sealed })
    .where('workspace_id', '=', workspace_id)
    .where('state_hash', '=', state_hash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
