import { createHash, randomBytes } from 'node:crypto'
import type { SandboxAnswer, SandboxRequest } from '../types.ts'

type Code = { redirectUri: string; challenge: string | null; clientId: string }

export type OauthServer = {
  /** Tokens that are good, and until when. */
  isGood: (token: string) => boolean
  /** A token without an end, as a service key is. */
  allow: (token: string) => void
  /** Ends every access token: what expiry does, at once. Refresh tokens stay good. */
  expireAll: () => void
  /** Ends everything: what a person does who removes the app. */
  revokeAll: () => void
  /** Refreshes so far. */
  refreshes: () => number
  /** The consent page: consents at once and sends back a code. */
  authorize: (request: SandboxRequest) => SandboxAnswer
  token: (request: SandboxRequest) => SandboxAnswer
}

type Options = {
  client: { id: string; secret: string }
  /** How long an access token is good; null when answers do not say. */
  seconds: number
  sayExpiry: boolean
  /** Fields of the vendor's own in a token answer. */
  extra?: Record<string, unknown>
  now: () => number
}

/** An OAuth 2.0 server with authorisation code, PKCE and refresh, as both CRMs run one. */
export function createOauthServer({ client, seconds, sayExpiry, extra = {}, now }: Options): OauthServer {
  const tokens = new Map<string, number>()
  const refreshTokens = new Set<string>()
  const codes = new Map<string, Code>()
  let refreshes = 0

  function grant(refreshToken: string): SandboxAnswer {
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

  function token({ method, headers, body }: SandboxRequest): SandboxAnswer {
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

  function authorize({ url }: SandboxRequest): SandboxAnswer {
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

function refuse(error: string, error_description: string): SandboxAnswer {
  return json(400, { error, error_description })
}

function json(status: number, body: object): SandboxAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
