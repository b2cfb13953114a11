import { pino } from 'pino'
import { API_ROUTES } from '../src/app/routes.ts'
import { WEBHOOKS } from '../src/app/webhooks.ts'
import { loadConfig } from '../src/config/config.ts'
import { buildServer, type ServerParts } from '../src/http/server.ts'
import { VERSION } from '../src/shared/version.ts'

/** The OpenAPI document, without a service: it comes from the route tables alone, nothing is asked of what they would work with. */
export async function openapiDocument(): Promise<string> {
  const deps = { config: loadConfig({}), log: pino({ level: 'silent' }) }
  const tables = { routes: API_ROUTES, webhooks: WEBHOOKS, mountMcp: () => {} }
  const server = buildServer({ deps, queue: {}, pool: {}, version: VERSION, ...tables } as unknown as ServerParts)
  const { body } = await server.inject('/openapi.json')
  await server.close()
  return body
}
