import { createHash, randomBytes } from 'node:crypto'
import type { SandboxRequest, SandboxResponse } from '../types.ts'

type Code = { redirectUri: string; challenge: string | null; clientId: string }

export type OauthServer = {
  /** Valid tokens with their expiry. */
  isGood: (token: string) => boolean
  /** A token without expiry, such as a service key. */
  allow: (token: string) => void
  /** Expires every access token immediately. Refresh tokens stay valid. */
  expireAll: () => void
  /** Revokes all tokens, as a user does by removing the app. */
  revokeAll: () => void
  /** Refreshes so far. */
  refreshes: () => number
  /** The consent page: grants consent immediately and redirects with a code. */
  authorize: (request: SandboxRequest) => SandboxResponse
  token: (request: SandboxRequest) => SandboxResponse
}

type Options = {
  client: { id: string; secret: string }
  /** The lifetime of an access token; null when responses do not state it. */
  seconds: number
  sayExpiry: boolean
  /** Vendor-specific fields in a token response. */
  extra?: Record<string, unknown>
  now: () => number
}

/** An OAuth 2.0 server with authorisation code, PKCE and refresh, as both CRMs have one. */
export function createOauthServer({ client, seconds, sayExpiry, extra = {}, now }: Options): OauthServer {
  const tokens = new Map<string, number>()
  const refreshTokens = new Set<string>()
  const codes = new Map<string, Code>()
  let refreshes = 0

  function grant(refreshToken: string): SandboxResponse {
    const token = `sandbox-access-${randomBytes(12).toString('hex')}`
    tokens.set(token, now() + seconds * 1000)
    return json(200, {
      access_token: token,
      refresh_token: refreshToken,
      token_type: 'bearer',
      ...(sayExpiry ? { expires_in: seconds } : {}),
      ...extra,
    })
  }

  function token({ method, headers, body }: SandboxRequest): SandboxResponse {
    const form = new URLSearchParams(body)
    if (method !== 'POST' || !headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      return refuse('invalid_request', 'a form is needed')
    }
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret) {
      return refuse('invalid_client', 'client id or secret is wrong')
    }
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? ''
      if (!refreshTokens.has(given)) return refuse('invalid_grant', 'expired access/refresh token')
      refreshes++
      return grant(given)
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.redirectUri !== form.get('redirect_uri') || (code.challenge && code.challenge !== challenge)) {
      return refuse('invalid_grant', 'the code is not good')
    }
    const refreshToken = `sandbox-refresh-${randomBytes(12).toString('hex')}`
    refreshTokens.add(refreshToken)
    return grant(refreshToken)
  }

  function authorize({ url }: SandboxRequest): SandboxResponse {
    const query = url.searchParams
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== client.id || query.get('response_type') !== 'code' || !URL.canParse(redirectUri)) {
      return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'This app cannot be installed.' }
    }
    const code = randomBytes(12).toString('hex')
    codes.set(code, { redirectUri, clientId: client.id, challenge: query.get('code_challenge') })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    if (query.has('state')) back.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, headers: { location: back.href } }
  }

  return {
    isGood: (token) => (tokens.get(token) ?? 0) > now(),
    allow: (token) => void tokens.set(token, Number.POSITIVE_INFINITY),
    expireAll: () => tokens.clear(),
    revokeAll() {
      tokens.clear()
      refreshTokens.clear()
    },
    refreshes: () => refreshes,
    authorize,
    token,
  }
}

function refuse(error: string, error_description: string): SandboxResponse {
  return json(400, { error, error_description })
}

function json(status: number, body: object): SandboxResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
