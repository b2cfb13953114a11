import { canonicalUrl } from '../../engine/content/index.ts'
import { cutText } from '../../engine/text/storable.ts'
import { registrableDomain } from '../../engine/text/web-address.ts'
import type { ProviderDeps } from '../types.ts'
import { type FetchedPage, fetchPage, type PageFetchOptions, type Read } from './fetch-page.ts'
import type { Failure } from './sitemaps.ts'

export type SitePageKind = 'home' | 'about' | 'team' | 'careers' | 'press' | 'blog' | 'pricing' | 'feed' | 'article'

/** A page of a company's site as it was read. */
export type SitePage = {
  url: string
  kind: SitePageKind
  etag: string | null
  last_modified: string | null
  content_hash: string
  body_hash: string | null
  /** Of each line and article on it, so that a later fetch can say what is new. */
  line_hashes: string[]
  title: string | null
  text: string
}

/** Told of each page once it is read. */
export type OnPage = (page: SitePage) => Promise<void>

/** `/`, or that of a language: `/en`, `/pt-br/`. */
export function isHome(url: string): boolean {
  return /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(new URL(url).pathname)
}

/** Reads a site within a budget of pages, each address once, and keeps what could not be read. */
export class Site {
  readonly pages: SitePage[] = []
  readonly failures: Failure[] = []
  readonly #deps: ProviderDeps
  readonly #domains: Set<string>
  readonly #options: PageFetchOptions
  readonly #onPage: OnPage | undefined
  readonly #asked = new Set<string>()
  #budget: number

  constructor(deps: ProviderDeps, domain: string, maxPages: number, options: PageFetchOptions, onPage?: OnPage) {
    this.#deps = deps
    this.#domains = new Set([registrableDomain(domain) ?? domain])
    this.#budget = maxPages
    this.#options = options
    this.#onPage = onPage
  }

  get left(): number {
    return this.#budget
  }

  /** The registrable domains that are its own. */
  get domains(): string[] {
    return [...this.#domains]
  }

  isOwn = (url: string): boolean => this.#domains.has(registrableDomain(url) ?? '')

  /** A company that has moved to another name takes its pages along. */
  adopt(url: string): void {
    const domain = registrableDomain(url)
    if (domain) this.#domains.add(domain)
  }

  /** A company that was renamed redirects to its new home; one without a site to its page on another's. */
  adoptHome(url: string): void {
    if (isHome(url)) this.adopt(url)
  }

  hasAsked(url: string): boolean {
    return this.#asked.has(canonicalUrl(url))
  }

  /** Reads a page; null when it was read before, when the budget is used up, or when it could not be had. */
  async read(address: string, kind: SitePageKind): Promise<Read | null> {
    const found = await this.fetchAt(address, kind)
    if (found?.outcome === 'read') return found
    if (found && found.outcome !== 'unchanged') this.failures.push({ url: address, reason: found.reason })
    return null
  }

  async fetchAt(address: string, kind: SitePageKind): Promise<FetchedPage | null> {
    // Old feeds still say http; the site itself speaks https or is not read.
    const url = address.replace(/^http:/, 'https:')
    const key = canonicalUrl(url)
    if (this.#asked.has(key) || this.#budget <= 0) return null
    this.#asked.add(key)
    this.#budget--
    const found = await fetchPage(this.#deps, url, null, this.#options)
    if (found.outcome !== 'read') return found
    const final = canonicalUrl(found.url)
    // Two addresses that lead to one page: /news and /newsroom.
    if (final !== key && this.#asked.has(final)) return null
    this.#asked.add(final)
    const page = toSitePage(found, kind)
    this.pages.push(page)
    await this.#onPage?.(page)
    return found
  }
}

function toSitePage(read: Read, kind: SitePageKind): SitePage {
  const { url, etag, last_modified, content_hash, body_hash, line_hashes } = read
  const common = { url, etag, last_modified, content_hash, body_hash, line_hashes }
  if (read.type === 'page') return { ...common, kind, title: read.page.title, text: read.page.shown }
  const text = read.feed.items.map(({ title, text }) => title ?? cutText(text, 200)).join('\n')
  return { ...common, kind: 'feed', title: read.feed.title, text }
}
