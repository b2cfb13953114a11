import type { Config } from '../../config.ts'

const HOSTS = /\.(salesforce\.com|force\.com|salesforce\.mil)$/

/** The origin of an organization's address: at the vendor's own hosts, or where the operator allows; null for any other. */
export function originOf({ OUTBOUND_ALLOW }: Pick<Config, 'OUTBOUND_ALLOW'>, url: string | null | undefined) {
  const parsed = url ? URL.parse(url) : null
  if (parsed?.protocol !== 'https:') return null
  const { hostname, port, origin } = parsed
  return HOSTS.test(hostname) || OUTBOUND_ALLOW.has(`${hostname}:${port || '443'}`) ? origin : null
}
