import type { Config } from '../config/config.ts'

/** Longer than any session lives without use: the service decides when one ends, and a year is the end of each. */
const SESSION_SECONDS = 365 * 86_400

type Cookie = { name: string; sameSite: 'Strict' | 'Lax'; seconds: number }

/**
 * A cookie that no script reads. Under https its name has the prefix with which browsers take it from this very host alone,
 * and only over https.
 */
function hostCookie({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, cookie: Cookie) {
  const isSecure = PUBLIC_URL?.startsWith('https:') ?? false
  const name = isSecure ? `__Host-${cookie.name}` : cookie.name
  const write = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=${cookie.sameSite}; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return {
    /** Each one that a request brought. Two mean that another page of this site set one of them. */
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

/** How long a person has to give their consent to a CRM. */
export const CONSENT_SECONDS = 600

/** Recognises the browser that asked for a consent. Lax: the vendor's page leads back here. */
export const consentCookie = (config: Pick<Config, 'PUBLIC_URL'>) =>
  hostCookie(config, { name: 'bellwether_consent', sameSite: 'Lax', seconds: CONSENT_SECONDS })
