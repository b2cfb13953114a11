import { OutboundError } from './errors.ts'

/** One request of a chain. Header names are lower case. */
export type Hop = {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | null
}

export const MAX_REDIRECTS = 5

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * What may go to another origin. A list of what is harmless: credentials have too many names (`x-api-key`, `api-key`,
 * `cookie`, …) to list those.
 */
const HARMLESS = ['accept', 'accept-encoding', 'accept-language', 'user-agent', 'if-none-match', 'if-modified-since']

const OF_A_BODY = ['content-type', 'content-encoding', 'content-language']

type Policy = { parse: (text: string) => URL; isAllowed: (url: URL) => boolean }

export function isRedirect(status: number, location: unknown): location is string {
  return REDIRECTS.has(status) && typeof location === 'string'
}

/**
 * The request that follows a redirect; its URL is checked like any other. Throws redirect, and what the policy throws.
 */
export function nextHop(policy: Policy, hop: Hop, status: number, location: string): Hop {
  const target = URL.parse(location, hop.url.href)
  if (!target) throw new OutboundError('redirect')
  const url = policy.parse(target.href)
  // The list of allowed private hosts is for our own settings; a page out there must not lead us to them.
  if (policy.isAllowed(url) && !policy.isAllowed(hop.url)) throw new OutboundError('redirect')
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST'
  const method = becomesGet ? 'GET' : hop.method
  const body = becomesGet ? null : hop.body
  const sameOrigin = url.origin === hop.url.origin
  // A body can hold a secret as well as a header can.
  if (body !== null && !sameOrigin) throw new OutboundError('redirect')
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || HARMLESS.includes(name)) && !(becomesGet && OF_A_BODY.includes(name)),
  )
  return { url, method, headers: Object.fromEntries(headers), body }
}
