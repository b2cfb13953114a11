import type { OidcProvider, ProviderAccess } from '../../config/oidc-providers.ts'
import { EMAIL_FORMAT } from '../../http/validation.ts'
import type { OidcTokens } from '../../providers/oidc.ts'
import { AppError } from '../../shared/errors.ts'

export type Claims = NonNullable<OidcTokens['claims']>

/** Google lets people keep an account with the address of a company that they left; only `hd` proves the company. */
const GOOGLE = 'https://accounts.google.com'
const MAX_NAME = 120
const MAX_EMAIL = 254

/** What the person may do: of the first mapped group they have, otherwise the default. Throws forbidden. */
export function accessOf(provider: OidcProvider, claims: Claims): ProviderAccess {
  requireAllowedDomain(provider, claims)
  return accessOfGroups(provider, claims)
}

function accessOfGroups(provider: OidcProvider, claims: Claims): ProviderAccess {
  const given = claims[provider.groups_claim]
  const groups = new Set([given].flat())
  const access = provider.groups.find(({ group }) => groups.has(group)) ?? provider.default
  if (access) return access
  throw new AppError(
    'forbidden',
    given === undefined
      ? `${provider.name} sent no groups, so you have no access. Ask your admin to add you to a group that has, or, if you are in one, to add the claim ${provider.groups_claim} to the ID token.`
      : `None of your groups at ${provider.name} has access. Ask your admin to add you to one that has.`,
  )
}

/**
 * The same for a refreshed ID token, in which providers may leave out claims of the sign-in; null if it has no groups to go
 * by. An absent claim with groups means none if an earlier token had it: Keycloak leaves out an empty list. Throws forbidden.
 */
export function refreshedAccess(provider: OidcProvider, claims: Claims, hadGroups: boolean): ProviderAccess | null {
  const { groups, groups_claim } = provider
  // Before the groups: the member follows the address of this token even if it has no groups.
  if (domainClaim(provider) in claims) requireAllowedDomain(provider, claims)
  if (groups.length > 0 && !(groups_claim in claims) && !hadGroups) return null
  return accessOfGroups(provider, { [groups_claim]: [], ...claims })
}

const domainClaim = ({ issuer }: OidcProvider): 'hd' | 'email' => (issuer.startsWith(GOOGLE) ? 'hd' : 'email')

function requireAllowedDomain(provider: OidcProvider, claims: Claims): void {
  const { name, allowed_domains, trust_email } = provider
  if (!allowed_domains) return
  const from = domainClaim(provider)
  const claim = claims[from]
  const domain = typeof claim === 'string' ? claim.toLowerCase().split('@').at(-1) : undefined
  if (domain === undefined || !allowed_domains.includes(domain)) {
    const message = `Your account at ${name} has no address of ${allowed_domains.join(' or ')}. Sign in with another account.`
    throw new AppError('forbidden', message)
  }
  // Absent, the address counts for a person who is already known: a refreshed ID token may leave it out.
  const isUnverified = 'email_verified' in claims && claims.email_verified !== true && !trust_email
  if (from === 'email' && isUnverified) throw new AppError('forbidden', notVerified(provider))
}

const notVerified = ({ name }: OidcProvider) =>
  `Your email address is not verified at ${name}. Verify it there, then sign in again.`

const isUsable = (email: unknown): email is string =>
  typeof email === 'string' && email.length <= MAX_EMAIL && EMAIL_FORMAT.test(email)

/** The address of a person that their provider has verified; null if there is none. */
export function findVerifiedEmail({ trust_email }: OidcProvider, { email, email_verified }: Claims): string | null {
  return isUsable(email) && (email_verified === true || trust_email) ? email : null
}

/** Throws forbidden for a person without a verified address. */
export function requireVerifiedEmail(provider: OidcProvider, claims: Claims): string {
  const found = findVerifiedEmail(provider, claims)
  if (found !== null) return found
  const { name } = provider
  const message = !claims.email
    ? `${name} sent no email address. Ask your admin to add it to the ID token.`
    : !isUsable(claims.email)
      ? `The email address that ${name} sent cannot be used. Ask your admin to correct it.`
      : notVerified(provider)
  throw new AppError('forbidden', message)
}

export function nameOf({ name }: Claims, email: string): string {
  const given =
    typeof name === 'string'
      ? name
          .replaceAll(/\p{Cc}/gu, ' ')
          .trim()
          .slice(0, MAX_NAME)
          .trim()
      : ''
  return given || (email.split('@')[0] as string)
}
