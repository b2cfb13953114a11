import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AppError } from '../errors.ts'
import { isPublicAddress } from './addresses.ts'

/** Names that never lead to the public internet. */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/

const MAX_URL_LENGTH = 2048
const LOOKUP_TIMEOUT_MS = 3_000

/** Decides which URLs the service may call. The reasons it gives reveal nothing about the network it runs in. */
export class UrlPolicy {
  readonly #allow: ReadonlySet<string>

  /** `allow` holds exact host:port pairs that may be private or plain http. */
  constructor(allow: ReadonlySet<string>) {
    this.#allow = allow
  }

  /** Reads a URL by the one parser that also makes the request. Throws url_not_allowed. */
  parse(text: string): URL {
    if (text.length > MAX_URL_LENGTH) throw refused('It is too long')
    if (!URL.canParse(text)) throw refused('It is not a URL')
    const url = new URL(text)
    if (this.isAllowed(url)) return url
    if (url.protocol !== 'https:') throw refused('It must begin with https://')
    if (url.username || url.password) throw refused('It must not hold a user name or password')
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const isAddress = isIP(host) !== 0
    const named = !isAddress && host.includes('.') && !LOCAL_NAME.test(host)
    if (!named && !(isAddress && isPublicAddress(host))) throw refused('It must name a host on the public internet')
    return url
  }

  /**
   * Checks a URL before it is stored. A name that cannot be resolved at the moment is accepted: every delivery
   * resolves and checks it again. Throws url_not_allowed.
   */
  async check(text: string): Promise<URL> {
    const url = this.parse(text)
    if (this.isAllowed(url) || isIP(url.hostname.replace(/^\[|\]$/g, ''))) return url
    const addresses = await resolve(url.hostname)
    if (!addresses.every(isPublicAddress)) throw refused('It must name a host on the public internet')
    return url
  }

  isAllowed(url: URL): boolean {
    const port = url.port || { 'http:': '80', 'https:': '443' }[url.protocol]
    return /^https?:$/.test(url.protocol) && this.#allow.has(`${url.hostname}:${port}`)
  }
}

function refused(reason: string): AppError {
  return new AppError('url_not_allowed', `This URL cannot be used. ${reason}.`)
}

async function resolve(host: string): Promise<string[]> {
  const answer = lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
  const late = new Promise<string[]>((done) => setTimeout(done, LOOKUP_TIMEOUT_MS, []).unref())
  return Promise.race([answer, late])
}
