import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps/deps.ts'
import type { Member } from '../shared/member.ts'
import { type RequestSource, requestSource } from './audit.ts'
import type { AuthThrottle } from './auth-throttle.ts'
import { clientKey } from './client-address.ts'
import { consentCookie, sessionCookie } from './cookies.ts'
import { acceptForms, escapeHtml, FORM_PAGE_HEADERS, formPage } from './form-page.ts'
import { isAllowedAddress } from './key-limits.ts'
import { classifyOrigin } from './origin.ts'
import type { RateLimit } from './rate-limit.ts'

const MAX_LENGTH = 4_000

export type ConsentAnswer = { state?: string | undefined; code?: string | undefined; error?: string | undefined }
/** The consent that an admin confirms, with its account at the vendor. */
export type Confirmation = { state: string; account: string }

/** The page that is shown. With `confirm`, an admin has to confirm the consent. */
export type ConsentPage = { ok: boolean; sentence: string; confirm?: Confirmation & { button: string } }

export type Consents = {
  /** Accepts the vendor's redirect to a browser with these nonces, in which `member` is signed in. */
  take: (answer: ConsentAnswer, nonces: string[], member: Member | null, from: RequestSource) => Promise<ConsentPage>
  /** Connects the account of a confirmed consent; `member` is null when the browser is not signed in. */
  confirm: (member: Member | null, confirmation: Confirmation, from: RequestSource) => Promise<ConsentPage>
}

/** The OAuth redirect URI, and the form with which an admin confirms a consent that was started with an API key. */
export function registerOauthCallback(
  app: FastifyInstance,
  { keys, config }: Pick<Deps, 'keys' | 'config'>,
  consents: Consents,
  limit: RateLimit,
  guesses: AuthThrottle,
): void {
  const nonce = consentCookie(config)
  const session = sessionCookie(config)
  const options = { schema: { hide: true }, config: { headers: FORM_PAGE_HEADERS } }

  function send(request: FastifyRequest, reply: FastifyReply, page: ConsentPage) {
    // A state has 256 random bits, so a valid one is accepted even after wrong guesses from the same address.
    if (!page.ok && !page.confirm) guesses.wrong(clientKey(request.ip))
    return reply
      .code(page.ok ? 200 : 400)
      .type('text/html; charset=utf-8')
      .send(html(page))
  }

  /** The signed-in member. */
  async function signedIn(request: FastifyRequest): Promise<Member | null> {
    const [secret, second] = session.read(request.headers.cookie)
    if (!secret || second !== undefined) return null
    const member = await keys.authenticate({ kind: 'session', secret }, request.ip)
    return member && isAllowedAddress(member, request.ip) ? member : null
  }

  app.register(async (app) => {
    // Counted before the form is parsed.
    app.addHook('onRequest', async (request, reply) => limit.take(clientKey(request.ip), reply))
    acceptForms(app)

    app.get('/oauth/callback', options, async (request, reply) => {
      const text = textsOf(request.query)
      const answer = { state: text('state'), code: text('code'), error: text('error') }
      const nonces = nonce.read(request.headers.cookie)
      return send(request, reply, await consents.take(answer, nonces, await signedIn(request), requestSource(request)))
    })

    app.post('/oauth/callback', options, async (request, reply) => {
      const text = textsOf(request.body)
      const confirmation = { state: text('state') ?? '', account: text('account') ?? '' }
      // Only a form that was sent from our page is confirmed.
      const member = classifyOrigin(request, config) === 'here' ? await signedIn(request) : null
      return send(request, reply, await consents.confirm(member, confirmation, requestSource(request)))
    })
  })
}

const textsOf = (values: unknown) => (name: string) => {
  const value = ((values ?? {}) as Record<string, unknown>)[name]
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined
}

function html({ sentence, confirm }: ConsentPage): string {
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
  const form = confirm
    ? `<form method="post" action="/oauth/callback">${hidden('state', confirm.state)}${hidden('account', confirm.account)}<button type="submit">${escapeHtml(confirm.button)}</button></form>`
    : ''
  return formPage(
    `<p>${escapeHtml(sentence)}</p>${form}<p><a href="/settings/connections">Back to the settings</a></p>`,
  )
}
