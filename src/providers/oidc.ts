import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  None,
  ResponseBodyError,
  refreshTokenGrant,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { OidcProvider } from '../config/oidc-providers.ts'
import type { Outbound } from '../outbound/client.ts'
import { OutboundError } from '../outbound/errors.ts'

/** Difference between the clocks of the provider and this server that is accepted. */
const CLOCK_SKEW_SECONDS = 60
/** A person waits for each of these requests. */
const TIMEOUT_SECONDS = 10
const MAX_RESPONSE_BYTES = 1024 * 1024
/**
 * After it, changed endpoints of a provider apply. The library loads the keys of a provider when they are five minutes old,
 * or one minute for an unknown key. It does so after it has used a refresh token, which is lost if the keys cannot be loaded.
 */
const DISCOVERY_MS = 3_600_000
/** Longer ID tokens are not sent back at sign-out, because servers refuse such URLs. */
const MAX_HINT_LENGTH = 4_000

type Parts = { outbound: Outbound }

/**
 * Why a provider did not sign a person in, for that person. `unreachable`: trying later can help. `refused`: the provider
 * does not grant it, or no longer. `invalid`: its response must not be trusted.
 */
export class OidcError extends Error {
  readonly kind: 'unreachable' | 'refused' | 'invalid'

  constructor(kind: OidcError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OidcError'
    this.kind = kind
  }
}

/** The secrets of one authorization request. */
export type AuthorizationSecrets = { state: string; nonce: string; verifier: string; redirectUri: string }

/** A checked response of the token endpoint. */
export type OidcTokens = {
  /** Always present after a sign-in; after a refresh null if the provider returned no ID token. */
  claims: IDToken | null
  id_token: string | null
  refresh_token: string | null
  /** Lifetime of the access token in seconds. */
  expires_in: number | null
}

/** The URL at which a person signs in. Throws OidcError. */
export function authorizationUrl(
  parts: Parts,
  provider: OidcProvider,
  { state, nonce, verifier, redirectUri }: AuthorizationSecrets,
): Promise<string> {
  return calling(provider, async () => {
    const configuration = await discover(parts, provider)
    const { href } = buildAuthorizationUrl(configuration, {
      ...provider.parameters,
      scope: provider.scopes,
      redirect_uri: redirectUri,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return href
  })
}

/** Exchanges the code in the query with which the provider returned for checked tokens. Throws OidcError. */
export function redeemCode(
  parts: Parts,
  provider: OidcProvider,
  query: string,
  { state, nonce, verifier, redirectUri }: AuthorizationSecrets,
): Promise<OidcTokens & { claims: IDToken }> {
  return calling(provider, async () => {
    const url = new URL(redirectUri)
    url.search = query
    const tokens = await authorizationCodeGrant(await discover(parts, provider), url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    // With `idTokenExpected`, the library refuses a response without claims.
    return readTokens(provider, tokens) as OidcTokens & { claims: IDToken }
  })
}

/**
 * Requests new tokens with a refresh token of `issuer`, which no other issuer receives. A provider refuses it when the person
 * was disabled or signed out there. Throws OidcError.
 */
export function refreshTokens(
  parts: Parts,
  provider: OidcProvider,
  issuer: string,
  refreshToken: string,
): Promise<OidcTokens> {
  return calling(provider, async () => {
    const configuration = await discover(parts, provider)
    // The issuer of the metadata equals the claim `iss`; the configured one may differ at Microsoft, in the name of the tenant.
    if (configuration.serverMetadata().issuer !== issuer) {
      throw new OidcError('refused', `${provider.name} has another issuer than at the sign-in.`)
    }
    return readTokens(provider, await refreshTokenGrant(configuration, refreshToken))
  })
}

/** The URL that signs a person out at the provider, or null if the provider has none. Throws OidcError. */
export function signOutUrl(
  parts: Parts,
  provider: OidcProvider,
  { idToken, returnTo }: { idToken: string | null; returnTo: string },
): Promise<string | null> {
  return calling(provider, async () => {
    const configuration = await discover(parts, provider)
    if (!configuration.serverMetadata().end_session_endpoint) return null
    const { href } = buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: returnTo,
      ...(idToken && idToken.length <= MAX_HINT_LENGTH ? { id_token_hint: idToken } : {}),
    })
    return href
  })
}

const discovered = new WeakMap<OidcProvider, { configuration: Promise<Configuration>; until: number }>()

/** The metadata and keys of a provider, loaded once per hour and process. */
function discover(parts: Parts, provider: OidcProvider): Promise<Configuration> {
  const known = discovered.get(provider)
  if (known && known.until > performance.now()) return known.configuration
  const configuration = loadMetadata(parts, provider)
  discovered.set(provider, { configuration, until: performance.now() + DISCOVERY_MS })
  configuration.catch(() => discovered.delete(provider))
  return configuration
}

async function loadMetadata({ outbound }: Parts, provider: OidcProvider): Promise<Configuration> {
  const issuer = new URL(provider.issuer)
  const send = outbound.fetchWith({ maxBytes: MAX_RESPONSE_BYTES, timeouts: { total: TIMEOUT_SECONDS * 1000 } })
  const configuration = await discovery(
    issuer,
    provider.client_id,
    { [clockTolerance]: CLOCK_SKEW_SECONDS },
    authenticationOf(provider),
    {
      [customFetch]: (url, options) => {
        // As for redirects: a host that is allowed for another purpose is not for endpoints that a public provider names.
        const isForeign = outbound.policy.isAllowed(new URL(url)) && !outbound.policy.isAllowed(issuer)
        return isForeign ? Promise.reject(new OutboundError('not_allowed')) : send(url, options as RequestInit)
      },
      timeout: TIMEOUT_SECONDS,
      execute: [
        // Without it, the signature of an ID token from the token endpoint is not checked.
        enableNonRepudiationChecks,
        // The outbound client still refuses plain http, except to hosts in OUTBOUND_ALLOW.
        ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    },
  ).catch((error) => {
    // No person is named yet, so no error of it concerns one.
    throw networkError(provider, error) ?? unexpectedResponse(provider, error)
  })
  // An issuer that many tenants share: anyone can write any address into a tenant of their own.
  if (configuration.serverMetadata().issuer.includes('{tenantid}')) {
    throw new OidcError(
      'unreachable',
      `The issuer of ${provider.name} must name your tenant. Change it in OIDC_PROVIDERS.`,
    )
  }
  return configuration
}

/** In the body where the provider supports it; otherwise in a header, which is the default of the standard. */
function authenticationOf({ client_secret }: OidcProvider): ClientAuth {
  if (client_secret === null) return None()
  const [post, basic] = [ClientSecretPost(client_secret), ClientSecretBasic(client_secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_post') ? post : basic)(server, ...rest)
  }
}

type TokenResponse = Awaited<ReturnType<typeof refreshTokenGrant>>

function readTokens(provider: OidcProvider, tokens: TokenResponse): OidcTokens {
  const claims = tokens.claims() ?? null
  // The library compares only the expiry and `nbf` with the clock.
  if (claims && claims.iat > Date.now() / 1000 + CLOCK_SKEW_SECONDS) {
    throw new OidcError(
      'invalid',
      notValid(provider, 'it was issued in the future; compare the clocks of both servers'),
    )
  }
  return {
    claims,
    id_token: tokens.id_token ?? null,
    refresh_token: tokens.refresh_token ?? null,
    expires_in: tokens.expires_in ?? null,
  }
}

const notValid = ({ name }: OidcProvider, reason: string) => `${name} returned a sign-in that is not valid: ${reason}.`

async function calling<T>(provider: OidcProvider, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw await toOidcError(provider, error)
  }
}

/** Codes of openid-client for a provider that did not respond as a provider. */
const NO_RESPONSE = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
])

/** Responses of the token endpoint that concern the person, not the setup. */
const REFUSALS = new Set([
  'invalid_grant',
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
])

async function toOidcError(provider: OidcProvider, error: unknown): Promise<OidcError> {
  const { name } = provider
  if (error instanceof OidcError) return error
  if (error instanceof AuthorizationResponseError) {
    const why =
      error.error === 'access_denied'
        ? 'you cancelled it, or your account may not use this application'
        : `it answered ${error.error}`
    return new OidcError('refused', `${name} did not sign you in: ${why}.`, error)
  }
  const code = await errorCodeOf(error)
  if (code !== null && REFUSALS.has(code)) {
    const why = 'the sign-in was used before, has expired or was revoked'
    return new OidcError('refused', `${name} did not accept it: ${why}.`, error)
  }
  if (code !== null) {
    const isClient = code === 'invalid_client'
    const what = isClient ? 'check client_id and client_secret in OIDC_PROVIDERS' : `it answered ${code}`
    // A mistake of the setup must not end sessions.
    return new OidcError('unreachable', `${name} does not accept this service: ${what}.`, error)
  }
  const network = networkError(provider, error)
  if (network) return network
  if (error instanceof ClientError && (NO_RESPONSE.has(error.code ?? '') || hasUnexpectedBody(error))) {
    return unexpectedResponse(provider, error)
  }
  return new OidcError('invalid', notValid(provider, reasonOf(error)), error)
}

/** The error code in a response of the token endpoint. */
async function errorCodeOf(error: unknown): Promise<string | null> {
  if (error instanceof ResponseBodyError) return error.error
  if (!(error instanceof WWWAuthenticateChallengeError)) return null
  // RFC 6749 requires the challenge for a client that is not accepted; some providers send it with other errors, too.
  const body = (await error.response.json().catch(() => null)) as { error?: unknown } | null
  return typeof body?.error === 'string' ? body.error : 'invalid_client'
}

function networkError({ name, issuer }: OidcProvider, error: unknown): OidcError | null {
  const network = causesOf(error).find((cause) => cause instanceof OutboundError)
  if (!network) return null
  if (network.kind !== 'not_allowed') {
    return new OidcError('unreachable', `${name} cannot be reached: ${network.message}`, error)
  }
  const { protocol, host, port } = new URL(issuer)
  const address = port ? host : `${host}:${protocol === 'https:' ? 443 : 80}`
  const what = `${name} is not at a public https address. To allow it, an operator adds ${address} to OUTBOUND_ALLOW.`
  return new OidcError('unreachable', what, error)
}

function unexpectedResponse({ name, issuer }: OidcProvider, error: unknown): OidcError {
  const what = `${name} does not respond as expected (${reasonOf(error)}). If it repeats, compare the issuer in OIDC_PROVIDERS with "issuer" in ${metadataUrl(issuer)}.`
  return new OidcError('unreachable', what, error)
}

const metadataUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** JSON, but not of the standard: a page for maintenance, for example. The library names the body in the cause. */
const hasUnexpectedBody = (error: unknown): boolean =>
  causesOf(error).some(({ cause }) => typeof cause === 'object' && cause !== null && 'body' in cause)

/** The innermost message, which names the claim or the check. That of a SyntaxError quotes the response, with its tokens. */
const reasonOf = (error: unknown): string =>
  causesOf(error).findLast((cause) => cause.message && !(cause instanceof SyntaxError))?.message ?? 'unknown'

function causesOf(error: unknown): (Error & { kind?: string })[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
