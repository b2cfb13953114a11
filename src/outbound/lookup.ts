import { lookup } from 'node:dns/promises'
import { OutboundError } from './errors.ts'

export type Address = { address: string; family: number }

/** All addresses of a name. */
export type Lookup = (name: string) => Promise<readonly Address[]>

export const systemLookup: Lookup = (name) => lookup(name, { all: true })

/**
 * An answer serves all connections opened within this time. Short, because it hides the record's own lifetime; long
 * enough that opening a pool of connections asks once.
 */
const KEEP_MS = 5_000
const MAX_NAMES = 1_000

/** Keeps answers for a moment and lets simultaneous questions share one. Failures are not kept. Throws dns. */
export function briefly(lookup: Lookup, now: () => number = () => performance.now()): Lookup {
  const kept = new Map<string, { answer: Promise<readonly Address[]>; until: number }>()
  return (name) => {
    const known = kept.get(name)
    if (known && now() < known.until) return known.answer
    kept.delete(name)
    const [oldest] = kept.size >= MAX_NAMES ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
    const entry = { answer: ask(lookup, name), until: now() + KEEP_MS }
    kept.set(name, entry)
    entry.answer.catch(() => kept.get(name) === entry && kept.delete(name))
    return entry.answer
  }
}

async function ask(lookup: Lookup, name: string): Promise<readonly Address[]> {
  const addresses = await lookup(name).catch((cause) => {
    throw new OutboundError('dns', { cause })
  })
  if (addresses.length === 0) throw new OutboundError('dns')
  return addresses
}
