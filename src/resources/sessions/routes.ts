import { Type } from 'typebox'
import { sessionCookie } from '../../http/cookies.ts'
import { op, type Routes } from '../../http/operation.ts'
import { baseUrl } from '../../http/origin.ts'
import { clampPage, Deleted, deleted, PageQuery, toPage } from '../../http/schema.ts'
import { createSignInLink } from './link.ts'
import { CreateSignInLink, SessionParams, SessionSchema, SignIn, SignInLink } from './schema.ts'
import { endSession, signIn } from './sign-in.ts'
import { listSessions } from './store.ts'

const tag = 'Sessions'

export const sessionRoutes: Routes = (app, deps) => {
  const { db, config } = deps
  const cookie = sessionCookie(config)

  app.post(
    '/sessions',
    op('signIn', {
      tag,
      summary: 'Sign a browser in with a link or a key',
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
      const browser = { attempt: req.attempt, userAgent, before: cookie.read(sent) }
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
      const whose = { ...page, memberId, currentId: member.session_id }
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
      data: Deleted,
      self: true,
      extension: true,
    }),
    async (req, reply) => {
      const id = await endSession(deps, req.member, req.params.id)
      if (id === req.member.session_id) reply.header('set-cookie', cookie.clear())
      return deleted(id)
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
      extension: true,
    }),
    (req) =>
      createSignInLink(deps, req.member.workspace_id, baseUrl(req, config), {
        member_id: req.member.id,
        ...req.body,
      }),
  )
}
