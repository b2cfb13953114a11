import { createHash, randomBytes } from 'node:crypto'
import { audited } from '../../audit/record.ts'
import { recordAt } from '../../audit/records.ts'
import { type AuditSource, insertEntry } from '../../audit/store.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import type { RequestSource } from '../../http/audit.ts'
import { CONSENT_SECONDS, chooseBrowserNonce } from '../../http/cookies.ts'
import type { Confirmation, ConsentAnswer, ConsentPage } from '../../http/oauth-callback.ts'
import { consentUrl, oauthApp, requestToken } from '../../providers/crm/oauth.ts'
import { type CrmProvider, crmVendor } from '../../providers/crm/registry.ts'
import { CrmError } from '../../providers/crm/vendor/types.ts'
import type { ProviderParts } from '../../providers/types.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { identifyCrm, saveCrmConnection } from './connect.ts'
import { deleteConsent, findConsent, hasNonce, insertConsent, type PendingConsent, saveGrant } from './consent-store.ts'
import type { CrmGrant } from './store.ts'

type Parts = Pick<Deps, 'db' | 'secrets'> & ProviderParts

const redirectUri = ({ PUBLIC_URL, PORT }: Config) => `${PUBLIC_URL ?? `http://localhost:${PORT}`}/oauth/callback`
const random = () => randomBytes(32).toString('base64url')

/**
 * Returns the URL where a person gives consent: an OAuth request with a one-time state and PKCE. For a browser session,
 * `nonce` is stored in a cookie, and the consent is valid in that browser only; an existing nonce is kept, because another
 * consent may be in progress. Throws oauth_not_configured.
 */
export async function startConsent(
  { db, secrets, config }: Parts,
  { workspace_id, id: memberId, session_id }: Pick<Member, 'workspace_id' | 'id' | 'session_id'>,
  provider: CrmProvider,
  nonces: readonly string[],
) {
  const vendor = crmVendor(provider)
  const app = oauthApp(vendor, config)
  if (!app) {
    const { id, secret } = vendor.oauth.client
    throw new AppError(
      'oauth_not_configured',
      `Set ${id} and ${secret} to connect with consent, or connect with a token.`,
    )
  }
  const state = random()
  const verifier = random()
  const nonce = session_id === null ? null : chooseBrowserNonce(nonces)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const consent = { provider, memberId, state, verifier, nonce, seconds: CONSENT_SECONDS }
  const { expires_at } = await insertConsent(db, workspace_id, secrets, consent)
  return { authorization_url: consentUrl(app, redirectUri(config), state, challenge), expires_at, nonce }
}

const GONE: ConsentPage = { ok: false, sentence: 'This link was used before or is too old. Start connecting again.' }

/**
 * Connects with the consent that the vendor returned to the browser that started it. A consent started with an API key has
 * no browser: its grant is stored until an admin of the workspace confirms it.
 */
export async function completeConsent(
  parts: Parts,
  { state = '', code, error }: ConsentAnswer,
  nonces: string[],
  member: Member | null,
  from: RequestSource,
): Promise<ConsentPage> {
  const { db, secrets } = parts
  const pending = await findConsent(db, state, secrets)
  if (!pending) return GONE
  const { label } = crmVendor(pending.provider)
  if (pending.isBrowserBound) {
    if (!hasNonce(pending, nonces)) {
      const sentence = `${label} is not connected: another browser started this consent. Start connecting in this one.`
      return { ok: false, sentence }
    }
    // Of two concurrent requests only one deletes the state.
    if (!(await deleteConsent(db, pending))) return GONE
  }
  return refusing(label, async () => {
    const { member_id, isBrowserBound } = pending
    const session_id = isBrowserBound && member?.id === member_id ? member.session_id : null
    const by = { ...from, actor: isBrowserBound ? 'session' : 'anonymous', member_id, session_id } as const
    await requireStillAdmin(db, pending, by)
    const grant = await exchange(parts, pending, code, error)
    if (isBrowserBound) return connect(parts, pending, grant, by)
    if (!(await saveGrant(db, pending, secrets, grant))) return GONE
    return confirmPage(pending, state, grant.vendorAccount)
  })
}

/**
 * Connects the grant of a consent that was started with an API key. Only an admin of that workspace may confirm it, and
 * only for the account they were shown: another consent may have been returned since.
 */
export async function confirmConsent(
  parts: Parts,
  member: Member | null,
  { state, account }: Confirmation,
  from: RequestSource,
): Promise<ConsentPage> {
  const { db, secrets } = parts
  const pending = await findConsent(db, state, secrets)
  if (!pending?.grant || pending.isBrowserBound) return GONE
  const { grant, workspace_id } = pending
  const { label } = crmVendor(pending.provider)
  const own = member?.workspace_id === workspace_id ? member : null
  if (own?.role !== 'admin' || own.read_only) {
    await recordRefusal(db, pending, own ? sessionOf(own, from) : { ...from, actor: 'anonymous' })
    const page = confirmPage(pending, state, grant.vendorAccount)
    const sentence = `${label} is not connected: only an admin of the workspace that started it can confirm it. Sign in to Bellwether as one in another tab of this browser, then confirm here.`
    return { ...page, ok: false, sentence }
  }
  if (account !== grant.vendorAccount || !(await deleteConsent(db, pending))) return GONE
  return refusing(label, () => connect(parts, pending, grant, sessionOf(own, from)))
}

function confirmPage({ provider }: PendingConsent, state: string, account: string): ConsentPage {
  const { label } = crmVendor(provider)
  const sentence = `The ${label} account ${account} is ready to be connected. The link was made with an API key, so an admin has to confirm it. Confirm only if you started it yourself and this is your account.`
  return { ok: true, sentence, confirm: { state, account, button: `Connect ${label} account ${account}` } }
}

/** Exchanges the code for a token and identifies its account. Throws CrmError, AppError. */
async function exchange(parts: Parts, pending: PendingConsent, code: string | undefined, error: string | undefined) {
  const { provider, verifier, workspace_id } = pending
  const vendor = crmVendor(provider)
  const app = oauthApp(vendor, parts.config)
  if (!code || !app) {
    const why = error === 'access_denied' ? 'the consent was not given.' : 'the vendor returned no consent.'
    throw new CrmError('refused', why)
  }
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(parts.config),
    code_verifier: verifier,
  } as const
  const { expires_at, ...credential } = await requestToken(parts, app, form)
  return { ...(await identifyCrm(parts, workspace_id, provider, credential)), expires_at }
}

const targetOf = ({ provider }: PendingConsent) => ({ record: recordAt('/connections'), id: provider })
const sessionOf = ({ id: member_id, session_id }: Member, from: RequestSource) =>
  ({ ...from, actor: 'session', member_id, session_id }) as const

type By = Omit<AuditSource, 'workspace_id'>

async function connect(parts: Parts, pending: PendingConsent, grant: CrmGrant, by: By) {
  const { workspace_id, provider } = pending
  const { label } = crmVendor(provider)
  await requireStillAdmin(parts.db, pending, by)
  await audited(parts.db, { ...by, workspace_id }, 'connect', targetOf(pending), () =>
    saveCrmConnection(parts, workspace_id, provider, grant, 'same'),
  )
  return { ok: true, sentence: `${label} is connected. You can close this page.` }
}

async function requireStillAdmin(db: Db, pending: PendingConsent, by: By): Promise<void> {
  if (pending.allowed) return
  await recordRefusal(db, pending, by)
  throw new CrmError('refused', 'the member who started it is no longer an admin.')
}

async function recordRefusal(db: Db, pending: PendingConsent, by: By): Promise<void> {
  const refusal = { outcome: 'refused', status: 400, error_code: 'forbidden' } as const
  await insertEntry(db, { ...by, workspace_id: pending.workspace_id }, 'connect', targetOf(pending), refusal)
}

/** Converts a CrmError or AppError to a page. */
async function refusing(label: string, work: () => Promise<ConsentPage>): Promise<ConsentPage> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CrmError || error instanceof AppError)
      return { ok: false, sentence: `${label} is not connected: ${error.message}` }
    throw error
  }
}
