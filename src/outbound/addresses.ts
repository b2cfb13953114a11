import ipaddr from 'ipaddr.js'

/**
 * Whether an address is on the public internet. Anything that is not plain unicast is refused: private, loopback,
 * link-local, CGNAT, multicast, documentation, benchmarking, reserved. Addresses that carry an IPv4 address inside
 * (mapped, NAT64, 6to4, Teredo) are refused as well: what they reach depends on the network we run in.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // ipaddr.js calls everything unassigned in IPv6 unicast; only 2000::/3 is handed out.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0] as number) >> 13 === 1
}
