import type { FastifyInstance } from 'fastify'
import type { FindingsListener } from '../db/notifications.ts'
import { buildServer, type ServerParts } from '../http/server.ts'
import { createMcpMount } from '../mcp/http.ts'
import type { CreateMcpServer } from '../mcp/protocol-handler.ts'
import { pullWhenConnected } from '../research/crm/connect.ts'
import { takeInteraction } from '../research/work-items/chat.ts'
import { changeSubscription } from '../resources/alert-rules/unsubscribe.ts'
import { completeConsent, confirmConsent } from '../resources/connections/consent.ts'
import { API_ROUTES } from './routes.ts'
import { WEBHOOKS } from './webhooks.ts'

type Parts = Pick<ServerParts, 'deps' | 'queue' | 'pool' | 'version'>

/** The HTTP server of a process with the API. */
export function buildApi(parts: Parts, findings: FindingsListener, mcp?: CreateMcpServer): FastifyInstance {
  const { deps } = parts
  return buildServer({
    ...parts,
    consents: {
      take: (...call) => pullWhenConnected(deps, completeConsent(deps, ...call)),
      confirm: (...call) => pullWhenConnected(deps, confirmConsent(deps, ...call)),
    },
    interactions: { take: (workspaceId, headers, body) => takeInteraction(deps, workspaceId, headers, body) },
    changeSubscription: (...call) => changeSubscription(deps, ...call),
    mountMcp: createMcpMount(deps, findings, mcp),
    routes: API_ROUTES,
    webhooks: WEBHOOKS,
  })
}
