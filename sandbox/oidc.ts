import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The claims of a person; `sub` identifies them. */
export type OidcPerson = { sub: string; name?: string } & Record<string, unknown>

/** What the provider does wrong: in its redirect, in its ID tokens, or in its responses. */
export type OidcMisbehaviour =
  | 'no state'
  | 'wrong state'
  | 'forged signature'
  | 'unknown key'
  | 'swapped key'
  | 'alg none'
  | 'symmetric alg'
  | 'expired'
  | 'issued in the future'
  | 'not valid yet'
  | 'wrong audience'
  | 'wrong issuer'
  | 'no nonce'
  | 'wrong nonce'
  | 'replayed'
  | 'no ID token'
  | 'another subject'
  | 'empty metadata'
  | 'another issuer in metadata'
  | 'truncated metadata'
  | 'maintenance'
  | 'truncated tokens'
  | 'challenge'

export type OidcSandbox = AsyncDisposable & {
  issuer: string
  /** `127.0.0.1:port`, as OUTBOUND_ALLOW takes it. */
  host: string
  client: { id: string; secret: string }
  /** Accepts this client secret from now on. */
  setSecret: (secret: string) => void
  /** Signs this person in at every request from now on, without the page that asks who they are. */
  signInAs: (person: OidcPerson) => void
  /** Accepts this redirect URI, too. */
  register: (redirectUri: string) => void
  /** Misbehaves from now on; null ends it. */
  misbehave: (how: OidcMisbehaviour | null) => void
  /** Moves the clock of the provider, in seconds. */
  shiftClock: (seconds: number) => void
  /** Refuses to refresh the tokens of a person. */
  disable: (sub: string) => void
  /** Responds to every request with 503, or no longer. */
  setDown: (isDown: boolean) => void
  /** Whether token responses contain a refresh token. */
  giveRefreshTokens: (give: boolean) => void
  /** Refresh requests so far, also refused ones. */
  refreshes: () => number
  /** Sign-outs at the provider so far, with their parameters. */
  signOuts: Record<string, string>[]
}

type Code = { redirectUri: string; challenge: string; nonce: string | null; person: OidcPerson }

const SECONDS = 300
const MAX_BODY = 100_000

type Options = { people?: OidcPerson[]; redirectUris?: string[] }

/** An OpenID Connect provider on loopback: authorization code with PKCE, refresh with rotation, sign-out; and attacks. */
export async function startOidc({ people = [], redirectUris = [] }: Options = {}): Promise<OidcSandbox> {
  const client = { id: 'bellwether-sandbox', secret: randomBytes(16).toString('hex') }
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, OidcPerson>()
  const disabled = new Set<string>()
  const registered = new Set(redirectUris)
  const signOuts: Record<string, string>[] = []
  let chosen: OidcPerson | null = null
  let wrong: OidcMisbehaviour | null = null
  let secret = client.secret
  let skew = 0
  let isDown = false
  let hasRefresh = true
  let refreshes = 0
  let lastIdToken: string | null = null
  let issuer = ''

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    end_session_endpoint: `${issuer}/sign-out`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
  })
  const jwk = (pair: { publicKey: KeyObject }, kid: string) => ({
    ...pair.publicKey.export({ format: 'jwk' }),
    kid,
    use: 'sig',
    alg: 'RS256',
  })

  function idToken({ ...claims }: OidcPerson, nonce: string | null): string {
    if (wrong === 'replayed' && lastIdToken) return lastIdToken
    const now = Math.floor(Date.now() / 1000) + skew
    const past = wrong === 'expired' ? 3600 : 0
    const issuedAt = wrong === 'issued in the future' ? now + 600 : now - past
    const payload = {
      ...claims,
      ...(wrong === 'another subject' ? { sub: `${claims.sub}-2` } : {}),
      iss: wrong === 'wrong issuer' ? 'https://elsewhere.example' : issuer,
      aud: wrong === 'wrong audience' ? 'another-client' : client.id,
      iat: issuedAt,
      exp: issuedAt + SECONDS,
      ...(wrong === 'not valid yet' ? { nbf: now + 600 } : {}),
      ...(nonce === null || wrong === 'no nonce' ? {} : { nonce: wrong === 'wrong nonce' ? 'another' : nonce }),
    }
    lastIdToken = signed(payload)
    return lastIdToken
  }

  function signed(payload: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const kid = wrong === 'unknown key' ? 'unheard-of' : 'one'
    if (wrong === 'alg none') return `${part({ alg: 'none', kid })}.${part(payload)}.`
    if (wrong === 'symmetric alg') {
      const head = `${part({ alg: 'HS256', kid })}.${part(payload)}`
      const secret = key.publicKey.export({ format: 'pem', type: 'spki' })
      return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
    }
    const head = `${part({ alg: 'RS256', kid, typ: 'JWT' })}.${part(payload)}`
    // `swapped key`: signed with a key of the provider, under the id of another one.
    const pair = wrong === 'swapped key' || wrong === 'unknown key' ? other : key
    const signature = sign('sha256', Buffer.from(head), pair.privateKey)
    if (wrong === 'forged signature') signature.writeUInt8(signature.readUInt8(20) ^ 0xff, 20)
    return `${head}.${signature.toString('base64url')}`
  }

  function grant(person: OidcPerson, nonce: string | null) {
    const refresh_token = randomBytes(16).toString('hex')
    if (hasRefresh) refreshTokens.set(refresh_token, person)
    return {
      access_token: randomBytes(16).toString('hex'),
      token_type: 'Bearer',
      expires_in: SECONDS,
      ...(hasRefresh ? { refresh_token } : {}),
      ...(wrong === 'no ID token' ? {} : { id_token: idToken(person, nonce) }),
    }
  }

  function token(form: URLSearchParams): { status: number; body: object } {
    const refuse = (error: string) => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } })
    if (form.get('client_id') !== client.id || form.get('client_secret') !== secret) return refuse('invalid_client')
    if (form.get('grant_type') === 'refresh_token') {
      refreshes++
      const given = form.get('refresh_token') ?? ''
      const person = refreshTokens.get(given)
      // A refresh token works once.
      refreshTokens.delete(given)
      if (!person || disabled.has(person.sub)) return refuse('invalid_grant')
      const current = chosen?.sub === person.sub ? chosen : person
      return { status: 200, body: grant(current, null) }
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.redirectUri !== form.get('redirect_uri') || code.challenge !== challenge)
      return refuse('invalid_grant')
    return { status: 200, body: grant(code.person, code.nonce) }
  }

  function authorize(url: URL, response: ServerResponse): void {
    const query = url.searchParams
    const redirectUri = query.get('redirect_uri') ?? ''
    const challenge = query.get('code_challenge')
    if (query.get('client_id') !== client.id || !registered.has(redirectUri) || !challenge) {
      response.writeHead(400, { 'content-type': 'text/plain' }).end('This application is not known here.')
      return
    }
    const person = people.find(({ sub }) => sub === query.get('as')) ?? chosen
    if (!person) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(url))
      return
    }
    const code = randomBytes(12).toString('hex')
    codes.set(code, { redirectUri, challenge, nonce: query.get('nonce'), person })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    const state = wrong === 'wrong state' ? randomBytes(32).toString('base64url') : query.get('state')
    if (state !== null && wrong !== 'no state') back.searchParams.set('state', state)
    response.writeHead(302, { location: back.href }).end()
  }

  function page(url: URL): string {
    const links = people.map(({ sub, name = sub }) => {
      const link = new URL(url)
      link.searchParams.set('as', sub)
      return `<li><a href="${escapeHtml(link.href)}">${escapeHtml(name)}</a></li>`
    })
    return `<!doctype html><title>Sandbox provider</title><h1>Sign in as</h1><ul>${links.join('')}</ul>`
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    const send = (status: number, body: string, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    const json = (status: number, body: object) => send(status, JSON.stringify(body))
    if (isDown) return void response.writeHead(503).end()
    if (url.pathname === '/.well-known/openid-configuration') {
      if (wrong === 'empty metadata') return void json(200, {})
      if (wrong === 'another issuer in metadata') return void json(200, { ...metadata(), issuer: `${issuer}/other` })
      const body = JSON.stringify(metadata())
      return void send(200, wrong === 'truncated metadata' ? body.slice(0, 40) : body)
    }
    if (wrong === 'maintenance') return void json(200, { status: 'maintenance' })
    if (url.pathname === '/keys') return void json(200, { keys: [jwk(key, 'one'), jwk(other, 'two')] })
    if (url.pathname === '/authorize') return authorize(url, response)
    if (url.pathname === '/sign-out') {
      signOuts.push(Object.fromEntries(url.searchParams))
      const back = url.searchParams.get('post_logout_redirect_uri') ?? '/'
      return void response.writeHead(302, { location: back }).end()
    }
    if (url.pathname === '/token' && request.method === 'POST') {
      const { status, body } = token(new URLSearchParams((await text(request)).slice(0, MAX_BODY)))
      if (wrong === 'truncated tokens') return void send(status, JSON.stringify(body).slice(0, 30))
      const headers = wrong === 'challenge' ? { 'www-authenticate': 'Bearer' } : {}
      return void send(wrong === 'challenge' ? 401 : status, JSON.stringify(body), headers)
    }
    response.writeHead(404).end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  issuer = `http://${host}`
  return {
    issuer,
    host,
    client,
    signInAs: (person) => {
      chosen = person
    },
    setSecret: (value) => {
      secret = value
    },
    register: (redirectUri) => void registered.add(redirectUri),
    misbehave: (how) => {
      wrong = how
    },
    shiftClock: (seconds) => {
      skew = seconds
    },
    disable: (sub) => void disabled.add(sub),
    setDown: (down) => {
      isDown = down
    },
    giveRefreshTokens: (give) => {
      hasRefresh = give
    },
    refreshes: () => refreshes,
    signOuts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const escapeHtml = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
