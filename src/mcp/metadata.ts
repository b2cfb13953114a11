import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { addressOf } from '../http/origin.ts'
import type { Gate } from '../http/server.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

type Address = Pick<Config, 'PUBLIC_URL' | 'PORT'>

/** What an answer to a caller without a valid key says of how to get in (RFC 6750, RFC 9728). */
export function authenticateChallenge(request: FastifyRequest, config: Address, isWrong: boolean): string {
  const metadata = `resource_metadata="${addressOf(request, config)}${WELL_KNOWN}/mcp"`
  return isWrong ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}

/**
 * Describes /mcp as a protected resource. It names no authorization server, because there is none: keys are given out by an admin
 * of the workspace.
 */
export function registerResourceMetadata(app: FastifyInstance, config: Address, gate: Gate): void {
  for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      gate.byAddress(request, reply)
      const address = addressOf(request, config)
      return {
        resource: `${address}/mcp`,
        resource_name: 'Bellwether',
        bearer_methods_supported: ['header'],
        resource_documentation: `${address}/docs`,
      }
    })
  }
}
