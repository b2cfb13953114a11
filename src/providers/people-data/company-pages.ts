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

/** Limits the crawl of large directories with many pages. */
const MAX_PAGES = 40
/** The priority of a page about one person: after all pages that list several. */
const PROFILE_PRIORITY = 4

/** People on the company's website: on its home page, and on pages about the team, the company, its contacts and one person. */
export const companyPages: PeopleSource = {
  name: 'company pages',
  own: true,
  isOn: ({ SOURCES }) => SOURCES.has('website'),
  async roster(deps, { domain }: CompanyRef): Promise<RosterResult> {
    if (!domain) return { outcome: 'nothing' }
    const walk = new PeopleCrawl(deps, domain)
    const failure = await walk.start()
    if (failure) return failure
    await walk.follow()
    const people = await parsePeoplePages(deps, domain, walk.shown)
    if (people instanceof LimitExceeded) return failedResult(people.reason)
    // A team page that failed may list people, so the result is a failure and not empty.
    const roster = rosterResult(people, people.size === 0 ? walk.failures[0] : undefined)
    return roster.outcome === 'items' && walk.isComplete ? { ...roster, pages: walk.pages } : roster
  },
}

/** Parses the people on pages of one site, each person once. */
export function parsePeoplePages(deps: ProviderDeps, domain: string, pages: PeoplePage[]) {
  const task = { pages, today: isoDate(deps.now()) }
  return deps.parserPool.run('mentions', task, { from: `roster ${domain}`, signal: deps.signal })
}

class PeopleCrawl {
  /** The list has a person's title; the profile page, which is read later, adds contact details. */
  readonly shown: PeoplePage[] = []
  readonly failures: string[] = []
  /** Canonical URLs of the pages read. */
  readonly pages: string[] = []
  #isMissing = false
  #people = 0
  readonly #deps: ProviderDeps
  readonly #domain: string
  readonly #requested = new Set<string>()
  readonly #waiting: { url: string; weight: number }[] = []
  #site: string | null
  #left: number

  constructor(deps: ProviderDeps, domain: string) {
    this.#deps = deps
    this.#domain = domain
    this.#site = registrableDomain(domain)
    this.#left = Math.min(deps.config.CRAWL_MAX_PAGES, MAX_PAGES)
  }

  /** Reads the home page; returns the failure, if any. */
  async start(): Promise<Exclude<SourceResult<never>, { outcome: 'items' }> | null> {
    let isGone = false
    let reason = 'The site could not be read.'
    for (const url of [`https://${this.#domain}/`, `https://www.${this.#domain}/`]) {
      const found = await fetchPage(this.#deps, url)
      if (found.outcome === 'read' && found.type === 'page') {
        const site = registrableDomain(found.url)
        // A renamed company redirects to its new home page; a company without a site redirects to a page on another
        // company's site.
        if (site !== this.#site && !/^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(new URL(found.url).pathname)) {
          return { outcome: 'nothing' }
        }
        this.#site = site
        this.#requested.add(canonicalUrl(found.url))
        this.#take(found.page, found.url)
        return null
      }
      if (found.outcome === 'gone') isGone = true
      if (found.outcome === 'failed') reason = found.reason
    }
    return isGone ? { outcome: 'nothing' } : { outcome: 'failed', reason }
  }

  /** Every page that may list people was read, so a person on none of them is not listed any more. */
  get isComplete(): boolean {
    const isLeft = this.#waiting.some(({ weight }) => weight < PROFILE_PRIORITY)
    return !this.#isMissing && !isLeft && this.#people <= MAX_MENTIONS
  }

  /** Reads the pages linked from those read so far: lists of people before profiles. */
  async follow(): Promise<void> {
    while (this.#waiting.length > 0 && this.#left > 0) {
      this.#waiting.sort((a, b) => a.weight - b.weight)
      const { url, weight } = this.#waiting.shift() as { url: string; weight: number }
      this.#left--
      const found = await fetchPage(this.#deps, url)
      if (found.outcome === 'failed') {
        this.failures.push(found.reason)
        if (weight < PROFILE_PRIORITY) this.#isMissing = true
      }
      if (found.outcome !== 'read' || found.type !== 'page') continue
      this.#requested.add(canonicalUrl(found.url))
      this.#take(found.page, found.url)
    }
  }

  #take({ people, links, people_links }: ReadPage, url: string): void {
    this.pages.push(canonicalUrl(url))
    if (this.#people < MAX_MENTIONS) this.shown.push({ url, people })
    this.#people += people.size
    for (const team of links.team) this.#queue(team, 1)
    if (people_links.next && people.size > 0) this.#queue(people_links.next, 2)
    for (const page of [...links.about, ...links.contact, ...links.imprint]) this.#queue(page, 3)
    for (const profile of people_links.profiles) this.#queue(profile, PROFILE_PRIORITY)
  }

  #queue(address: string, weight: number): void {
    const url = address.replace(/^http:/, 'https:')
    const key = canonicalUrl(url)
    if (this.#requested.has(key) || registrableDomain(url) !== this.#site) return
    this.#requested.add(key)
    this.#waiting.push({ url, weight })
  }
}
