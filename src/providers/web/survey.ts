import { canonicalUrl } from '../../engine/content/index.ts'
import type { Opening, Organization, PageLinks, ReadPage } from '../../engine/page/index.ts'
import type { ServiceLinks } from '../../engine/page/service-links.ts'
import { excludeOwnProducts, type TechnologySnapshot } from '../../engine/technologies/index.ts'
import type { FoundDocument, ProviderDeps } from '../types.ts'
import { type ArticleCandidate, articleCandidate, mergeArticleCandidates, readArticles } from './articles.ts'
import type { FetchedContent, PageFetchOptions } from './fetch-page.ts'
import { type PageListener, SiteCrawler, type SitePage, type SitePageKind } from './site.ts'
import { type CrawlFailure, findSitemapArticles } from './sitemaps.ts'

type JobBoard = PageLinks['job_boards'][number]

/** The content of a company's site. `failures` are the pages that could not be read. */
export type SiteSurvey =
  | {
      outcome: 'items'
      /** The registrable domains of the company: the requested one and the one its home page redirects to. */
      domains: string[]
      pages: SitePage[]
      documents: FoundDocument[]
      organization: Organization | null
      job_boards: JobBoard[]
      /** Open positions listed on the site itself, by page. */
      openings: { url: string; openings: Opening[] }[]
      feeds: string[]
      /** The technologies detected on each page. */
      technologies: TechnologySnapshot[]
      failures: CrawlFailure[]
    }
  | { outcome: 'nothing'; failures: CrawlFailure[] }
  | { outcome: 'failed'; reason: string; failures: CrawlFailure[] }

export type SurveyOptions = PageFetchOptions & {
  /** Articles published before this day, `YYYY-MM-DD`, are not read. */
  since: string
  maxPages: number
  onPage?: PageListener
  /**
   * Called with each article, and each job board with the page that links it, as soon as it is found; the survey contains
   * all of them.
   */
  onDocument?: (document: FoundDocument) => void
  onBoard?: (board: JobBoard, pageUrl: string) => void
  /** Called once, after the main pages are read, with the links to GitHub and status pages. */
  onServices?: (links: ServiceLinks) => void
}

/** How many pages of each kind to read. */
const PAGES_BY_KIND: readonly (readonly [SitePageKind & keyof PageLinks, number])[] = [
  ['press', 2],
  ['about', 1],
  ['team', 2],
  ['careers', 1],
  ['imprint', 1],
  ['terms', 1],
  ['blog', 1],
  ['pricing', 1],
]
const MAX_FEEDS = 3
/** With this many dated articles from feeds, the sitemaps are not read. */
const ENOUGH_ARTICLES = 20

/**
 * Reads a company's site: the home page, the pages about the company, the feeds, and articles published since a day.
 * Throws only when the caller's signal aborts.
 */
export async function surveySite(deps: ProviderDeps, domain: string, options: SurveyOptions): Promise<SiteSurvey> {
  const { since, maxPages, onPage, onDocument, onBoard, onServices, ...fetchOptions } = options
  const site = new SiteCrawler(deps, domain, Math.max(2, maxPages), fetchOptions, onPage)
  const home = await fetchHomePage(site, domain)
  if (home.outcome === 'failed') return { ...home, failures: site.failures }
  const start = home.outcome === 'items' ? home.read : null
  const reader = new PageCollector(site, domain, onBoard)
  if (start) {
    reader.take(start, start.url, 'home')
    // Twice, because a team page is often linked only from the about page.
    await reader.follow()
    await reader.follow()
    onServices?.(reader.services)
  }
  const known = await mergeArticleCandidates(reader.lists, since)
  if (known.filter(({ published_date }) => published_date).length < ENOUGH_ARTICLES) {
    const origin = new URL(start?.url ?? `https://${domain}/`).origin
    const { articles, failures } = await findSitemapArticles(deps, origin, since, site, fetchOptions)
    site.failures.push(...failures)
    reader.lists.push(articles.map(({ url, title, published_date }) => ({ url, title, published_date, text: '' })))
  }
  const documents = await readArticles(site, await mergeArticleCandidates(reader.lists, since), since, onDocument)
  if (site.pages.length === 0 && documents.length === 0) return { outcome: 'nothing', failures: site.failures }
  return {
    outcome: 'items',
    domains: site.domains,
    pages: site.pages,
    documents,
    organization: reader.organization,
    job_boards: reader.boards,
    openings: reader.openings,
    feeds: reader.feeds,
    technologies: reader.technologies,
    failures: site.failures,
  }
}

type Home = { outcome: 'items'; read: FetchedContent } | { outcome: 'nothing' } | { outcome: 'failed'; reason: string }

/** The home page, at the bare domain or at `www.`. */
export async function fetchHomePage(site: SiteCrawler, domain: string): Promise<Home> {
  let isGone = false
  let reason: string | null = null
  for (const url of [`https://${domain}/`, `https://www.${domain}/`]) {
    const found = await site.fetchAt(url, 'home')
    if (found?.outcome === 'read') {
      site.addHomeDomain(found.url)
      return { outcome: 'items', read: found }
    }
    if (found?.outcome === 'gone') isGone = true
    else if (found?.outcome === 'failed') reason ??= found.reason
  }
  // The site has no home page only if both hosts respond that there is none; a failed one might have it.
  if (isGone && reason === null) return { outcome: 'nothing' }
  return { outcome: 'failed', reason: reason ?? 'The site could not be read.' }
}

/** Collects the contents and the links of pages. */
class PageCollector {
  organization: Organization | null = null
  readonly boards: JobBoard[] = []
  readonly openings: { url: string; openings: Opening[] }[] = []
  readonly feeds: string[] = []
  readonly lists: ArticleCandidate[][] = []
  readonly technologies: TechnologySnapshot[] = []
  readonly services: ServiceLinks = { github: [], status_pages: [] }
  readonly #site: SiteCrawler
  readonly #domain: string
  readonly #onBoard: SurveyOptions['onBoard']
  readonly #pages: ReadPage[] = []
  readonly #read = new Map<SitePageKind, number>()

  constructor(site: SiteCrawler, domain: string, onBoard: SurveyOptions['onBoard']) {
    this.#site = site
    this.#domain = domain
    this.#onBoard = onBoard
  }

  take(read: FetchedContent, address: string, kind: SitePageKind): void {
    if (read.type === 'feed') {
      this.feeds.push(read.url)
      this.lists.push(read.feed.items.flatMap((item) => articleCandidate(item, address)))
      return
    }
    const { page } = read
    this.#pages.push(page)
    if (page.openings.length > 0) this.openings.push({ url: read.url, openings: page.openings })
    // An organization without a URL has little more than a name; a later one replaces it.
    if (page.organization && !this.organization?.url) this.organization = page.organization
    this.lists.push(page.articles.map(({ url, title }) => ({ url, title, published_date: null, text: '' })))
    // News is also about other companies, whose boards it may link.
    const isNews = kind === 'press' || kind === 'blog'
    for (const board of isNews ? [] : page.links.job_boards) {
      if (this.boards.some(({ vendor, token }) => vendor === board.vendor && token === board.token)) continue
      this.boards.push(board)
      this.#onBoard?.(board, read.url)
    }
    // Pages on other sites show the technologies and links of their owners.
    if (this.#site.isOwn(read.url)) this.#takeOwn(read.url, page)
  }

  #takeOwn(url: string, { technologies, service_links: { github, status_pages } }: ReadPage): void {
    this.technologies.push({ place: canonicalUrl(url), url, seen: excludeOwnProducts(technologies, this.#domain) })
    const { services } = this
    for (const link of github) {
      const known = services.github.find(
        ({ organisation }) => organisation.toLowerCase() === link.organisation.toLowerCase(),
      )
      if (!known) services.github.push(link)
      else known.isOrganisation ||= link.isOrganisation
    }
    services.status_pages.push(...status_pages.filter((origin) => !services.status_pages.includes(origin)))
  }

  /** Reads the pages that the pages read so far link to. */
  async follow(): Promise<void> {
    const next: { url: string; kind: SitePageKind }[] = []
    const add = (urls: string[], kind: SitePageKind, wanted: number) => {
      for (const url of urls) {
        const count = this.#read.get(kind) ?? 0
        if (count >= wanted) return
        if (!this.#site.isOwn(url) || this.#site.hasRequested(url) || next.some((known) => known.url === url)) continue
        this.#read.set(kind, count + 1)
        next.push({ url, kind })
      }
    }
    const links = (kind: keyof PageLinks) => this.#pages.flatMap((page) => page.links[kind] as string[])
    add(links('feeds'), 'feed', MAX_FEEDS)
    for (const [kind, wanted] of PAGES_BY_KIND) add(links(kind), kind, wanted)
    await Promise.all(
      next.map(async ({ url, kind }) => {
        const read = await this.#site.read(url, kind)
        if (read) this.take(read, read.url, kind)
      }),
    )
  }
}
