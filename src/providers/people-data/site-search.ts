import { canonicalUrl } from '../../engine/content/index.ts'
import { isArticleUrl } from '../../engine/page/article-links.ts'
import { documentPublication, type ReadPage } from '../../engine/page/index.ts'
import type { FoundPerson } from '../../engine/roster/types.ts'
import { cutText } from '../../engine/text/storable.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { titleWords } from '../../engine/titles/words.ts'
import { parseBatches, yieldToEventLoop } from '../../shared/event-loop.ts'
import { type ProviderDeps, type RoleQuery, type RoleSource, rosterResult } from '../types.ts'
import type { FetchedContent } from '../web/fetch-page.ts'
import { SiteCrawler, type SitePageKind } from '../web/site.ts'
import { fetchSitemaps } from '../web/sitemaps.ts'
import { fetchHomePage } from '../web/survey.ts'
import { companyPages, parsePeoplePages } from './company-pages.ts'
import { type DatedText, findPeopleInTexts } from './people-in-texts.ts'

/** Pages with a promising URL or headline read in one search. */
const MAX_PAGES = 8
const MAX_PRESS_PAGES = 2
/** URLs that are rated; sitemaps of a shop contain hundreds of thousands, and files of pages and news come first. */
const MAX_RATED = 20_000
/** A text mentions the people it is about at its beginning. */
const MAX_TEXT_CHARS = 20_000
/** Both hosts of the home page, press pages, and the pages with promising URLs. */
const BUDGET = 2 + MAX_PRESS_PAGES + MAX_PAGES
const PEOPLE_PAGE =
  /^(?:team|teams|leadership|management|executives?|executive-(?:team|leadership)|board|directors|officers|people|staff|founders|governance|leitung|vorstand|equipe|equipo|our-(?:team|people|leadership)|(?:leadership|management)-team|board-of-directors|geschaeftsfuehrung|ansprechpartner)$/
const APPOINTMENT =
  /^(?:appoint\w{0,5}|names?|named|joins?|hires?|hired|welcomes?|promot\w{1,4}|elevates?|succeeds?|new|taps)$/
const FILE_ENDING = /\.(?:pdf|zip|jpe?g|png|gif|svg|webp|mp[34]|css|js|xml|json|ics|vcf|docx?|pptx?|xlsx?)$/
/** Words in many titles, which do not identify a role. */
const COMMON_WORDS = new Set(
  'chief officer head director manager vp svp president senior lead vice executive'.split(' '),
)

/**
 * Finds people with a role on the company's website: on people pages and news whose URL or headline mentions the role,
 * found in sitemaps and press pages. Pages that the roster reads are skipped.
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
    const { pages, failures } = await fetchSitemaps(deps, new URL(url).origin, site, {
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
    const cards = await findPeopleCards(deps, company.domain, read, role)
    const unread = cards instanceof LimitExceeded ? [cards.reason] : []
    const people = [...(cards instanceof LimitExceeded ? [] : cards), ...named.people]
    // A page that could not be read may mention a person.
    const failed = [...failures.map((failure) => failure.reason), ...reasons, ...unread, ...named.reasons]
    return rosterResult(people, [...press.reasons, ...failed][0])
  },
}

/** The pages that could be read, and the failure reasons of others; a missing page is no failure. */
async function fetchAll(site: SiteCrawler, urls: readonly string[], kind: SitePageKind) {
  const found = await Promise.all(urls.map((url) => site.fetchAt(url, kind)))
  return {
    read: found.filter((one) => one?.outcome === 'read'),
    reasons: found.flatMap((one) => (one?.outcome === 'failed' ? [one.reason] : [])),
  }
}

const pageOf = (read: FetchedContent): ReadPage | null => (read.type === 'page' ? read.page : null)

/** URLs that mention the role or people, the best match first. */
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
    // An image or a PDF is no page, and would count as a failure.
    if (FILE_ENDING.test(last)) return 0
    return PEOPLE_PAGE.test(last.replace(/\.\w{2,5}$/, '')) ? 6 : isNamed ? 3 : 0
  }
  const isNear = [...role.words].some((word) => !COMMON_WORDS.has(word) && words.has(word))
  const isAppointment = [...words].some((word) => APPOINTMENT.test(word))
  return (isNamed ? 5 : 0) + (isNear ? 2 : 0) + (isAppointment ? 2 : 0)
}

/** People in profile cards on pages; articles are skipped because they also show people of other companies. */
async function findPeopleCards(
  deps: ProviderDeps,
  domain: string,
  reads: readonly FetchedContent[],
  { fits }: RoleQuery,
) {
  const pages = reads.flatMap((read) => {
    const page = isArticleUrl(new URL(read.url)) ? null : pageOf(read)
    return page ? [{ url: read.url, people: page.people }] : []
  })
  const shown = await parsePeoplePages(deps, domain, pages)
  if (shown instanceof LimitExceeded) return shown
  const fitting: FoundPerson[] = []
  for await (const batch of parseBatches(shown)) {
    // The roster does not read these pages again, so they cannot prove a departure.
    for (const { shown_url: _, ...person } of batch)
      if (person.title && !person.left_on && fits(person.title)) fitting.push(person)
  }
  return fitting
}

/** Only dated news counts; people pages are covered by their cards. */
function textsOf(reads: readonly FetchedContent[]): DatedText[] {
  return reads.flatMap((read) => {
    const page = pageOf(read)
    const { published_date = null } = page ? documentPublication(page) : {}
    if (!page || !published_date) return []
    const text = cutText(page.text, MAX_TEXT_CHARS)
    return [{ title: page.title, text, own: false, url: read.url, published_date }]
  })
}
