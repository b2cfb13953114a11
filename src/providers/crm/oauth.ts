import type { Outbound } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { ValuesOf } from '../../shared/config-values.ts'
import type { CRM_VARIABLES, RegisteredCrm } from './registry.ts'
import { CrmError, type OauthServer } from './vendor/types.ts'

/** The OAuth client at a vendor. */
export type OauthApp = OauthServer &
  Pick<RegisteredCrm, 'label' | 'origin'> & { client: { id: string; secret: string } }

/** The OAuth client of the configuration; null without one. */
export function oauthApp(
  { label, origin, oauth }: RegisteredCrm,
  config: ValuesOf<typeof CRM_VARIABLES>,
): OauthApp | null {
  const id = config[oauth.client.id]
  const secret = config[oauth.client.secret]
  return id && secret ? { ...oauth.server(config), label, origin, client: { id, secret } } : null
}

type Grant = {
  token: string
  /** Absent when the present one stays valid. */
  refresh_token?: string
  /** The origin of the account, for vendors with one for each account. */
  base?: string
  /** When the token expires; null when the vendor does not state it. */
  expires_at: string | null
}

type TokenAnswer = {
  access_token?: string
  refresh_token?: string
  expires_in?: number
  error?: string
  /** An error code some vendors send in addition to or instead of `error`. */
  status?: string
  error_description?: string
  [field: string]: unknown
}

/** The URL where a person gives consent: an authorization request with PKCE. */
export function consentUrl(
  { authorize, scope, client }: OauthApp,
  redirectUri: string,
  state: string,
  challenge: string,
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return `${authorize}?${query}`
}

/** Short, because the row of the connection is locked while its token is renewed. */
const TIMEOUTS = { headers: 10_000, body: 10_000, total: 10_000 }

const REFUSED_GRANT = /^invalid_grant$/i
const REFUSED_CLIENT = /^(invalid_client|unauthorized_client)/i

/**
 * Exchanges a code or a refresh token for an access token. Throws CrmError: auth when the consent or the client is not
 * accepted, busy otherwise.
 */
export async function requestToken(
  { outbound, now }: { outbound: Outbound; now: () => Date },
  { token: url, client, label, origin, refusals }: OauthApp,
  form:
    | { grant_type: 'authorization_code'; code: string; redirect_uri: string; code_verifier: string }
    | { grant_type: 'refresh_token'; refresh_token: string },
): Promise<Grant> {
  const requestedAt = now().getTime()
  const response = await outbound
    .request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ ...form, client_id: client.id, client_secret: client.secret }).toString(),
      redirects: 'refuse',
      timeouts: TIMEOUTS,
    })
    .catch((cause: unknown) => {
      if (!(cause instanceof OutboundError)) throw cause
      throw new CrmError('busy', `${label} cannot be reached at the moment.`, { cause })
    })
  const body = read(response.text())
  if (response.status === 200 && body.access_token) {
    const { access_token, refresh_token, expires_in } = body
    const base = typeof origin === 'string' ? undefined : body[origin.grantField]
    return {
      token: access_token,
      ...(refresh_token ? { refresh_token } : {}),
      ...(typeof base === 'string' ? { base: base.replace(/\/+$/, '') } : {}),
      expires_at: expires_in ? new Date(requestedAt + expires_in * 1000).toISOString() : null,
    }
  }
  const { status } = response
  const why = body.error ?? body.status ?? ''
  const more = { status, cause: body.error_description ?? why }
  if (REFUSED_GRANT.test(why) || refusals?.grant.test(why))
    throw new CrmError('auth', `${label} no longer accepts the connection. Connect it again.`, more)
  if (REFUSED_CLIENT.test(why) || refusals?.client.test(why)) {
    const what = 'the client id and the client secret this service is configured with'
    throw new CrmError(
      'auth',
      `${label} does not accept ${what}. The operator of the service has to correct them.`,
      more,
    )
  }
  throw new CrmError('busy', `${label} cannot renew the connection at the moment.`, more)
}

function read(text: string): TokenAnswer {
  try {
    return (JSON.parse(text) ?? {}) as TokenAnswer
  } catch {
    // For instance the page of a proxy; the status suffices.
    return {}
  }
}
