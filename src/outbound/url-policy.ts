import { isIP } from 'node:net'
import { parse } from 'tldts'
import { AppError } from '../shared/errors.ts'
import { isPublicAddress } from './addresses.ts'
import { type Lookup, systemLookup } from './lookup.ts'

/** Names that never resolve to the public internet. */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/

/** Reserved for documentation and tests (RFC 2606): they do not resolve, except with OUTBOUND_CONNECT_TO. */
const RESERVED_NAME = /\.(example|test|invalid)$/

const MAX_URL_LENGTH = 2048
const LOOKUP_TIMEOUT_MS = 3_000

/** Decides which URLs the service may call. Its error messages reveal nothing about the local network. */
export class UrlPolicy {
  readonly #allow: ReadonlySet<string>
  readonly #lookup: Lookup

  /** `allow` holds exact host:port pairs that may be private or plain http. */
  constructor(allow: ReadonlySet<string>, lookup: Lookup = systemLookup) {
    this.#allow = allow
    this.#lookup = lookup
  }

  /** Parses a URL with the same parser as the request. Throws url_not_allowed. */
  parse(text: string): URL {
    if (text.length > MAX_URL_LENGTH) throw refused('It is too long')
    const url = URL.parse(text)
    if (!url) throw refused('It is not a URL')
    // Credentials in a URL are never sent, so such a URL would not work as intended.
    if (url.username || url.password) throw refused('It must not contain a user name or password')
    if (this.isAllowed(url)) return url
    if (url.protocol !== 'https:') throw refused('It must begin with https://')
    if (!isPublicHost(hostOf(url))) throw refused(NOT_PUBLIC)
    return url
  }

  /**
   * Checks a URL before it is stored. A name that cannot be resolved at the moment is accepted: every delivery
   * resolves and checks it again. Throws url_not_allowed.
   */
  async check(text: string): Promise<URL> {
    const url = this.parse(text)
    if (this.isAllowed(url) || isIP(hostOf(url))) return url
    // A name such as kubernetes.default.svc can only be a host of the local network.
    if (!hasPublicSuffix(hostOf(url))) throw refused(NOT_PUBLIC)
    const addresses = await this.#resolve(url.hostname)
    if (!addresses.every(isPublicAddress)) throw refused(NOT_PUBLIC)
    return url
  }

  isAllowed(url: URL): boolean {
    if (this.#allow.size === 0) return false
    const port = url.port || { 'http:': '80', 'https:': '443' }[url.protocol]
    return /^https?:$/.test(url.protocol) && this.#allow.has(`${url.hostname}:${port}`)
  }

  async #resolve(host: string): Promise<string[]> {
    const { promise: late, resolve } = Promise.withResolvers<string[]>()
    const timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS, [])
    const answer = this.#lookup(host).then(
      (found) => found.map(({ address }) => address),
      () => [],
    )
    return Promise.race([answer, late]).finally(() => clearTimeout(timer))
  }
}

/** The host without the brackets of IPv6 and trailing dots. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !host.includes('..') && !LOCAL_NAME.test(host)
}

function hasPublicSuffix(host: string): boolean {
  return parse(host).isIcann === true || RESERVED_NAME.test(host)
}

const NOT_PUBLIC = 'It must name a host on the public internet. An operator can allow other hosts with OUTBOUND_ALLOW'

function refused(reason: string): AppError {
  return new AppError('url_not_allowed', `This URL cannot be used. ${reason}.`)
}

/** The origin of a URL: its path often contains a token. */
export function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`
}
