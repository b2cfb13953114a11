import { randomBytes } from 'node:crypto'
import { recordAt } from '../../audit/records.ts'
import { type AuditSource, auditedWithin, insertEntry } from '../../audit/store.ts'
import type { Config } from '../../config/config.ts'
import type { OidcProvider, ProviderAccess } from '../../config/oidc-providers.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import type { RequestSource } from '../../http/audit.ts'
import { CONSENT_SECONDS, chooseBrowserNonce } from '../../http/cookies.ts'
import { authorizationUrl, OidcError, redeemCode, signOutUrl } from '../../providers/oidc.ts'
import { AppError } from '../../shared/errors.ts'
import { followProvider } from '../members/change.ts'
import { findMember, findMemberByEmail, insertMember } from '../members/store.ts'
import { findInstallation, findWorkspaceId, lockWorkspace } from '../workspaces/store.ts'
import { accessOf, findVerifiedEmail, nameOf, requireVerifiedEmail } from './provider-access.ts'
import {
  deleteMemberSessions,
  findIdentity,
  type Identity,
  insertAttempt,
  listIdentityMembers,
  openTokens,
  saveIdentity,
  takeAttempt,
} from './provider-store.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'config' | 'outbound' | 'log'>
const MEMBER = { record: recordAt('/members') }
export const SESSION = { record: recordAt('/sessions') }

const random = () => randomBytes(32).toString('base64url')

export const providerOf = ({ OIDC_PROVIDERS }: Config, id: string | null): OidcProvider | null =>
  OIDC_PROVIDERS.find((provider) => provider.id === id) ?? null

/**
 * Starts a sign-in at a provider, which is valid in this browser only: `nonce` is stored in its cookie. Throws not_found and
 * unavailable.
 */
export async function startProviderSignIn(parts: Parts, id: string, address: string, nonces: readonly string[]) {
  const { db, secrets: vault, config } = parts
  const provider = providerOf(config, id)
  if (!provider) throw new AppError('not_found', `There is no sign-in provider ${id}. Load the sign-in page again.`)
  const browser = chooseBrowserNonce(nonces)
  const redirectUri = new URL(`${address}/sign-in/callback`).href
  const secrets = { state: random(), nonce: random(), verifier: random(), redirectUri }
  const authorization_url = await authorizationUrl(parts, provider, secrets).catch((error) => {
    throw toAppError(parts, provider, error)
  })
  const attempt = { provider: id, browser, secrets, seconds: CONSENT_SECONDS }
  const { expires_at } = await insertAttempt(db, vault, attempt)
  return { authorization_url, expires_at, nonce: browser }
}

/**
 * Checks the query with which a provider returned to this browser, and returns who signed in; null if no such sign-in was
 * started here. Throws unauthenticated and unavailable.
 */
export async function redeemProviderSignIn(parts: Parts, query: string, nonces: string[]) {
  const { db, secrets: vault, config } = parts
  const [state, second] = new URLSearchParams(query).getAll('state')
  if (!state || second !== undefined || nonces.length === 0) return null
  const attempt = await takeAttempt(db, vault, state, nonces)
  const provider = attempt && providerOf(config, attempt.provider)
  if (!provider) return null
  const tokens = await redeemCode(parts, provider, query, attempt.secrets).catch((error) => {
    throw toAppError(parts, provider, error)
  })
  return { provider, tokens, identity: { issuer: tokens.claims.iss, subject: tokens.claims.sub } }
}

export type RedeemedSignIn = NonNullable<Awaited<ReturnType<typeof redeemProviderSignIn>>>

/**
 * Returns the member who signed in: the one of the identity, otherwise the one with the verified address, otherwise a new
 * one. Role, visibility and address follow the provider. Call it in a transaction. Throws forbidden.
 */
export async function admitMember(
  parts: Pick<Parts, 'log' | 'config'>,
  db: Db,
  { provider, tokens, identity }: RedeemedSignIn,
  from: RequestSource,
) {
  const access = accessOf(provider, tokens.claims)
  const workspace_id = await workspaceOf(db, provider, access)
  await lockWorkspace(db, workspace_id)
  const source = { workspace_id, actor: 'provider', ...from } as const
  const knownId = await findIdentity(db, workspace_id, identity)
  const known = knownId && (await findMember(db, workspace_id, knownId))
  if (known) {
    const email = findVerifiedEmail(provider, tokens.claims)
    await followProvider(parts, db, { ...source, member_id: known.id }, known, { ...access, email })
    return { workspace_id, member_id: known.id }
  }
  const email = requireVerifiedEmail(provider, tokens.claims)
  const found = await findMemberByEmail(db, workspace_id, email)
  const { role, visibility } = access
  const add = () => insertMember(db, workspace_id, { name: nameOf(tokens.claims, email), email, role, visibility })
  const member =
    found ?? (await auditedWithin(db, source, 'createMember', { ...MEMBER, id: null }, add, (added) => added.id))
  const byMember = { ...source, member_id: member.id }
  await linkIdentity(parts, db, byMember, provider, identity)
  await followProvider(parts, db, byMember, member, { role, visibility, email: null })
  return { workspace_id, member_id: member.id }
}

/**
 * Connects an identity with the member who has its address. Another account of the member at this provider loses its
 * sessions, and so does a link: from now on the provider decides who is this member.
 */
async function linkIdentity(
  { log, config }: Pick<Parts, 'log' | 'config'>,
  db: Db,
  source: AuditSource & { member_id: string },
  provider: OidcProvider,
  identity: Identity,
): Promise<void> {
  const { workspace_id, member_id } = source
  const isReplaced = await saveIdentity(db, workspace_id, member_id, identity)
  const replaced = isReplaced ? config.OIDC_PROVIDERS.filter(({ issuer }) => issuer === provider.issuer) : []
  const providers = replaced.map(({ id }) => id)
  // Before the first entry, which locks the audit log: a refresh locks its session first, too.
  const ended = await deleteMemberSessions(db, workspace_id, member_id, { providers, byLink: true })
  const action = isReplaced ? 'replaceIdentity' : 'linkIdentity'
  await insertEntry(db, source, action, { ...MEMBER, id: member_id }, { outcome: 'ok' })
  await recordEndedSessions(db, source, ended)
  if (isReplaced) log.warn({ member_id, provider: provider.id }, 'a member signed in with another account')
}

async function recordEndedSessions(db: Db, source: AuditSource, ids: string[]): Promise<void> {
  for (const id of ids) await insertEntry(db, source, 'endSession', { ...SESSION, id }, { outcome: 'ok' })
}

/**
 * Ends the sessions that a person opened with the provider before: of one who was refused, which is recorded, or who has
 * moved to another workspace, except there.
 */
export async function endOtherSessions(
  { db, log, keys }: Pick<Deps, 'db' | 'log' | 'keys'>,
  { provider, identity }: RedeemedSignIn,
  from: RequestSource,
  outcome: { workspace_id: string } | AppError,
): Promise<void> {
  const count = await db.transaction().execute(async (db) => {
    let count = 0
    for (const owner of await listIdentityMembers(db, identity)) {
      const { workspace_id, member_id } = owner
      if (!(outcome instanceof AppError) && workspace_id === outcome.workspace_id) continue
      const ended = await deleteMemberSessions(db, workspace_id, member_id, { providers: [provider.id] })
      if (outcome instanceof AppError) {
        const { status, code } = outcome
        const refusal = { outcome: 'refused', status, error_code: code } as const
        await insertEntry(db, { ...owner, actor: 'anonymous', ...from }, 'signIn', { ...SESSION, id: null }, refusal)
      }
      await recordEndedSessions(db, { ...owner, actor: 'provider', ...from }, ended)
      count += ended.length
    }
    return count
  })
  if (count === 0) return
  keys.forget()
  log.info({ provider: provider.id, count }, 'sessions of a person without access were ended')
}

/** The workspace that a person belongs to. Throws forbidden. */
export async function workspaceOf(db: Db, { id, name }: OidcProvider, { workspace }: ProviderAccess): Promise<string> {
  const found = workspace ? await findWorkspaceId(db, workspace) : ((await findInstallation(db))?.workspace_id ?? null)
  if (found) return found
  const cause = new Error(`OIDC_PROVIDERS maps ${id} to the workspace ${workspace}, which does not exist.`)
  throw new AppError('forbidden', `Your groups at ${name} lead to a workspace that does not exist. Tell your admin.`, {
    cause,
  })
}

/** The URL that also signs a member out at the provider of their ended session; null if there is none. */
export async function providerSignOutUrl(
  parts: Parts,
  workspaceId: string,
  { id, provider: providerId, tokens_sealed }: { id: string; provider: string | null; tokens_sealed: Buffer | null },
  address: string,
): Promise<string | null> {
  const { config, log } = parts
  const provider = providerOf(config, providerId)
  if (!provider) return null
  const tokens = tokens_sealed && openTokens(parts, workspaceId, id, tokens_sealed)
  const options = { idToken: tokens?.id_token ?? null, returnTo: `${address}/sign-in` }
  return signOutUrl(parts, provider, options).catch((error) => {
    if (!(error instanceof OidcError)) throw error
    log.warn({ err: error, provider: provider.id }, 'a member was not signed out at the provider')
    return null
  })
}

function toAppError({ log }: Pick<Parts, 'log'>, provider: OidcProvider, error: unknown): unknown {
  if (!(error instanceof OidcError)) return error
  log.warn({ err: error, provider: provider.id }, 'a sign-in at a provider failed')
  const next = {
    unreachable: 'Try again later, or ask your admin for a sign-in link.',
    refused: 'Sign in again.',
    invalid: 'Sign in again; if it repeats, tell your admin, who finds more in the log.',
  }[error.kind]
  return new AppError(error.kind === 'unreachable' ? 'unavailable' : 'unauthenticated', `${error.message} ${next}`)
}
