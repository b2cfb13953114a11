import type { RegisteredCrm } from './registry.ts'

type Vendor = Pick<RegisteredCrm, 'origin'>

/** Where the API of a vendor is for one account. `base` is the account's own address, where it has one. */
export function apiOrigin({ origin }: Vendor, base: string | undefined): string {
  return typeof origin === 'string' ? origin : (base ?? '')
}

/** The origin of an account's own address: at the vendor's hosts, or where the operator allows; null for any other. */
export function accountOrigin(
  { origin }: Vendor,
  url: string | null | undefined,
  allow: ReadonlySet<string>,
): string | null {
  const parsed = url ? URL.parse(url) : null
  if (typeof origin === 'string' || parsed?.protocol !== 'https:') return null
  const { hostname, port } = parsed
  return origin.hosts.test(hostname) || allow.has(`${hostname}:${port || '443'}`) ? parsed.origin : null
}
