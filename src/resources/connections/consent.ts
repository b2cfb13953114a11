import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Member } from '../../member.ts'
import { consentUrl, oauthApp, requestToken } from '../../providers/crm/oauth.ts'
import { type CrmProvider, crmVendor } from '../../providers/crm/registry.ts'
import { CrmError } from '../../providers/crm/vendor/types.ts'
import type { ProviderParts } from '../../providers/types.ts'
import { connectCrm } from './connect.ts'
import { insertState, takeState } from './consent-store.ts'

type Parts = Pick<Deps, 'db' | 'secrets'> & ProviderParts

/** How long a person has to give their consent. */
const CONSENT_SECONDS = 600

const redirectUri = ({ PUBLIC_URL, PORT }: Config) => `${PUBLIC_URL ?? `http://localhost:${PORT}`}/oauth/callback`

/** Answers the URL where a person gives consent: an OAuth request with a one-time state and PKCE. Throws oauth_not_configured. */
export async function askConsent(
  { db, secrets, config }: Parts,
  { workspace_id, id: memberId }: Pick<Member, 'workspace_id' | 'id'>,
  provider: CrmProvider,
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
  const state = randomBytes(32).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const { expires_at } = await insertState(db, workspace_id, secrets, {
    provider,
    memberId,
    state,
    verifier,
    seconds: CONSENT_SECONDS,
  })
  return { authorization_url: consentUrl(app, redirectUri(config), state, challenge), expires_at }
}

type Answer = { state?: string | undefined; code?: string | undefined; error?: string | undefined }

/** Connects with the consent that came back. Answers a sentence for the person who gave it, and whether it worked. */
export async function takeConsent(
  parts: Parts,
  { state, code, error }: Answer,
): Promise<{ ok: boolean; sentence: string }> {
  const { db, secrets, config } = parts
  const asked = state ? await takeState(db, state, secrets) : null
  if (!asked) return { ok: false, sentence: 'This link was used before or is too old. Start connecting again.' }
  const { workspace_id, provider, allowed, verifier } = asked
  const vendor = crmVendor(provider)
  const { label } = vendor
  if (!allowed) return { ok: false, sentence: `${label} is not connected: who asked for it is no longer an admin.` }
  const app = oauthApp(vendor, config)
  if (!code || !app) {
    const why = error === 'access_denied' ? 'the consent was not given' : 'no consent came back'
    return { ok: false, sentence: `${label} is not connected: ${why}.` }
  }
  try {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri(config),
      code_verifier: verifier,
    } as const
    const { expires_at, ...credential } = await requestToken(parts, app, form)
    await connectCrm(parts, workspace_id, provider, credential, { expires_at, replaces: 'same' })
    return { ok: true, sentence: `${label} is connected. You can close this page.` }
  } catch (error) {
    if (error instanceof CrmError || error instanceof AppError)
      return { ok: false, sentence: `${label} is not connected: ${error.message}` }
    throw error
  }
}
