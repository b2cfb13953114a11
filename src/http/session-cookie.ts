import type { Config } from '../config.ts'

/** Longer than any session lives without use: the service decides when one ends, and a year is the end of each. */
const MAX_AGE_SECONDS = 365 * 86_400

const NAME = 'bellwether_session'

/**
 * The cookie that holds a browser's session. Under https its name has the prefix with which browsers take it from this very
 * host alone, and only over https.
 */
export function sessionCookie({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) {
  const isSecure = PUBLIC_URL?.startsWith('https:') ?? false
  const name = isSecure ? `__Host-${NAME}` : NAME
  const write = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return {
    /** Each one that a request brought. Two mean that another page of this site set one of them. */
    read: (header = ''): string[] =>
      header.split(';').flatMap((pair) => {
        const at = pair.indexOf('=')
        return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
      }),
    set: (token: string) => write(token, MAX_AGE_SECONDS),
    clear: () => write('', 0),
  }
}
