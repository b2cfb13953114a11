import { isoDate } from '../../days.ts'
import type { SitemapEntry } from '../../engine/feed/sitemap.ts'
import { isArticleUrl } from '../../engine/page/article-links.ts'
import { mergeMentions, type WebPage } from '../../engine/page/index.ts'
import { titleWords } from '../../engine/titles/words.ts'
import { failed } from '../ask.ts'
import { items, type Role, type RoleSource } from '../types.ts'
import { canonicalUrl } from '../web/content.ts'
import type { Read } from '../web/fetch-page.ts'
import { type PageKind, Site } from '../web/site.ts'
import { readSitemaps } from '../web/sitemaps.ts'
import { readHome } from '../web/survey.ts'
import { companyPages, type Mention, seenOn, toFound } from './company-pages.ts'
import { type DatedText, peopleNamedIn } from './named.ts'

/** Pages with a promising address or headline that one search reads. */
const MAX_PAGES = 8
const MAX_PRESS_PAGES = 2
/** Both names of the home page, lists of news, and those. */
const BUDGET = 2 + MAX_PRESS_PAGES + MAX_PAGES
const PEOPLE_PAGE =
  /^(?:team|teams|leadership|management|executives?|executive-(?:team|leadership)|board|directors|officers|people|staff|founders|governance|leitung|vorstand|equipe|equipo|our-(?:team|people|leadership)|(?:leadership|management)-team|board-of-directors|geschaeftsfuehrung|ansprechpartner)$/
const APPOINTMENT =
  /^(?:appoint\w{0,5}|names?|named|joins?|hires?|hired|welcomes?|promot\w{1,4}|elevates?|succeeds?|new|taps)$/
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
    const site = new Site(deps, company.domain, BUDGET, {})
    const home = await readHome(site, company.domain)
    if (home.outcome !== 'items') return home
    if (home.read.type !== 'page') return { outcome: 'nothing' }
    const { page, url } = home.read
    const press = await fetchAll(site, page.links.press.slice(0, MAX_PRESS_PAGES), 'press')
    const { pages, failures } = await readSitemaps(deps, new URL(url).origin, site.isOwn, promisingFiles)
    const listed = [page, ...press.read.flatMap((read) => pageOf(read) ?? [])].flatMap(({ articles }) => articles)
    const known = new Set([...page.links.team, ...page.links.about, ...page.people_links.profiles].map(canonicalUrl))
    const chosen = choose([...listed, ...pages], role).filter((one) => site.isOwn(one) && !known.has(canonicalUrl(one)))
    const { read, reasons } = await fetchAll(site, chosen.slice(0, MAX_PAGES), 'article')
    const people = [
      ...cardsOn(read, role, isoDate(deps.now())),
      ...peopleNamedIn(textsOf(read), company, role, isoDate(deps.now())),
    ]
    // What could not be read may have named somebody.
    const [reason] = [...press.reasons, ...failures.map((failure) => failure.reason), ...reasons]
    if (reason === undefined) return items(people)
    return people.length > 0 ? { outcome: 'items', items: people, reason } : failed(reason)
  },
}

/** Those of the pages that could be read, and why others could not; one that is not there holds nobody. */
async function fetchAll(site: Site, urls: readonly string[], kind: PageKind) {
  const found = await Promise.all(urls.map((url) => site.fetchAt(url, kind)))
  return {
    read: found.filter((one) => one?.outcome === 'read'),
    reasons: found.flatMap((one) => (one?.outcome === 'failed' ? [one.reason] : [])),
  }
}

const pageOf = (read: Read): WebPage | null => (read.type === 'page' ? read.page : null)

/** Files of an index of sitemaps: those of pages and of news before those of products. */
function promisingFiles(files: readonly SitemapEntry[]): string[] {
  const rank = ({ url }: SitemapEntry) => (/page|team|people|news|press|post/i.test(url) ? 0 : 1)
  return files.toSorted((a, b) => rank(a) - rank(b)).map(({ url }) => url)
}

/** Addresses that speak of the role, or of people, the likeliest first. */
function choose(listed: readonly { url: string; title: string | null }[], role: Role): string[] {
  const titles = role.titles.map((title) => titleWords(title).filter((word) => role.words.has(word)))
  const rated = new Map<string, number>()
  for (const { url, title } of listed) {
    const score = rate(url, title, role, titles)
    if (score > 0) rated.set(url, Math.max(score, rated.get(url) ?? 0))
  }
  return [...rated].sort(([, a], [, b]) => b - a).map(([url]) => url)
}

function rate(url: string, headline: string | null, role: Role, titles: readonly string[][]): number {
  const path = URL.parse(url)?.pathname.toLowerCase() ?? ''
  const words = new Set([...path.split(/[^\p{L}\p{N}]+/u), ...titleWords(headline ?? '')])
  const isNamed = titles.some((title) => title.length > 0 && title.every((word) => words.has(word)))
  const isNear = [...role.words].some((word) => !COMMON.has(word) && words.has(word))
  const last =
    path
      .split('/')
      .filter(Boolean)
      .at(-1)
      ?.replace(/\.\w{2,5}$/, '') ?? ''
  const isAppointment = isArticleUrl(new URL(url)) && [...words].some((word) => APPOINTMENT.test(word))
  if (!isArticleUrl(new URL(url))) return PEOPLE_PAGE.test(last) ? 6 : isNamed ? 3 : 0
  return (isNamed ? 5 : 0) + (isNear ? 2 : 0) + (isAppointment ? 2 : 0)
}

/** People in the cards of pages; an article shows others than the company's own, too. */
function cardsOn(reads: readonly Read[], { fits }: Role, today: string) {
  const mentions = reads.flatMap((read): Mention[] => {
    const page = isArticleUrl(new URL(read.url)) ? null : pageOf(read)
    return page?.people.map((person) => ({ ...person, ...seenOn(person, read.url) })) ?? []
  })
  const found = mergeMentions(mentions).map((mention) => toFound(mention, today))
  return found.filter(({ title, left_on }) => title && !left_on && fits(title))
}

/** A page of people says who is there today; news of the last two years counts, undated ones do not. */
function textsOf(reads: readonly Read[]): DatedText[] {
  return reads.flatMap((read) => {
    const page = pageOf(read)
    if (!page?.published_date) return []
    return [{ title: page.title, text: page.text, own: false, url: read.url, published_date: page.published_date }]
  })
}
