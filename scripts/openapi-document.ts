import { pino } from 'pino'
import { API_ROUTES } from '../src/app/routes.ts'
import { WEBHOOKS } from '../src/app/webhooks.ts'
import { loadConfig } from '../src/config/config.ts'
import { buildServer, type ServerParts } from '../src/http/server.ts'
import { VERSION } from '../src/shared/version.ts'

/** The OpenAPI document without a running service: it is generated from the route tables, and the dependencies are not used. */
export async function openapiDocument(): Promise<string> {
  const deps = { config: loadConfig({}), log: pino({ level: 'silent' }) }
  const tables = { routes: API_ROUTES, webhooks: WEBHOOKS, mountMcp: () => {} }
  const server = buildServer({ deps, queue: {}, pool: {}, version: VERSION, ...tables } as unknown as ServerParts)
  const { body } = await server.inject('/openapi.json')
  await server.close()
  return body
}
