import ipaddr from 'ipaddr.js'
import { AppError } from '../shared/errors.ts'
import type { Member } from '../shared/member.ts'
import type { CheckRights } from './operation.ts'

/** Whether the key of the caller may be used from this address. */
export const isAllowedAddress = ({ limits }: Pick<Member, 'limits'>, address: string): boolean =>
  !limits?.allowed_ips || limits.allowed_ips.some((network) => isInNetwork(address, network))

export const addressNotAllowed = (address: string): AppError =>
  new AppError(
    'forbidden',
    `This API key may not be used from ${address}. Its addresses are chosen when the key is created.`,
  )

/**
 * Throws forbidden for a restricted key, which could otherwise create credentials without its restrictions: keys, sign-in
 * links, or members, who request a link by email.
 */
export function requireUnrestricted({ limits }: Pick<Member, 'limits'>): void {
  if (!limits) return
  throw new AppError(
    'forbidden',
    'A restricted API key cannot create keys, sign-in links and members, and cannot change the email address or role of a member.',
  )
}

/** Throws forbidden for a credential that would outlive the key that creates it. `expires`: null for never. */
export function requireExpiryWithin({ key_expires_at }: Pick<Member, 'key_expires_at'>, expires: string | null): void {
  if (!key_expires_at || (expires && Date.parse(expires) <= Date.parse(key_expires_at))) return
  throw new AppError(
    'forbidden',
    `This API key expires at ${key_expires_at}. It creates no sign-in links, and only keys with an expires_at that is no later.`,
  )
}

export const allowUnrestricted: CheckRights = async (_deps, { member }) => requireUnrestricted(member)

/** Throws forbidden when the key of the caller is restricted to other operations. */
export function requireAllowedOperation({ limits }: Pick<Member, 'limits'>, operationId: string | undefined): void {
  if (!limits?.operations || (operationId && limits.operations.includes(operationId))) return
  throw new AppError('forbidden', `This API key may only call ${limits.operations.join(', ')}.`)
}

/** The bits before the IPv4 address in an address such as ::ffff:10.0.0.1. */
const MAPPED_BITS = 96

function isInNetwork(address: string, network: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address may be reported in its IPv6 form.
  const parsed = ipaddr.process(address)
  const [base, bits] = ipaddr.parseCIDR(network)
  return parsed.kind() === base.kind() && parsed.match(base, bits)
}

/** The network of an address or a network as people write it, such as 10.0.0.7 or 10.1.0.0/16. Throws invalid_request. */
export function normalizeNetwork(text: string, path: string): string {
  const whole = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  const [base = ''] = whole.split('/')
  // The short forms of IPv4, such as 10.7, are refused: they are mistakes more often than addresses.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(base) || ipaddr.IPv6.isValid(base)
  const network = isAddress && ipaddr.isValidCIDR(whole) && networkOf(...ipaddr.parseCIDR(whole))
  if (network) return network
  throw new AppError('invalid_request', `${text} is not an IP address or a network such as 10.1.0.0/16.`, {
    details: [{ path, message: 'must be an IP address or a network such as 10.1.0.0/16' }],
  })
}

/** Null for an IPv6 network around the IPv4 addresses: callers are compared by their IPv4 addresses, which it would not match. */
function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string | null {
  if (address instanceof ipaddr.IPv4) return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
  if (!address.isIPv4MappedAddress()) return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
  return bits < MAPPED_BITS ? null : networkOf(address.toIPv4Address(), bits - MAPPED_BITS)
}
