import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import type { Secrets } from '../../secrets.ts'

const hashOf = (state: string) => createHash('sha256').update(state).digest()

const purpose = (workspaceId: string, hash: Buffer) => `oauth_states.verifier ${workspaceId} ${hash.toString('hex')}`

type NewState = { provider: CrmProvider; memberId: string; state: string; verifier: string; seconds: number }

/** Keeps what is needed when the consent comes back: the state as a hash, the PKCE verifier sealed. Deletes expired ones. */
export async function insertState(
  db: Db,
  workspaceId: string,
  secrets: Secrets,
  { provider, memberId, state, verifier, seconds }: NewState,
) {
  const state_hash = hashOf(state)
  await db.deleteFrom('oauth_states').where('expires_at', '<', sql<string>`now()`).execute()
  return db
    .insertInto('oauth_states')
    .values({
      workspace_id: workspaceId,
      state_hash,
      provider,
      member_id: memberId,
      verifier_sealed: secrets.seal(verifier, purpose(workspaceId, state_hash)),
      expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
}

/**
 * Deletes a state and answers what was kept with it, so that it works once; null for one that is unknown or has expired. The
 * state alone says whose it is: only who asked for the consent knows it.
 * `allowed`: they are still an admin there.
 */
export async function takeState(db: Db, state: string, secrets: Secrets) {
  const taken = await db
    .deleteFrom('oauth_states')
    .where('state_hash', '=', hashOf(state))
    .returning([
      'workspace_id',
      'state_hash',
      sql<CrmProvider>`oauth_states.provider`.as('provider'),
      'verifier_sealed',
      sql<boolean>`expires_at > now()`.as('fresh'),
      sql<boolean>`exists (select from members where members.workspace_id = oauth_states.workspace_id
        and members.id = oauth_states.member_id and members.role = 'admin')`.as('allowed'),
    ])
    .executeTakeFirst()
  if (!taken?.fresh) return null
  const { workspace_id, provider, allowed, state_hash, verifier_sealed } = taken
  return { workspace_id, provider, allowed, verifier: secrets.open(verifier_sealed, purpose(workspace_id, state_hash)) }
}
