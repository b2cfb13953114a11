import { Type } from 'typebox'
import { consentCookie } from '../../http/cookies.ts'
import { op, type Routes } from '../../http/operation.ts'
import { connectWithToken, disconnectProvider } from './connect.ts'
import { startConsent } from './consent.ts'
import { describeProviders } from './providers.ts'
import {
  ConsentRequest,
  AuthorizeConnection,
  ConnectWithToken,
  Connection,
  ConnectionProviderSchema,
  Disconnected,
  ProviderParams,
} from './schema.ts'
import { listConnections } from './store.ts'

const common = { tag: 'Integrations', admin: true, extension: true } as const

export const connectionRoutes: Routes = (app, deps) => {
  const cookie = consentCookie(deps.config)

  app.get(
    '/connections',
    op('listConnections', { ...common, summary: 'List what is connected', data: Type.Array(Connection) }),
    (req) => listConnections(deps.db, req.member.workspace_id),
  )

  app.get(
    '/connections/providers',
    op('listConnectionProviders', {
      ...common,
      admin: false,
      summary: 'List what can be connected, by name',
      data: Type.Array(ConnectionProviderSchema),
    }),
    () => describeProviders(deps.config),
  )

  app.post(
    '/connections',
    op('connect', {
      ...common,
      summary: 'Connect a CRM or the chat with a token',
      body: ConnectWithToken,
      data: Connection,
      status: [201],
      errors: ['credential_rejected'],
    }),
    (req) => connectWithToken(deps, req.member.workspace_id, req.body.provider, req.body),
  )

  app.post(
    '/connections/authorize',
    op('authorizeConnection', {
      ...common,
      summary: 'Begin to connect a CRM with a person’s consent',
      description:
        'The consent comes back to `/oauth/callback` of this service. Asked for by session, it counts in the same browser alone. Asked for with an API key, an admin who is signed in has to confirm it there.',
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

  app.delete(
    '/connections/:provider',
    op('disconnect', { ...common, summary: 'Disconnect', params: ProviderParams, data: Disconnected }),
    (req) => disconnectProvider(deps, req.member.workspace_id, req.params.provider),
  )
}
