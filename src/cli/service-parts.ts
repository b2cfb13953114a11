import type { ReadingPool } from '../engine/threads/pool.ts'
import { openOutbound, openReading } from '../main.ts'
import type { Outbound } from '../outbound/client.ts'
import type { ProviderHealth } from '../providers/health.ts'
import { RobotsMemory } from '../providers/robots/memory.ts'
import { StoredRobots } from '../research/stored-robots.ts'
import { KeyCache } from '../resources/api-keys/authenticate.ts'
import { StoredHealth } from '../resources/integrations/provider-health.ts'
import { type CliContext, withDatabase } from './context.ts'

type Parts = CliContext & {
  keys: KeyCache
  outbound: Outbound
  reading: ReadingPool
  robots: RobotsMemory
  health: ProviderHealth
}

/** Runs against the database of the service, with the parts that make outbound requests. */
export function withServiceParts<T>(run: (parts: Parts) => Promise<T>): Promise<T> {
  return withDatabase(async (context) => {
    const { config, db, log, now } = context
    await using outbound = openOutbound(config, log)
    await using reading = openReading(config)
    await using robots = new StoredRobots(db, log)
    return await run({
      ...context,
      keys: new KeyCache(db, now, config),
      outbound,
      reading,
      robots: new RobotsMemory(robots),
      health: new StoredHealth(db, log),
    })
  })
}
