import { OutboundError } from './errors.ts'

/** One request of a redirect chain. Header names are lower case. */
export type RedirectHop = {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | null
}

export const MAX_REDIRECTS = 5

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Headers that may be sent to another origin. An allow list, because credentials have too many names (`x-api-key`, `api-key`,
 * `cookie`, …).
 */
const HARMLESS = ['accept', 'accept-encoding', 'accept-language', 'user-agent', 'if-none-match', 'if-modified-since']

const OF_A_BODY = ['content-type', 'content-encoding', 'content-language']

type Policy = { parse: (text: string) => URL; isAllowed: (url: URL) => boolean }

export function isRedirect(status: number, location: unknown): location is string {
  return REDIRECTS.has(status) && typeof location === 'string'
}

/**
 * The request that follows a redirect; its URL is checked like any other. Throws redirect and the errors of the policy.
 */
export function nextHop(policy: Policy, hop: RedirectHop, status: number, location: string): RedirectHop {
  const target = URL.parse(location, hop.url.href)
  if (!target) throw new OutboundError('redirect')
  const url = policy.parse(target.href)
  // Allowed private hosts are for configured URLs; an external page must not redirect to them.
  if (policy.isAllowed(url) && !policy.isAllowed(hop.url)) throw new OutboundError('redirect')
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST'
  const method = becomesGet ? 'GET' : hop.method
  const body = becomesGet ? null : hop.body
  const sameOrigin = url.origin === hop.url.origin
  // A body may contain a secret, as headers may.
  if (body !== null && !sameOrigin) throw new OutboundError('redirect')
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || HARMLESS.includes(name)) && !(becomesGet && OF_A_BODY.includes(name)),
  )
  return { url, method, headers: Object.fromEntries(headers), body }
}
