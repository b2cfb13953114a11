import { isoDate } from '../../days.ts'
import { canonicalUrl } from '../../engine/content/index.ts'
import { siteOf } from '../../engine/content/site.ts'
import { mergeMentions, type PagePerson, readFormerTitle, type WebPage } from '../../engine/page/index.ts'
import { countryOfLocation } from '../countries.ts'
import {
  type CompanyRef,
  type Found,
  type FoundPerson,
  type FoundRoster,
  items,
  type PeopleSource,
  type ProviderDeps,
} from '../types.ts'
import { fetchPage } from '../web/fetch-page.ts'

/** A directory of a large firm goes over many pages, but a crawl has an end. */
const MAX_PAGES = 40
/** People that a site shows, on all its pages. */
const MAX_MENTIONS = 10_000

/** How soon a page about one person is read: after all that list several. */
const OF_ONE = 4

/** What the company itself says about who works there: its home page, team and about pages, and their people's own pages. */
export const companyPages: PeopleSource = {
  name: 'company pages',
  own: true,
  isOn: ({ SOURCES }) => SOURCES.has('website'),
  async roster(deps, { domain }: CompanyRef): Promise<FoundRoster> {
    if (!domain) return { outcome: 'nothing' }
    const walk = new Walk(deps, domain)
    const failure = await walk.start()
    if (failure) return failure
    await walk.follow()
    const people = mergeMentions(walk.mentions).map((mention) => ({
      ...toFound(mention, isoDate(deps.now())),
      shown_url: canonicalUrl(mention.url),
    }))
    // A team page that failed may hold everybody: then nobody can say that there is nobody.
    if (people.length === 0 && walk.failures.length > 0) {
      return { outcome: 'failed', reason: walk.failures[0] as string }
    }
    return walk.isComplete ? { ...items(people), pages: walk.pages } : items(people)
  },
}

class Walk {
  /** The list says what somebody is; their own page, read later, adds how to reach them. */
  readonly mentions: Mention[] = []
  readonly failures: string[] = []
  /** What was read. */
  readonly pages: string[] = []
  #isMissing = false
  readonly #deps: ProviderDeps
  readonly #domain: string
  readonly #asked = new Set<string>()
  readonly #waiting: { url: string; weight: number }[] = []
  #site: string | null
  #left: number

  constructor(deps: ProviderDeps, domain: string) {
    this.#deps = deps
    this.#domain = domain
    this.#site = siteOf(domain)
    this.#left = Math.min(deps.config.CRAWL_MAX_PAGES, MAX_PAGES)
  }

  /** Reads the home page; answers how that failed. */
  async start(): Promise<Exclude<Found<never>, { outcome: 'items' }> | null> {
    let isGone = false
    let reason = 'The site could not be read.'
    for (const url of [`https://${this.#domain}/`, `https://www.${this.#domain}/`]) {
      const found = await fetchPage(this.#deps, url)
      if (found.outcome === 'read' && found.type === 'page') {
        const site = siteOf(found.url)
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
    return !this.#isMissing && !isLeft && this.mentions.length < MAX_MENTIONS
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

  #take({ people, links, people_links }: WebPage, url: string): void {
    this.pages.push(canonicalUrl(url))
    for (const person of people.slice(0, MAX_MENTIONS - this.mentions.length)) {
      this.mentions.push({ ...person, ...seenOn(person, url) })
    }
    for (const team of links.team) this.#queue(team, 1)
    if (people_links.next && people.length > 0) this.#queue(people_links.next, 2)
    for (const about of links.about) this.#queue(about, 3)
    for (const profile of people_links.profiles) this.#queue(profile, OF_ONE)
  }

  #queue(address: string, weight: number): void {
    const url = address.replace(/^http:/, 'https:')
    const key = canonicalUrl(url)
    if (this.#asked.has(key) || siteOf(url) !== this.#site) return
    this.#asked.add(key)
    this.#waiting.push({ url, weight })
  }
}

export type Mention = PagePerson & { url: string; email_url?: string }

export function seenOn({ email }: PagePerson, url: string) {
  return email ? { url, email_url: url } : { url }
}

export function toFound(mention: Mention, today: string): FoundPerson {
  const { full_name, title, network_url, email, phone, image, headline, location, url, email_url } = mention
  const country = countryOfLocation(location ?? null)
  const former = readFormerTitle(title)
  return {
    full_name,
    ...(headline ? { headline } : {}),
    ...(location ? { location } : {}),
    ...(country ? { country_code: country } : {}),
    // Where somebody came from is no title here.
    ...(former && !former.title ? { headline: title } : { title: former?.title ?? title }),
    url: email_url ?? url,
    ...(network_url ? { network_url } : {}),
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
    ...(image ? { profile_picture_url: image } : {}),
    // The page does not say since when; it says so today. Any mention in office would have replaced this title.
    ...(former?.title ? { left_on: today } : {}),
  }
}
