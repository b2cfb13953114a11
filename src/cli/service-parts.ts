import { openOutbound, openParserPool } from '../app/service.ts'
import type { ParserPool } from '../engine/threads/pool.ts'
import type { Outbound } from '../outbound/client.ts'
import type { ProviderHealth } from '../providers/health.ts'
import { RobotsCache } from '../providers/robots-cache.ts'
import { StoredRobots } from '../research/stored-robots.ts'
import { KeyCache } from '../resources/api-keys/authenticate.ts'
import { ProviderHealthRecorder } from '../resources/integrations/provider-health.ts'
import { type CliContext, withDatabase } from './context.ts'

type Parts = CliContext & {
  keys: KeyCache
  outbound: Outbound
  parserPool: ParserPool
  robots: RobotsCache
  health: ProviderHealth
}

/** Runs against the database of the service, with the parts that make outbound requests. */
export function withServiceParts<T>(run: (parts: Parts) => Promise<T>): Promise<T> {
  return withDatabase(async (context) => {
    const { config, db, log, now } = context
    await using outbound = openOutbound(config, log)
    await using parserPool = openParserPool(config)
    await using robots = new StoredRobots(db, log)
    return await run({
      ...context,
      keys: new KeyCache(db, now, config, async () => {}),
      outbound,
      parserPool,
      robots: new RobotsCache(robots),
      health: new ProviderHealthRecorder(db, log),
    })
  })
}
