import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps/deps.ts'
import { CONSENT_SECONDS } from '../../http/cookies.ts'
import type { Confirmation, ConsentAnswer, ConsentPage } from '../../http/oauth-callback.ts'
import { consentUrl, oauthApp, requestToken } from '../../providers/crm/oauth.ts'
import { type CrmProvider, crmVendor } from '../../providers/crm/registry.ts'
import { CrmError } from '../../providers/crm/vendor/types.ts'
import type { ProviderParts } from '../../providers/types.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { identifyCrm, saveCrmConnection } from './connect.ts'
import { type PendingConsent, findConsent, hasNonce, insertConsent, saveGrant, deleteConsent } from './consent-store.ts'
import type { CrmGrant } from './store.ts'

type Parts = Pick<Deps, 'db' | 'secrets'> & ProviderParts

const redirectUri = ({ PUBLIC_URL, PORT }: Config) => `${PUBLIC_URL ?? `http://localhost:${PORT}`}/oauth/callback`
const random = () => randomBytes(32).toString('base64url')
const NONCE = /^[\w-]{43}$/

/**
 * Returns the URL where a person gives consent: an OAuth request with a one-time state and PKCE. Where a browser asks,
 * `nonce` is for its cookie, and the consent counts in that browser alone; one that it has already stays, because
 * another consent may be under way. Throws oauth_not_configured.
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
  const nonce = session_id === null ? null : (nonces.find((one) => NONCE.test(one)) ?? random())
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = { provider, memberId, state, verifier, nonce, seconds: CONSENT_SECONDS }
  const { expires_at } = await insertConsent(db, workspace_id, secrets, asked)
  return { authorization_url: consentUrl(app, redirectUri(config), state, challenge), expires_at, nonce }
}

const GONE: ConsentPage = { ok: false, sentence: 'This link was used before or is too old. Start connecting again.' }

/**
 * Connects with the consent that came back to the browser that asked for it. One that was asked for with an API key has no
 * browser: what it grants is kept until an admin of the workspace confirms it.
 */
export async function completeConsent(
  parts: Parts,
  { state = '', code, error }: ConsentAnswer,
  nonces: string[],
): Promise<ConsentPage> {
  const { db, secrets } = parts
  const asked = await findConsent(db, state, secrets)
  if (!asked) return GONE
  const { label } = crmVendor(asked.provider)
  if (asked.isBrowserBound) {
    if (!hasNonce(asked, nonces)) {
      const sentence = `${label} is not connected: another browser asked for this consent. Start connecting in this one.`
      return { ok: false, sentence }
    }
    // One of two requests at once gets it.
    if (!(await deleteConsent(db, asked))) return GONE
  }
  return refusing(label, async () => {
    const grant = await exchange(parts, asked, code, error)
    if (asked.isBrowserBound) return connect(parts, asked, grant)
    if (!(await saveGrant(db, asked, secrets, grant))) return GONE
    return confirmPage(asked, state, grant.vendorAccount)
  })
}

/**
 * Connects what a consent granted that was asked for with an API key. Only an admin of that workspace may, and only the
 * account they were shown: another consent may have come back since.
 */
export async function confirmConsent(
  parts: Parts,
  member: Member | null,
  { state, account }: Confirmation,
): Promise<ConsentPage> {
  const { db, secrets } = parts
  const asked = await findConsent(db, state, secrets)
  if (!asked?.grant || asked.isBrowserBound) return GONE
  const { grant, workspace_id } = asked
  const { label } = crmVendor(asked.provider)
  const isAdmin = member?.workspace_id === workspace_id && member.role === 'admin' && !member.read_only
  if (!isAdmin) {
    const page = confirmPage(asked, state, grant.vendorAccount)
    const sentence = `${label} is not connected: only an admin of the workspace that asked can confirm it. Sign in to Bellwether as one in another tab of this browser, then confirm here.`
    return { ...page, ok: false, sentence }
  }
  if (account !== grant.vendorAccount || !(await deleteConsent(db, asked))) return GONE
  return refusing(label, () => connect(parts, asked, grant))
}

function confirmPage({ provider }: PendingConsent, state: string, account: string): ConsentPage {
  const { label } = crmVendor(provider)
  const sentence = `The ${label} account ${account} is ready to be connected. The link was made with an API key, so an admin has to confirm it. Confirm only if you asked for it yourself and this is your account.`
  return { ok: true, sentence, confirm: { state, account, button: `Connect ${label} account ${account}` } }
}

/** Trades the code for a token and finds out whose account it opens. Throws CrmError, AppError. */
async function exchange(parts: Parts, asked: PendingConsent, code: string | undefined, error: string | undefined) {
  const { provider, verifier, workspace_id } = asked
  const vendor = crmVendor(provider)
  requireStillAdmin(asked)
  const app = oauthApp(vendor, parts.config)
  if (!code || !app) {
    const why = error === 'access_denied' ? 'the consent was not given.' : 'no consent came back.'
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

async function connect(parts: Parts, asked: PendingConsent, grant: CrmGrant) {
  const { workspace_id, provider } = asked
  const { label } = crmVendor(provider)
  requireStillAdmin(asked)
  await saveCrmConnection(parts, workspace_id, provider, grant, 'same')
  return { ok: true, sentence: `${label} is connected. You can close this page.` }
}

function requireStillAdmin({ allowed }: PendingConsent): void {
  if (!allowed) throw new CrmError('refused', 'who asked for it is no longer an admin.')
}

/** Shows a refusal as a sentence. */
async function refusing(label: string, work: () => Promise<ConsentPage>): Promise<ConsentPage> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CrmError || error instanceof AppError)
      return { ok: false, sentence: `${label} is not connected: ${error.message}` }
    throw error
  }
}
