import { insertEntry } from '../../audit/store.ts'
import type { Deps } from '../../deps/deps.ts'
import { OidcError, refreshTokens } from '../../providers/oidc.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { followProvider } from '../members/change.ts'
import { getMember } from '../members/store.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { findVerifiedEmail, refreshedAccess } from './provider-access.ts'
import { providerOf, SESSION, workspaceOf } from './provider-sign-in.ts'
import { claimRefresh, confirmSession, openTokens, type SessionTokens, saveTokens } from './provider-store.ts'
import { deleteSession, MAX_UNCONFIRMED_SECONDS } from './store.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'config' | 'outbound' | 'log' | 'keys'>

/** The provider is asked when its access token expires, within these bounds. */
const MIN_SECONDS = 5 * 60
const MAX_SECONDS = 60 * 60

export const secondsUntilRefresh = (expiresIn: number | null): number =>
  Math.min(Math.max(expiresIn ?? MAX_SECONDS, MIN_SECONDS), MAX_SECONDS)

/**
 * Asks the provider of a session whether its person may still sign in. Ends the session if the provider refuses, or has not
 * responded for too long; role, visibility and address follow the response as far as it contains them.
 */
export async function refreshSession(parts: Parts, member: Member): Promise<void> {
  const { db, secrets, config, log, keys } = parts
  const { workspace_id, session_id } = member
  const claimed = session_id && (await claimRefresh(db, workspace_id, session_id))
  if (!claimed) return
  const source = { workspace_id, actor: 'provider', member_id: member.id } as const
  const end = async (reason: string) => {
    log.info({ session_id, provider: claimed.provider, reason }, 'a session was ended after asking its provider')
    await db.transaction().execute(async (db) => {
      if (!(await deleteSession(db, workspace_id, { id: session_id }))) return
      await insertEntry(db, source, 'endSession', { ...SESSION, id: session_id }, { outcome: 'ok' })
    })
    keys.forget()
  }
  const provider = providerOf(config, claimed.provider)
  const known = claimed.tokens_sealed && openTokens(parts, workspace_id, session_id, claimed.tokens_sealed)
  if (!provider || !known?.refresh_token) return end('its tokens cannot be used')
  try {
    const { claims, ...fresh } = await refreshTokens(parts, provider, known.issuer, known.refresh_token)
    if (claims && claims.sub !== known.subject) return end('another person')
    const tokens: SessionTokens = {
      ...known,
      // A provider that does not rotate its tokens returns only what changed.
      refresh_token: fresh.refresh_token ?? known.refresh_token,
      id_token: fresh.id_token ?? known.id_token,
      has_groups: known.has_groups || (claims !== null && provider.groups_claim in claims),
    }
    // Before the claims are applied, which can fail: a rotated token replaces the former one, which is no longer accepted.
    await saveTokens(db, secrets, workspace_id, session_id, tokens)
    const access = claims && refreshedAccess(provider, claims, known.has_groups)
    if (access && (await workspaceOf(db, provider, access)) !== workspace_id) return end('another workspace')
    await db.transaction().execute(async (db) => {
      await lockWorkspace(db, workspace_id)
      // The session ended meanwhile: its member was removed, or another account took the member over.
      if (!(await confirmSession(db, workspace_id, session_id, secondsUntilRefresh(fresh.expires_in)))) return
      const current = await getMember(db, workspace_id, member.id)
      const { role, visibility } = access ?? current
      const email = claims && findVerifiedEmail(provider, claims)
      await followProvider({ log }, db, source, current, { role, visibility, email })
    })
    keys.forget()
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return end(error.message)
    if (!(error instanceof OidcError)) throw error
    if (error.kind !== 'unreachable') return end(error.message)
    if (claimed.seconds_unconfirmed > MAX_UNCONFIRMED_SECONDS) return end('the provider has not responded for 8 hours')
    log.warn({ err: error, session_id, provider: provider.id }, 'a provider could not be asked about a session')
  }
}
