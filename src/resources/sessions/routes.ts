import { Type } from 'typebox'
import { requestSource } from '../../http/audit.ts'
import { clientKey } from '../../http/client-address.ts'
import { consentCookie, sessionCookie } from '../../http/cookies.ts'
import { requireExpiryWithin, requireUnrestricted } from '../../http/key-limits.ts'
import { op, type Routes } from '../../http/operation.ts'
import { baseUrl } from '../../http/origin.ts'
import { RateLimit } from '../../http/rate-limit.ts'
import { clampPage, PageQuery, toPage } from '../../http/schema.ts'
import { canEmailLinks, emailSignInLink } from './email-link.ts'
import { createSignInLink } from './link.ts'
import { startProviderSignIn } from './provider-sign-in.ts'
import {
  AuthorizeSignIn,
  CreateSignInLink,
  EmailedSignInLink,
  EmailSignInLink,
  EndedSession,
  SessionParams,
  SessionSchema,
  SignIn,
  SignInLink,
  SignInOptions,
  SignInRequest,
} from './schema.ts'
import { endSession, signIn } from './sign-in.ts'
import { listSessions } from './store.ts'

const tag = 'Sessions'

/** Sign-ins that one client may start, and mails it may request, per minute: each stores a row or sends a mail. */
const STARTS_PER_MINUTE = 120
const MAILS_PER_MINUTE = 5

export const sessionRoutes: Routes = (app, deps) => {
  const { db, config } = deps
  const cookie = sessionCookie(config)
  const consent = consentCookie(config)
  const starts = new RateLimit(STARTS_PER_MINUTE)
  const mails = new RateLimit(MAILS_PER_MINUTE)

  app.get(
    '/sign-in-options',
    op('getSignInOptions', {
      tag,
      summary: 'List the ways to sign in',
      description: 'Needs no key. A sign-in link or an API key works always.',
      data: SignInOptions,
      open: true,
      extension: true,
    }),
    () => ({
      providers: config.OIDC_PROVIDERS.map(({ id, name }) => ({ id, name })),
      email: canEmailLinks(config),
    }),
  )

  app.post(
    '/sign-in-requests',
    op('authorizeSignIn', {
      tag,
      summary: 'Begin to sign in with an OpenID Connect provider',
      description:
        'The provider returns to `/sign-in/callback` of this service; send that query as `callback` to `POST /sessions`. Valid for ten minutes, in this browser only, once. Needs no key.',
      body: AuthorizeSignIn,
      data: SignInRequest,
      status: [201],
      errors: ['not_found'],
      open: true,
      extension: true,
    }),
    async (req, reply) => {
      starts.take(clientKey(req.ip), reply)
      const nonces = consent.read(req.headers.cookie)
      const { nonce, ...request } = await startProviderSignIn(deps, req.body.provider, baseUrl(req, config), nonces)
      reply.header('set-cookie', consent.set(nonce))
      return request
    },
  )

  app.post(
    '/sign-in-links/email',
    op('emailSignInLink', {
      tag,
      summary: 'Send a sign-in link to a member’s email address',
      description:
        'Responds the same whether or not there is such a member. A member receives no other mail for ten minutes, unless the link is used. Available with SMTP_URL and PUBLIC_URL, and without providers. Needs no key.',
      body: EmailSignInLink,
      data: EmailedSignInLink,
      status: [202],
      errors: ['not_found'],
      open: true,
      extension: true,
    }),
    (req, reply) => {
      mails.take(clientKey(req.ip), reply)
      emailSignInLink(deps, req.body.email, requestSource(req))
      return req.body
    },
  )

  app.post(
    '/sessions',
    op('signIn', {
      tag,
      summary: 'Sign a browser in with a link, a key or a provider',
      description:
        'Sets the session cookie. Needs no key. Rejected for requests from another origin and, without `replace`, while the browser is signed in as another member.',
      body: SignIn,
      data: SessionSchema,
      status: [201],
      errors: ['signed_in_as_other'],
      open: true,
      extension: true,
    }),
    async (req, reply) => {
      const { 'user-agent': userAgent, cookie: sent } = req.headers
      const browser = {
        ...{ attempt: req.attempt, userAgent, address: req.ip, from: requestSource(req) },
        ...{ before: cookie.read(sent), nonces: consent.read(sent) },
      }
      const { session, secret } = await signIn(deps, req.body, browser)
      reply.header('set-cookie', cookie.set(secret))
      return session
    },
  )

  app.get(
    '/sessions',
    op('listSessions', {
      tag,
      summary: 'List browser sessions: your own, or all for an admin',
      query: Type.Object(PageQuery(25)),
      page: SessionSchema,
      extension: true,
    }),
    async ({ member, query }) => {
      const page = clampPage(query)
      const memberId = member.role === 'admin' ? null : member.id
      const providers = config.OIDC_PROVIDERS.map(({ id }) => id)
      const whose = { ...page, memberId, currentId: member.session_id, providers }
      const { rows, count } = await listSessions(db, member.workspace_id, whose)
      return toPage(rows, count, page)
    },
  )

  app.delete(
    '/sessions/:id',
    op('endSession', {
      tag,
      summary: 'End a session: your own, or any for an admin',
      params: SessionParams,
      data: EndedSession,
      self: true,
      extension: true,
    }),
    async (req, reply) => {
      const { id, sign_out_url } = await endSession(deps, req.member, req.params.id, baseUrl(req, config))
      if (id === req.member.session_id) reply.header('set-cookie', cookie.clear())
      return { id, deleted: true as const, sign_out_url }
    },
  )

  app.post(
    '/sign-in-links',
    op('createSignInLink', {
      tag,
      summary: 'Create a one-time sign-in link for a member, valid for 15 minutes',
      body: CreateSignInLink,
      data: SignInLink,
      status: [201],
      errors: ['unknown_member'],
      admin: true,
      allow: async (_deps, { member }) => {
        requireUnrestricted(member)
        requireExpiryWithin(member, null)
      },
      extension: true,
    }),
    (req) => {
      const wanted = { member_id: req.member.id, ...req.body }
      return createSignInLink(deps, req.member.workspace_id, baseUrl(req, config), wanted)
    },
  )
}
