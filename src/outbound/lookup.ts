import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
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

const LEADS_INSIDE = 'The host name does not resolve to the public internet, so nothing was sent.'

/** A lookup function for sockets that fails when any address of the name is not accepted. */
export function createCheckedLookup(lookup: Lookup, accepts: (address: string) => boolean): LookupFunction {
  return (name, { all }, callback) => {
    lookup(name)
      .then((addresses) => {
        // A private address among public ones indicates an attack, so the whole name is rejected.
        if (!addresses.every(({ address }) => accepts(address)))
          throw new OutboundError('not_allowed', { message: LEADS_INSIDE })
        return addresses
      })
      .then(
        (addresses) => {
          if (all) return callback(null, [...addresses])
          const [first] = addresses
          callback(null, first?.address ?? '', first?.family)
        },
        (error) => callback(error, ''),
      )
  }
}
