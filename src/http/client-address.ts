import ipaddr from 'ipaddr.js'

/** Asked for with every request, and a client sends many. */
const remembered = new Map<string, string>()
const MAX_REMEMBERED = 10_000

/**
 * Who an address stands for when something is counted: an IPv4 address itself, and the /64 of an IPv6 address, because one
 * customer of a network has all addresses of it.
 */
export function clientOf(address: string): string {
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
