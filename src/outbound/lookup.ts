import { lookup } from 'node:dns/promises'
import { OutboundError } from './errors.ts'

export type Address = { address: string; family: number }

/** Resolves a name to all its addresses. */
export type Lookup = (name: string) => Promise<readonly Address[]>

export const systemLookup: Lookup = (name) => lookup(name, { all: true })

/**
 * How long a result is cached. Short, because the TTL of the record is ignored; long enough that opening a pool of
 * connections needs one lookup.
 */
const CACHE_MS = 5_000
const MAX_NAMES = 1_000

/** Caches lookups briefly and shares concurrent ones. Failures are not cached. Throws dns. */
export function cacheLookup(lookup: Lookup, now: () => number = () => performance.now()): Lookup {
  const cache = new Map<string, { addresses: Promise<readonly Address[]>; until: number }>()
  return (name) => {
    const known = cache.get(name)
    if (known && now() < known.until) return known.addresses
    cache.delete(name)
    const [oldest] = cache.size >= MAX_NAMES ? cache.keys() : []
    if (oldest !== undefined) cache.delete(oldest)
    const entry = { addresses: resolveName(lookup, name), until: now() + CACHE_MS }
    cache.set(name, entry)
    entry.addresses.catch(() => cache.get(name) === entry && cache.delete(name))
    return entry.addresses
  }
}

async function resolveName(lookup: Lookup, name: string): Promise<readonly Address[]> {
  const addresses = await lookup(name).catch((cause) => {
    throw new OutboundError('dns', { cause })
  })
  if (addresses.length === 0) throw new OutboundError('dns')
  return addresses
}
