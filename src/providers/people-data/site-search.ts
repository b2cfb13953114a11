import { canonicalUrl } from '../../engine/content/index.ts'
import type { SitemapEntry } from '../../engine/feed/sitemap.ts'
import { isArticleUrl } from '../../engine/page/article-links.ts'
import { documentPublication, type ReadPage } from '../../engine/page/index.ts'
import type { FoundPerson } from '../../engine/roster/types.ts'
import { cutText } from '../../engine/text/storable.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { titleWords } from '../../engine/titles/words.ts'
import { externalBatches, yieldToEventLoop } from '../../shared/event-loop.ts'
import { type ProviderDeps, type RoleQuery, type RoleSource, rosterResult } from '../types.ts'
import type { FetchedContent } from '../web/fetch-page.ts'
import { SiteCrawler, type SitePageKind } from '../web/site.ts'
import { fetchSitemaps } from '../web/sitemaps.ts'
import { fetchHomePage } from '../web/survey.ts'
import { companyPages, parsePeoplePages } from './company-pages.ts'
import { type DatedText, findPeopleInTexts } from './people-in-texts.ts'

/** Pages with a promising address or headline that one search reads. */
const MAX_PAGES = 8
const MAX_PRESS_PAGES = 2
/** Addresses that are rated; sitemaps of a shop hold hundreds of thousands, and those of pages and news come first. */
const MAX_RATED = 20_000
/** Whom a text is about it names early. */
const MAX_TEXT_CHARS = 20_000
/** Both names of the home page, lists of news, and those. */
const BUDGET = 2 + MAX_PRESS_PAGES + MAX_PAGES
const PEOPLE_PAGE =
  /^(?:team|teams|leadership|management|executives?|executive-(?:team|leadership)|board|directors|officers|people|staff|founders|governance|leitung|vorstand|equipe|equipo|our-(?:team|people|leadership)|(?:leadership|management)-team|board-of-directors|geschaeftsfuehrung|ansprechpartner)$/
const APPOINTMENT =
  /^(?:appoint\w{0,5}|names?|named|joins?|hires?|hired|welcomes?|promot\w{1,4}|elevates?|succeeds?|new|taps)$/
const FILE_ENDING = /\.(?:pdf|zip|jpe?g|png|gif|svg|webp|mp[34]|css|js|xml|json|ics|vcf|docx?|pptx?|xlsx?)$/
/** Words of many titles, which tell no role by themselves. */
const COMMON = new Set('chief officer head director manager vp svp president senior lead vice executive'.split(' '))

/**
 * Looks for a role on the company's own site: pages of people and news whose address or headline speaks of it, found in
 * the sitemaps and the lists of news. What the roster reads anyway is not read again.
 */
export const siteSearch: RoleSource = {
  name: companyPages.name,
  own: true,
  isOn: ({ SOURCES }) => SOURCES.has('website'),
  async find(deps, company, role) {
    if (!company.domain) return { outcome: 'nothing' }
    const site = new SiteCrawler(deps, company.domain, BUDGET, {})
    const home = await fetchHomePage(site, company.domain)
    if (home.outcome !== 'items') return home
    if (home.read.type !== 'page') return { outcome: 'nothing' }
    const { page, url } = home.read
    const press = await fetchAll(site, page.links.press.slice(0, MAX_PRESS_PAGES), 'press')
    const { pages, failures } = await fetchSitemaps(deps, new URL(url).origin, site, promisingFiles, {
      since: null,
      most: MAX_RATED,
    })
    const listed = [page, ...press.read.flatMap((read) => pageOf(read) ?? [])].flatMap(({ articles }) => articles)
    const known = new Set([...page.links.team, ...page.links.about, ...page.people_links.profiles].map(canonicalUrl))
    const chosen = (await choose([...listed, ...pages], role))
      .values()
      .filter((one) => site.isOwn(one) && !known.has(canonicalUrl(one)))
      .take(MAX_PAGES)
    const { read, reasons } = await fetchAll(site, [...chosen], 'article')
    const named = await findPeopleInTexts(deps, textsOf(read), company, role)
    const cards = await cardsOn(deps, company.domain, read, role)
    const unread = cards instanceof LimitExceeded ? [cards.reason] : []
    const people = [...(cards instanceof LimitExceeded ? [] : cards), ...named.people]
    // What could not be read may have named somebody.
    const failed = [...failures.map((failure) => failure.reason), ...reasons, ...unread, ...named.reasons]
    return rosterResult(people, [...press.reasons, ...failed][0])
  },
}

/** Those of the pages that could be read, and why others could not; one that is not there holds nobody. */
async function fetchAll(site: SiteCrawler, urls: readonly string[], kind: SitePageKind) {
  const found = await Promise.all(urls.map((url) => site.fetchAt(url, kind)))
  return {
    read: found.filter((one) => one?.outcome === 'read'),
    reasons: found.flatMap((one) => (one?.outcome === 'failed' ? [one.reason] : [])),
  }
}

const pageOf = (read: FetchedContent): ReadPage | null => (read.type === 'page' ? read.page : null)

/** Files of an index of sitemaps: those of pages and of news before those of products. */
function promisingFiles(files: readonly SitemapEntry[]): string[] {
  const rank = ({ url }: SitemapEntry) => (/page|team|people|news|press|post/i.test(url) ? 0 : 1)
  return files.toSorted((a, b) => rank(a) - rank(b)).map(({ url }) => url)
}

/** Addresses that speak of the role, or of people, the likeliest first. */
async function choose(listed: readonly { url: string; title: string | null }[], role: RoleQuery): Promise<string[]> {
  const titles = role.titles.map((title) => titleWords(title).filter((word) => role.words.has(word)))
  const rated = new Map<string, number>()
  const turn = yieldToEventLoop()
  for (const { url, title } of listed.slice(0, MAX_RATED)) {
    await turn()
    const address = URL.parse(url)
    const score = address ? rate(address, title, role, titles) : 0
    if (score > 0) rated.set(url, Math.max(score, rated.get(url) ?? 0))
  }
  return [...rated].sort(([, a], [, b]) => b - a).map(([url]) => url)
}

function rate(url: URL, headline: string | null, role: RoleQuery, titles: readonly string[][]): number {
  const path = url.pathname.toLowerCase()
  const words = new Set([...path.split(/[^\p{L}\p{N}]+/u), ...titleWords(headline ?? '')])
  const isNamed = titles.some((title) => title.length > 0 && title.every((word) => words.has(word)))
  if (!isArticleUrl(url)) {
    const last = path.split('/').filter(Boolean).at(-1) ?? ''
    // A picture or a paper is no page, and would count as one that could not be read.
    if (FILE_ENDING.test(last)) return 0
    return PEOPLE_PAGE.test(last.replace(/\.\w{2,5}$/, '')) ? 6 : isNamed ? 3 : 0
  }
  const isNear = [...role.words].some((word) => !COMMON.has(word) && words.has(word))
  const isAppointment = [...words].some((word) => APPOINTMENT.test(word))
  return (isNamed ? 5 : 0) + (isNear ? 2 : 0) + (isAppointment ? 2 : 0)
}

/** People in the cards of pages; an article shows others than the company's own, too. */
async function cardsOn(deps: ProviderDeps, domain: string, reads: readonly FetchedContent[], { fits }: RoleQuery) {
  const pages = reads.flatMap((read) => {
    const page = isArticleUrl(new URL(read.url)) ? null : pageOf(read)
    return page ? [{ url: read.url, people: page.people }] : []
  })
  const shown = await parsePeoplePages(deps, domain, pages)
  if (shown instanceof LimitExceeded) return shown
  const fitting: FoundPerson[] = []
  for await (const batch of externalBatches(shown)) {
    // The roster does not read these pages again, so they tell nothing of who is gone.
    for (const { shown_url: _, ...person } of batch)
      if (person.title && !person.left_on && fits(person.title)) fitting.push(person)
  }
  return fitting
}

/** A page of people says who is there today; news of the last two years counts, undated ones do not. */
function textsOf(reads: readonly FetchedContent[]): DatedText[] {
  return reads.flatMap((read) => {
    const page = pageOf(read)
    const { published_date = null } = page ? documentPublication(page) : {}
    if (!page || !published_date) return []
    const text = cutText(page.text, MAX_TEXT_CHARS)
    return [{ title: page.title, text, own: false, url: read.url, published_date }]
  })
}
