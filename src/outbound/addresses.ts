import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address is on the public internet. Anything that is not global unicast is rejected: private, loopback,
 * link-local, CGNAT, multicast, documentation, benchmarking, reserved. Addresses with an embedded IPv4 address (mapped,
 * NAT64, 6to4, Teredo) are rejected too: what they reach depends on the local network.
 */
export function isPublicAddress(address: string): boolean {
  // Only the standard notation: ipaddr.js also parses octal, hex and short forms, which other parsers read differently.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // ipaddr.js classifies unassigned IPv6 addresses as unicast; only 2000::/3 is allocated.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0] as number) >> 13 === 1
}
