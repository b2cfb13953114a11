import { Resolver } from 'node:dns/promises'
import { OutboundError } from './errors.ts'

/** The mail servers of a domain, the preferred one first; empty when it accepts no mail. Throws dns when the lookup fails. */
export type ResolveMx = (domain: string) => Promise<string[]>

const TIMEOUT_MS = 3_000
const TRIES = 2
const MAX_RECORDS = 200

/** Error codes that mean "no such record"; other errors are lookup failures. */
const NONE = new Set(['ENODATA', 'ENOTFOUND'])

/** `server` replaces the system's name servers, for development and tests. */
export function createMxResolver(server: string | null): ResolveMx {
  const resolver = resolverAt(server)
  return async (domain) => {
    const records = await unlessNone(resolver.resolveMx(domain))
    // A domain without MX is its own mail server if it has an address (RFC 5321, 5.1).
    if (records.length === 0) return (await hasAddress(domain)) ? [domain] : []
    // A null MX: the domain accepts no mail (RFC 7505).
    if (records.some(({ exchange }) => exchange === '' || exchange === '.')) return []
    return records.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange.toLowerCase())
  }

  async function hasAddress(domain: string): Promise<boolean> {
    const addresses = await Promise.all([unlessNone(resolver.resolve4(domain)), unlessNone(resolver.resolve6(domain))])
    return addresses.flat().length > 0
  }
}

/** The TXT records of a name, each as one text; empty when it has none. Throws dns when the lookup fails. */
export type ResolveTxt = (name: string) => Promise<string[]>

export function createTxtResolver(server: string | null): ResolveTxt {
  const resolver = resolverAt(server)
  return async (name) => {
    const records = await unlessNone(resolver.resolveTxt(name))
    // A long record consists of several strings (RFC 7208, 3.3).
    return records.slice(0, MAX_RECORDS).map((strings) => strings.join(''))
  }
}

function resolverAt(server: string | null): Resolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (server) resolver.setServers([server])
  return resolver
}

function unlessNone<T>(records: Promise<T[]>): Promise<T[]> {
  return records.catch((cause: NodeJS.ErrnoException) => {
    if (NONE.has(cause.code ?? '')) return []
    throw new OutboundError('dns', { cause })
  })
}
