import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type RequestSource, requestSource } from './audit.ts'
import type { AuthThrottle } from './auth-throttle.ts'
import { clientKey } from './client-address.ts'
import { acceptForms, escapeHtml, FORM_PAGE_HEADERS, formPage } from './form-page.ts'
import type { RateLimit } from './rate-limit.ts'

const MAX_TOKEN_CHARS = 200
/** RFC 8058 recommends multipart/form-data for one-click requests; its body states nothing that the token does not. */
const MAX_IGNORED_BYTES = 4 * 1024

const HEADERS = { ...FORM_PAGE_HEADERS, 'x-robots-tag': 'noindex' }
const NO_INDEX = '<meta name="robots" content="noindex">'

type SubscriptionChange = 'end' | 'resume'

/** Returns the rule of a token, and ends or resumes its subscription; null for a token that is not valid. */
export type ChangeSubscription = (
  token: string,
  change: SubscriptionChange | null,
  from: RequestSource,
) => Promise<{ name: string } | null>

/**
 * The page behind the link in a mail, and the one-click request of mail programs (RFC 8058). Only a POST unsubscribes,
 * because mail scanners open links. The page after that can undo it.
 */
export function registerUnsubscribe(
  app: FastifyInstance,
  changeSubscription: ChangeSubscription,
  limit: RateLimit,
  guesses: AuthThrottle,
): void {
  const options = { schema: { hide: true }, config: { headers: HEADERS } }

  async function answer(request: FastifyRequest, reply: FastifyReply, change: SubscriptionChange | null) {
    const { token } = request.query as { token?: unknown }
    const secret = typeof token === 'string' && token.length <= MAX_TOKEN_CHARS ? token : ''
    const rule = await guesses.attempt(clientKey(request.ip), secret, false, () =>
      changeSubscription(secret, change, requestSource(request)),
    )
    reply.type('text/html; charset=utf-8')
    if (!rule) return reply.code(404).send(page('This link is not valid, or the rule was deleted.'))
    const name = `“${rule.name}”`
    if (change === 'end')
      return reply.send(page(`You no longer receive alerts of ${name}.`, form('/subscribe', secret, 'Subscribe again')))
    const leave = form('/unsubscribe', secret, 'Unsubscribe')
    return reply.send(
      page(change ? `You receive alerts of ${name} again.` : `Stop receiving alerts of ${name}?`, leave),
    )
  }

  app.register(async (app) => {
    // Counted before the form is parsed.
    app.addHook('onRequest', async (request, reply) => limit.take(clientKey(request.ip), reply))
    acceptForms(app)
    const ignored = { parseAs: 'string', bodyLimit: MAX_IGNORED_BYTES } as const
    app.addContentTypeParser('multipart/form-data', ignored, (_request, _body, done) => done(null))
    app.get('/unsubscribe', options, (request, reply) => answer(request, reply, null))
    app.post('/unsubscribe', options, (request, reply) => answer(request, reply, 'end'))
    app.post('/subscribe', options, (request, reply) => answer(request, reply, 'resume'))
  })
}

function form(path: string, token: string, label: string): string {
  const action = escapeHtml(`${path}?token=${encodeURIComponent(token)}`)
  return `<form method="post" action="${action}"><button type="submit">${label}</button></form>`
}

const page = (sentence: string, form = '') => formPage(`<p>${escapeHtml(sentence)}</p>${form}`, NO_INDEX)
