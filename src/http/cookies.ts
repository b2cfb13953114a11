import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'

/** The maximum age of a session; the service ends idle sessions earlier. */
const SESSION_SECONDS = 365 * 86_400

type Cookie = { name: string; sameSite: 'Strict' | 'Lax'; seconds: number }

/**
 * An HttpOnly cookie. Under https its name has the prefix `__Host-`, with which browsers accept it only from this host and
 * over https.
 */
function hostCookie({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, cookie: Cookie) {
  const isSecure = PUBLIC_URL?.startsWith('https:') ?? false
  const name = isSecure ? `__Host-${cookie.name}` : cookie.name
  const write = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=${cookie.sameSite}; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return {
    /** All cookies with this name. Two mean that another host of the same site set one of them. */
    read: (header = ''): string[] =>
      header.split(';').flatMap((pair) => {
        const at = pair.indexOf('=')
        return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
      }),
    set: (value: string) => write(value, cookie.seconds),
    clear: () => write('', 0),
  }
}

/** Holds a browser's session. */
export const sessionCookie = (config: Pick<Config, 'PUBLIC_URL'>) =>
  hostCookie(config, { name: 'bellwether_session', sameSite: 'Strict', seconds: SESSION_SECONDS })

/** How long an OAuth consent at a CRM, or a sign-in at a provider, may take. */
export const CONSENT_SECONDS = 600

const NONCE = /^[\w-]{43}$/

/** The value of the consent cookie: an existing one is kept, because another consent may be in progress. */
export const chooseBrowserNonce = (sent: readonly string[]): string =>
  sent.find((one) => NONCE.test(one)) ?? randomBytes(32).toString('base64url')

/**
 * Identifies the browser that started an OAuth consent or a sign-in at a provider. SameSite=Lax, because the vendor's page
 * redirects back here.
 */
export const consentCookie = (config: Pick<Config, 'PUBLIC_URL'>) =>
  hostCookie(config, { name: 'bellwether_consent', sameSite: 'Lax', seconds: CONSENT_SECONDS })
