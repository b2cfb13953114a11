import { Type } from 'typebox'
import { consentCookie } from '../../http/cookies.ts'
import { op, type Routes } from '../../http/operation.ts'
import { startConsent } from './consent.ts'
import { describeProviders } from './providers.ts'
import { AuthorizeConnection, Connection, ConnectionProviderSchema, ConsentRequest } from './schema.ts'
import { listConnections } from './store.ts'

const common = { tag: 'Integrations', admin: true, extension: true } as const

export const connectionRoutes: Routes = (app, deps) => {
  const cookie = consentCookie(deps.config)

  app.get(
    '/connections',
    op('listConnections', { ...common, summary: 'List the connections', data: Type.Array(Connection) }),
    (req) => listConnections(deps.db, req.member.workspace_id),
  )

  app.get(
    '/connections/providers',
    op('listConnectionProviders', {
      ...common,
      admin: false,
      summary: 'List the CRMs and the chat that can be connected',
      data: Type.Array(ConnectionProviderSchema),
    }),
    () => describeProviders(deps.config),
  )

  app.post(
    '/connections/authorize',
    op('authorizeConnection', {
      ...common,
      summary: 'Begin to connect a CRM with a person’s consent',
      description:
        'The vendor returns the consent to `/oauth/callback` of this service. Started by a session, it is valid in the same browser only. Started with an API key, a signed-in admin has to confirm it there.',
      body: AuthorizeConnection,
      data: ConsentRequest,
      errors: ['oauth_not_configured'],
    }),
    async (req, reply) => {
      const { nonce, ...authorization } = await startConsent(
        deps,
        req.member,
        req.body.provider,
        cookie.read(req.headers.cookie),
      )
      if (nonce !== null) reply.header('set-cookie', cookie.set(nonce))
      return authorization
    },
  )
}
