import { canonicalUrl } from '../../engine/content/index.ts'
import type { ReadPage } from '../../engine/page/index.ts'
import { MAX_MENTIONS, type PeoplePage } from '../../engine/roster/people-pages.ts'
import { registrableDomain } from '../../engine/text/web-address.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { isoDate } from '../../shared/days.ts'
import { failedResult } from '../request.ts'
import {
  type CompanyRef,
  type PeopleSource,
  type ProviderDeps,
  type RosterResult,
  rosterResult,
  type SourceResult,
} from '../types.ts'
import { fetchPage } from '../web/fetch-page.ts'

/** A directory of a large firm goes over many pages, but a crawl has an end. */
const MAX_PAGES = 40
/** How soon a page about one person is read: after all that list several. */
const OF_ONE = 4

/** What the company itself says about who works there: its home page, team and about pages, and their people's own pages. */
export const companyPages: PeopleSource = {
  name: 'company pages',
  own: true,
  isOn: ({ SOURCES }) => SOURCES.has('website'),
  async roster(deps, { domain }: CompanyRef): Promise<RosterResult> {
    if (!domain) return { outcome: 'nothing' }
    const walk = new Walk(deps, domain)
    const failure = await walk.start()
    if (failure) return failure
    await walk.follow()
    const people = await parsePeoplePages(deps, domain, walk.shown)
    if (people instanceof LimitExceeded) return failedResult(people.reason)
    // A team page that failed may hold everybody: then nobody can say that there is nobody.
    const roster = rosterResult(people, people.size === 0 ? walk.failures[0] : undefined)
    return roster.outcome === 'items' && walk.isComplete ? { ...roster, pages: walk.pages } : roster
  },
}

/** Everybody whom pages of one site show, each once. */
export function parsePeoplePages(deps: ProviderDeps, domain: string, pages: PeoplePage[]) {
  const task = { pages, today: isoDate(deps.now()) }
  return deps.parserPool.run('mentions', task, { from: `roster ${domain}`, signal: deps.signal })
}

class Walk {
  /** The list says what somebody is; their own page, read later, adds how to reach them. */
  readonly shown: PeoplePage[] = []
  readonly failures: string[] = []
  /** What was read. */
  readonly pages: string[] = []
  #isMissing = false
  #people = 0
  readonly #deps: ProviderDeps
  readonly #domain: string
  readonly #asked = new Set<string>()
  readonly #waiting: { url: string; weight: number }[] = []
  #site: string | null
  #left: number

  constructor(deps: ProviderDeps, domain: string) {
    this.#deps = deps
    this.#domain = domain
    this.#site = registrableDomain(domain)
    this.#left = Math.min(deps.config.CRAWL_MAX_PAGES, MAX_PAGES)
  }

  /** Reads the home page; answers how that failed. */
  async start(): Promise<Exclude<SourceResult<never>, { outcome: 'items' }> | null> {
    let isGone = false
    let reason = 'The site could not be read.'
    for (const url of [`https://${this.#domain}/`, `https://www.${this.#domain}/`]) {
      const found = await fetchPage(this.#deps, url)
      if (found.outcome === 'read' && found.type === 'page') {
        const site = registrableDomain(found.url)
        // A company that was renamed redirects to its new home; one without a site to its page on another's.
        if (site !== this.#site && !/^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(new URL(found.url).pathname)) {
          return { outcome: 'nothing' }
        }
        this.#site = site
        this.#asked.add(canonicalUrl(found.url))
        this.#take(found.page, found.url)
        return null
      }
      if (found.outcome === 'gone') isGone = true
      if (found.outcome === 'failed') reason = found.reason
    }
    return isGone ? { outcome: 'nothing' } : { outcome: 'failed', reason }
  }

  /** Every page that may list people was read, so that whoever is on none of them is not listed. */
  get isComplete(): boolean {
    const isLeft = this.#waiting.some(({ weight }) => weight < OF_ONE)
    return !this.#isMissing && !isLeft && this.#people <= MAX_MENTIONS
  }

  /** Reads what the pages read so far lead to: lists of people before pages about one of them. */
  async follow(): Promise<void> {
    while (this.#waiting.length > 0 && this.#left > 0) {
      this.#waiting.sort((a, b) => a.weight - b.weight)
      const { url, weight } = this.#waiting.shift() as { url: string; weight: number }
      this.#left--
      const found = await fetchPage(this.#deps, url)
      if (found.outcome === 'failed') {
        this.failures.push(found.reason)
        if (weight < OF_ONE) this.#isMissing = true
      }
      if (found.outcome !== 'read' || found.type !== 'page') continue
      this.#asked.add(canonicalUrl(found.url))
      this.#take(found.page, found.url)
    }
  }

  #take({ people, links, people_links }: ReadPage, url: string): void {
    this.pages.push(canonicalUrl(url))
    if (this.#people < MAX_MENTIONS) this.shown.push({ url, people })
    this.#people += people.size
    for (const team of links.team) this.#queue(team, 1)
    if (people_links.next && people.size > 0) this.#queue(people_links.next, 2)
    for (const about of links.about) this.#queue(about, 3)
    for (const profile of people_links.profiles) this.#queue(profile, OF_ONE)
  }

  #queue(address: string, weight: number): void {
    const url = address.replace(/^http:/, 'https:')
    const key = canonicalUrl(url)
    if (this.#asked.has(key) || registrableDomain(url) !== this.#site) return
    this.#asked.add(key)
    this.#waiting.push({ url, weight })
  }
}
