import { canonicalUrl } from '../../engine/content/index.ts'
import { cutText } from '../../engine/text/storable.ts'
import { registrableDomain } from '../../engine/text/web-address.ts'
import type { ProviderDeps } from '../types.ts'
import { type FetchedContent, fetchPage, type PageFetchOptions, type PageFetchResult } from './fetch-page.ts'
import type { CrawlFailure } from './sitemaps.ts'

export type SitePageKind =
  | 'home'
  | 'about'
  | 'team'
  | 'careers'
  | 'press'
  | 'blog'
  | 'pricing'
  | 'imprint'
  | 'terms'
  | 'feed'
  | 'article'

/** A page of a company's site. */
export type SitePage = {
  url: string
  kind: SitePageKind
  etag: string | null
  last_modified: string | null
  content_hash: string
  body_hash: string | null
  /** Hashes of each line and article, so that a later fetch can determine what is new. */
  line_hashes: string[]
  title: string | null
  text: string
}

/** Called with each page after it was read. */
export type PageListener = (page: SitePage) => Promise<void>

/** `/`, or a language root: `/en`, `/pt-br/`. */
export function isHomePageUrl(url: string): boolean {
  return /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(new URL(url).pathname)
}

/** Reads the pages of a site within a page budget, each URL once, and collects the failures. */
export class SiteCrawler {
  readonly pages: SitePage[] = []
  readonly failures: CrawlFailure[] = []
  readonly #deps: ProviderDeps
  readonly #domains: Set<string>
  readonly #options: PageFetchOptions
  readonly #onPage: PageListener | undefined
  readonly #requested = new Set<string>()
  #budget: number

  constructor(deps: ProviderDeps, domain: string, maxPages: number, options: PageFetchOptions, onPage?: PageListener) {
    this.#deps = deps
    this.#domains = new Set([registrableDomain(domain) ?? domain])
    this.#budget = maxPages
    this.#options = options
    this.#onPage = onPage
  }

  get left(): number {
    return this.#budget
  }

  /** The registrable domains of the site. */
  get domains(): string[] {
    return [...this.#domains]
  }

  isOwn = (url: string): boolean => this.#domains.has(registrableDomain(url) ?? '')

  /** A company that moved to another domain keeps its pages there. */
  addDomainOf(url: string): void {
    const domain = registrableDomain(url)
    if (domain) this.#domains.add(domain)
  }

  /**
   * A renamed company redirects to its new home page; a company without a site redirects to a page on another company's
   * site.
   */
  addHomeDomain(url: string): void {
    if (isHomePageUrl(url)) this.addDomainOf(url)
  }

  hasRequested(url: string): boolean {
    return this.#requested.has(canonicalUrl(url))
  }

  /** Reads a page; null when it was read before, when the budget is used up, or when it could not be read. */
  async read(address: string, kind: SitePageKind): Promise<FetchedContent | null> {
    const found = await this.fetchAt(address, kind)
    if (found?.outcome === 'read') return found
    if (found && found.outcome !== 'unchanged') this.failures.push({ url: address, reason: found.reason })
    return null
  }

  async fetchAt(address: string, kind: SitePageKind): Promise<PageFetchResult | null> {
    // Old feeds still contain http URLs; sites are read over https only.
    const url = address.replace(/^http:/, 'https:')
    const key = canonicalUrl(url)
    if (this.#requested.has(key) || this.#budget <= 0) return null
    this.#requested.add(key)
    this.#budget--
    const found = await fetchPage(this.#deps, url, null, this.#options)
    if (found.outcome !== 'read') return found
    const final = canonicalUrl(found.url)
    // Two URLs that redirect to the same page: /news and /newsroom.
    if (final !== key && this.#requested.has(final)) return null
    this.#requested.add(final)
    const page = toSitePage(found, kind)
    this.pages.push(page)
    await this.#onPage?.(page)
    return found
  }
}

function toSitePage(read: FetchedContent, kind: SitePageKind): SitePage {
  const { url, etag, last_modified, content_hash, body_hash, line_hashes } = read
  const common = { url, etag, last_modified, content_hash, body_hash, line_hashes }
  if (read.type === 'page') return { ...common, kind, title: read.page.title, text: read.page.shown }
  const text = read.feed.items.map(({ title, text }) => title ?? cutText(text, 200)).join('\n')
  return { ...common, kind: 'feed', title: read.feed.title, text }
}
