import type { RegisteredCrm } from './registry.ts'

type Vendor = Pick<RegisteredCrm, 'origin'>

/** The origin of the API for one account. `base` is the origin of the account, for vendors with one for each. */
export function apiOrigin({ origin }: Vendor, base: string | undefined): string {
  return typeof origin === 'string' ? origin : (base ?? '')
}

/** The origin of an account: at the hosts of the vendor, or at hosts the operator allows; null for any other. */
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
