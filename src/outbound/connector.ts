import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { isPublicAddress } from './addresses.ts'
import { OutboundError } from './errors.ts'
import type { Lookup } from './lookup.ts'
import type { UrlPolicy } from './url-policy.ts'

/** Where to connect instead: `host:port` to `host:port`; `*:port` for every host that is not listed. */
export type ConnectTo = ReadonlyMap<string, string>

type Options = { policy: UrlPolicy; lookup: Lookup; timeout: number; connectTo: ConnectTo; ca: string | null }

/**
 * Opens sockets for the client's agent. The check sits in the resolver of the socket itself, so the addresses that
 * were checked are the addresses that are dialled, and no second question can get another answer. It does not rely on
 * the URL having been checked before.
 */
export function guardedConnector({ policy, lookup, timeout, connectTo, ca }: Options): buildConnector.connector {
  const secureContext = trusting(ca)
  // HTTP/1.1 only: one request a connection keeps limits and aborts of one call away from the others.
  const shared = { timeout, allowH2: false, autoSelectFamily: true, secureContext }
  const openAny = buildConnector({ ...shared, lookup: resolving(lookup, () => true) })
  const openPublic = buildConnector({ ...shared, lookup: resolving(lookup, isPublicAddress) })
  return (target, callback) => {
    if (policy.isAllowed(new URL(`${target.protocol}//${target.host}`))) return openAny(target, callback)
    // An address in the URL is dialled without a lookup.
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

/** Made once for a process: reading the list of authorities takes 20 ms, and would be done for every connection. */
function trusting(ca: string | null): SecureContext {
  const known = contexts.get(ca) ?? createSecureContext(ca ? { ca: [...getCACertificates('default'), ca] } : {})
  contexts.set(ca, known)
  return known
}

const LEADS_INSIDE = 'The host name does not lead to the public internet, so nothing was sent.'

/** A socket's lookup that answers all addresses of a name, or none when one of them is not acceptable. */
export function resolving(lookup: Lookup, accepts: (address: string) => boolean): LookupFunction {
  return (name, { all }, callback) => {
    lookup(name)
      .then((addresses) => {
        // One private address among public ones is how a name is pointed inside: refuse the name, not the address.
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
