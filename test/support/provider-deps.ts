import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../src/config/config.ts'
import { createOutbound, type OutboundOptions } from '../../src/outbound/client.ts'
import { RobotsCache } from '../../src/providers/robots-cache.ts'
import type { ProviderDeps } from '../../src/providers/types.ts'
import { sharedEngine } from './engine.ts'

/** Dependencies of a provider, composed from an environment as in production. Closed with the test, or the test file. */
export function providerDeps(env: Record<string, string>, options: Partial<OutboundOptions> = {}): ProviderDeps {
  const config = loadConfig(env)
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const outbound = createOutbound({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.OUTBOUND_CONNECT_TO,
    dnsServer: config.DNS_SERVER,
    ca: config.OUTBOUND_CA && readFileSync(config.OUTBOUND_CA, 'utf8'),
    contact: config.OUTBOUND_CONTACT,
    log,
    ...options,
  })
  // Not awaited: a request without a response would delay the end.
  after(() => void outbound.close())
  const signal = new AbortController().signal
  const health = { report: async () => {} }
  const { parserPool } = sharedEngine()
  return { config, outbound, log, robots: new RobotsCache(), health, parserPool, now: () => new Date(), signal }
}
