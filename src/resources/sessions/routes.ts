import { Type } from 'typebox'
import { sessionCookie } from '../../http/cookies.ts'
import { op, type Routes } from '../../http/operation.ts'
import { baseUrl } from '../../http/origin.ts'
import { clampPage, Deleted, deleted, PageQuery, toPage } from '../../http/schema.ts'
import { endSession } from './end.ts'
import { createSignInLink } from './link.ts'
import { CreateSignInLink, Session, SessionParams, SignIn, SignInLink } from './schema.ts'
import { signIn } from './sign-in.ts'
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
        'Sets the cookie of the session. Needs no key. Refused when a page of another origin asks, and, without `replace`, while the browser is signed in as another member.',
      body: SignIn,
      data: Session,
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
      summary: 'List the browsers that are signed in: your own, and for an admin everybody’s',
      query: Type.Object(PageQuery(25)),
      page: Session,
      extension: true,
    }),
    async ({ member, query }) => {
      const asked = clampPage(query)
      const memberId = member.role === 'admin' ? null : member.id
      const whose = { ...asked, memberId, currentId: member.session_id }
      const { rows, count } = await listSessions(db, member.workspace_id, whose)
      return toPage(rows, count, asked)
    },
  )

  app.delete(
    '/sessions/:id',
    op('endSession', {
      tag,
      summary: 'End a session: your own, and for an admin any',
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
      summary: 'Create a link that signs a member’s browser in, once, within 15 minutes',
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
