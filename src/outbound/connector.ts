import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress } from './addresses.ts'
import { OutboundError } from './errors.ts'
import { createCheckedLookup, type Lookup } from './lookup.ts'
import { trustedContext } from './trusted-context.ts'
import type { UrlPolicy } from './url-policy.ts'

/** Replacement addresses: `host:port` to `host:port`; `*:port` applies to every host that is not listed. */
export type ConnectTo = ReadonlyMap<string, string>

export type ConnectorOptions = {
  policy: UrlPolicy
  lookup: Lookup
  timeout: number
  connectTo: ConnectTo
  ca: string | null
}

/**
 * Opens sockets for the client's agent. Addresses are checked in the socket's DNS lookup, so the checked addresses are the
 * ones that are connected to, and a second lookup cannot return different ones (DNS rebinding). Does not rely on an earlier
 * check of the URL.
 */
export function createCheckedConnector({
  policy,
  lookup,
  timeout,
  connectTo,
  ca,
}: ConnectorOptions): buildConnector.connector {
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
