import ipaddr from 'ipaddr.js'

/** Cached because it is needed for every request. */
const remembered = new Map<string, string>()
const MAX_REMEMBERED = 10_000

/**
 * The client that an address belongs to, for rate limits: the IPv4 address, or the /64 of an IPv6 address, because one
 * customer usually has a whole /64.
 */
export function clientKey(address: string): string {
  const known = remembered.get(address)
  if (known !== undefined) return known
  const client = read(address)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(address, client)
  return client
}

function read(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
