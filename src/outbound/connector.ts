import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { isPublicAddress } from './addresses.ts'
import { OutboundError } from './errors.ts'
import type { Lookup } from './lookup.ts'
import type { UrlPolicy } from './url-policy.ts'

/** Replacement addresses: `host:port` to `host:port`; `*:port` applies to every host that is not listed. */
export type ConnectTo = ReadonlyMap<string, string>

type Options = { policy: UrlPolicy; lookup: Lookup; timeout: number; connectTo: ConnectTo; ca: string | null }

/**
 * Opens sockets for the client's agent. Addresses are checked in the socket's DNS lookup, so the checked addresses are the
 * ones that are connected to, and a second lookup cannot return different ones (DNS rebinding). Does not rely on an earlier
 * check of the URL.
 */
export function createCheckedConnector({ policy, lookup, timeout, connectTo, ca }: Options): buildConnector.connector {
  const secureContext = trustedContext(ca)
  // HTTP/1.1 only: with one request per connection, limits and aborts of one request do not affect others.
  const shared = { timeout, allowH2: false, autoSelectFamily: true, secureContext }
  const openAny = buildConnector({ ...shared, lookup: createCheckedLookup(lookup, () => true) })
  const openPublic = buildConnector({ ...shared, lookup: createCheckedLookup(lookup, isPublicAddress) })
  return (target, callback) => {
    if (policy.isAllowed(new URL(`${target.protocol}//${target.host}`))) return openAny(target, callback)
    // An IP address in the URL is connected to without a lookup.
    const refused = isIP(target.hostname) !== 0 && !isPublicAddress(target.hostname)
    if (target.protocol !== 'https:' || refused) return callback(new OutboundError('not_allowed'), null)
    const port = target.port || '443'
    const instead = connectTo.get(`${target.hostname}:${port}`) ?? connectTo.get(`*:${port}`)
    if (!instead) return openPublic(target, callback)
    // Only the address changes: TLS still checks the name in the URL.
    const { hostname, port: insteadPort } = new URL(`https://${instead}`)
    openAny({ ...target, hostname, port: insteadPort }, callback)
  }
}

const contexts = new Map<string | null, SecureContext>()

/** Cached per process: loading the certificate authorities takes 20 ms per connection otherwise. */
export function trustedContext(ca: string | null): SecureContext {
  const known = contexts.get(ca) ?? createSecureContext(ca ? { ca: [...getCACertificates('default'), ca] } : {})
  contexts.set(ca, known)
  return known
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
