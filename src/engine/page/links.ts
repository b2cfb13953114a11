import { getDomain } from 'tldts'
import { decodePercentEncoding } from '../text/decode.ts'
import { foldText } from '../text/fold.ts'
import { absoluteUrl } from './addresses.ts'
import { type Element, elementText, findElement, walkElements } from './element.ts'
import { linkText, pathPart } from './vocabulary.ts'

/** A link, frame or script: `url` is absolute, `href` is the same without the fragment. */
export type PageLink = { element: Element; url: URL; href: string }

const MAX_ANCHORS = 20_000

/** The links, frames and scripts of a page, in reading order. */
export function collectLinks(root: Element, pageUrl: string): PageLink[] {
  const base = baseUrlOf(root, pageUrl)
  const links: PageLink[] = []
  walkElements(root, (element) => {
    const { href, src } = element.attrs
    const target = href ?? (element.tag === 'iframe' || element.tag === 'script' ? src : undefined)
    const url = target && links.length < MAX_ANCHORS ? URL.parse(absoluteUrl(target, base) ?? '') : null
    if (url) links.push({ element, url, href: url.href.replace(/#.*$/s, '') })
    return undefined
  })
  return links
}

/** The base URL of the page's relative links. */
export function baseUrlOf(root: Element, pageUrl: string): string {
  const base = findElement(root, ({ tag, attrs }) => tag === 'base' && attrs.href !== undefined)
  return absoluteUrl(base?.attrs.href ?? '', pageUrl) ?? pageUrl
}

export type JobBoard = {
  vendor:
    | 'ashby'
    | 'greenhouse'
    | 'lever'
    | 'personio'
    | 'recruitee'
    | 'smartrecruiters'
    | 'teamtailor'
    | 'workable'
    | 'workday'
  /** Identifies the company at the vendor: a name, a host, or both a host and a path. */
  token: string
  /** The URL of the whole board. */
  url: string
}
export type PageLinks = {
  careers: string[]
  press: string[]
  blog: string[]
  team: string[]
  about: string[]
  contact: string[]
  pricing: string[]
  /** Pages that name the legal representatives. */
  imprint: string[]
  /** Terms of use, which may state the legal name. */
  terms: string[]
  feeds: string[]
  job_boards: JobBoard[]
}

const MAX_LINKS = 20
type Kind = Exclude<keyof PageLinks, 'feeds' | 'job_boards'>

const whole = (english: string, others: string) => new RegExp(`^(?:${english}|${others})$`)

/** Link texts and path segments per kind of page. They match as a whole: "press" does not match "express". */
const TEXTS: Record<Kind, RegExp> = {
  careers: whole(
    'careers?|jobs?|join (?:us|our team)|work (?:with|for|at) .{1,30}|we.?re hiring.{0,3}|open (?:roles|positions)|vacancies',
    linkText('careers'),
  ),
  press: whole(
    'press|press (?:room|releases?|center|centre|kit)|news|newsroom|media|media (?:room|center|centre|kit)|in the news|news (?:and|&) (?:events|press|media|insights)|latest news|company news',
    linkText('press'),
  ),
  blog: /^(?:(?:our |the |company )?blog|insights|articles|stories|updates|journal|magazine?)$/,
  team: whole(
    '(?:(?:our |the |meet (?:the |our )?|management |executive |leadership |senior )*(?:team|leadership|people|management|executives|staff|board|board of directors)|who we are)',
    linkText('team'),
  ),
  about: whole('about|about us|company|our (?:story|company|mission)|who we are', linkText('about')),
  pricing: whole('pricing|plans|prices|plans (?:and|&) pricing|pricing (?:and|&) plans', linkText('pricing')),
  contact: whole('contacts?|contact us|get in touch', linkText('contact')),
  imprint: whole('legal notice|company (?:information|details)', linkText('imprint')),
  terms: /^(?:legal|legal (?:information|info|disclosure)|terms|terms (?:of (?:use|service)|(?:and|&) conditions))$/,
}
const PATHS: Record<Kind, RegExp> = {
  careers: whole('careers?|jobs?|join-?us|work-with-us|vacancies|open-positions', pathPart('careers')),
  press: whole('press|news|newsroom|press-releases?|press-room|media|media-center', pathPart('press')),
  blog: /^(?:blog|insights|articles|stories|updates|journal|magazine?)$/,
  team: whole(
    'team|our-team|the-team|leadership|people|our-people|management|management-team|leadership-team|executive-team|staff|board|about-the-team',
    pathPart('team'),
  ),
  about: whole('about|about-us|company|our-story|who-we-are', pathPart('about')),
  pricing: whole('pricing|plans|prices|plans-pricing', pathPart('pricing')),
  contact: whole('contacts?|contact-us', pathPart('contact')),
  imprint: whole('imprint|legal-notice', pathPart('imprint')),
  terms: /^(?:legal|legal-(?:information|info)|terms|terms-of-(?:use|service)|terms-and-conditions)$/,
}
const FEED_TYPES = /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)$|^application\/(?:x-)?rss$|^text\/rss$/
const FEED_PATH = /(?:^|\/)(?:feed|rss|atom)(?:\.xml|\.json|\/)?$|\.rss$|\/(?:feed|rss|atom|index)\.xml$/

/** Sorts links by the kind of page they lead to, and finds feeds and job boards. */
export function sortLinks(found: readonly PageLink[], pageUrl: string): PageLinks {
  const links: PageLinks = {
    careers: [],
    press: [],
    blog: [],
    team: [],
    about: [],
    contact: [],
    pricing: [],
    imprint: [],
    terms: [],
    feeds: [],
    job_boards: [],
  }
  const site = getDomain(pageUrl)
  const hasTeamtailor = found.some(({ url }) => url.hostname.endsWith('.teamtailor-cdn.com'))
  for (const link of found) {
    const { tag, attrs } = link.element
    const isFeed = FEED_TYPES.test(attrs.type?.toLowerCase() ?? '') && /alternate/i.test(attrs.rel ?? '')
    if (tag === 'link' && isFeed && !/\/comments\/feed/.test(link.url.href)) add(links.feeds, link.url.href)
    const board = readJobBoard(link.url) ?? (hasTeamtailor ? readOwnTeamtailor(link.url, site) : null)
    const isKnown = links.job_boards.some(({ vendor, token }) => vendor === board?.vendor && token === board.token)
    if (board && !isKnown && links.job_boards.length < MAX_LINKS) links.job_boards.push(board)
    if (tag === 'a') sortAnchor(link, site, links)
  }
  return links
}

function sortAnchor({ element, url, href }: PageLink, site: string | null, links: PageLinks): void {
  if (FEED_PATH.test(url.pathname) && getDomain(url.hostname) === site) {
    add(links.feeds, url.href)
    return
  }
  const text = foldText(elementText(element, 60))
    .replace(/[^\p{L}\p{N}&' ]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const segments = url.pathname.toLowerCase().split('/').filter(Boolean)
  const own = site === null || getDomain(url.hostname) === site || url.hostname === site
  const last = (segments[segments.length - 1] ?? '').replace(/\.(?:html?|php|aspx?)$/, '')
  const host = url.hostname.split('.')[0] ?? ''
  for (const kind of Object.keys(TEXTS) as Kind[]) {
    const called = TEXTS[kind].test(text)
    const spelled = own && segments.length <= 3 && PATHS[kind].test(last)
    const hosted = own && segments.length === 0 && PATHS[kind].test(host)
    // A careers or press page may be hosted by a service; team, about and pricing pages are on the company's site.
    if ((called && (own || kind === 'careers' || kind === 'press')) || spelled || hosted) add(links[kind], href)
  }
}

function add(list: string[], url: string): void {
  if (list.length < MAX_LINKS && !list.includes(url)) list.push(url)
}

const TOKEN = /^[a-z0-9][a-z0-9._-]{0,79}$/i
const NOT_TOKENS = new Set('embed api v1 j jobs job search assets static js www widget help app careers'.split(' '))

/** The public URL of a board, whichever posting or script linked to it. Two vendors have an instance for Europe. */
const BOARD_URLS: Record<JobBoard['vendor'], (token: string, isEuropean: boolean) => string> = {
  ashby: (token) => `https://jobs.ashbyhq.com/${token}`,
  greenhouse: (token, isEuropean) => `https://boards${isEuropean ? '.eu' : ''}.greenhouse.io/${token}`,
  lever: (token, isEuropean) => `https://jobs${isEuropean ? '.eu' : ''}.lever.co/${token}`,
  personio: (token) => `https://${hostOf(token, 'jobs.personio.de')}/`,
  recruitee: (token) => `https://${token}.recruitee.com/`,
  smartrecruiters: (token) => `https://careers.smartrecruiters.com/${token}`,
  teamtailor: (token) => `https://${hostOf(token, 'teamtailor.com')}/`,
  workable: (token) => `https://apply.workable.com/${token}/`,
  workday: (token) => `https://${token.replace('/', '.myworkdayjobs.com/')}`,
}

/** A token with a dot is the whole host. */
const hostOf = (token: string, domain: string) => (token.includes('.') ? token : `${token}.${domain}`)

export const boardUrl = (vendor: JobBoard['vendor'], token: string): string => BOARD_URLS[vendor](token, false)

/** The vendor and the company's token in a job board's URL, in any form that sites link or embed. */
function readJobBoard(url: URL): JobBoard | null {
  const host = url.hostname
  const segments = url.pathname.split('/').filter(Boolean)
  const board = (vendor: JobBoard['vendor'], token: string | null | undefined): JobBoard | null =>
    token && TOKEN.test(token) && !NOT_TOKENS.has(token.toLowerCase())
      ? { vendor, token, url: BOARD_URLS[vendor](token, isEuropean) }
      : null
  const isEuropean = host.includes('.eu.')
  if (/^(?:job-)?boards(?:-api)?(?:\.eu)?\.greenhouse\.io$/.test(host)) {
    if (segments[0] === 'embed') return board('greenhouse', url.searchParams.get('for'))
    return board('greenhouse', segments[0] === 'v1' ? segments[2] : segments[0])
  }
  if (/^(?:jobs|api)(?:\.eu)?\.lever\.co$/.test(host))
    return board('lever', segments[0] === 'v0' ? segments[2] : segments[0])
  if (host === 'jobs.ashbyhq.com') return board('ashby', segments[0] && decodePercentEncoding(segments[0]))
  if (host === 'api.ashbyhq.com') return board('ashby', segments[2])
  if (/^(?:careers|jobs)\.smartrecruiters\.com$/.test(host)) return board('smartrecruiters', segments[0])
  if (host === 'api.smartrecruiters.com') return board('smartrecruiters', segments[2])
  if (host === 'apply.workable.com') return board('workable', segments[0] === 'api' ? segments[4] : segments[0])
  if (host.endsWith('.workable.com')) return board('workable', host.split('.')[0])
  if (host.endsWith('.recruitee.com')) return board('recruitee', host.split('.')[0])
  const [, personio, domain] = /^([a-z0-9-]+)\.jobs\.personio\.(de|com)$/.exec(host) ?? []
  if (personio) return board('personio', domain === 'de' ? personio : host)
  const [, teamtailor, region] = /^([a-z0-9-]+)(\.[a-z]{2})?\.teamtailor\.com$/.exec(host) ?? []
  if (teamtailor && !OF_TEAMTAILOR.has(teamtailor)) return board('teamtailor', region ? host : teamtailor)
  return readWorkday(host, segments)
}

/** Teamtailor's own pages and services. */
const OF_TEAMTAILOR = new Set('www app api blog career docs help partner partners status support tt'.split(' '))

/** The feed of a careers site that Teamtailor serves on the company's domain. */
function readOwnTeamtailor({ hostname, pathname }: URL, site: string | null): JobBoard | null {
  if (pathname !== '/jobs.rss' || site === null || getDomain(hostname) !== site) return null
  return { vendor: 'teamtailor', token: hostname, url: boardUrl('teamtailor', hostname) }
}

const LOCALE = /^[a-z]{2}(?:-[a-z]{2})?$/i
const WORKDAY_SITE = /^[a-z0-9][a-z0-9_-]{0,79}$/i

/** `https://acme.wd5.myworkdayjobs.com/en-US/Careers/job/…` is the site Careers of acme.wd5. */
function readWorkday(host: string, segments: readonly string[]): JobBoard | null {
  const [, tenant] = /^([a-z0-9-]+\.wd\d{1,3})\.myworkdayjobs\.com$/.exec(host) ?? []
  if (!tenant) return null
  const site = segments[0] === 'wday' ? segments[3] : segments.find((segment) => !LOCALE.test(segment))
  if (!site || !WORKDAY_SITE.test(site)) return null
  const token = `${tenant}/${site}`
  return { vendor: 'workday', token, url: boardUrl('workday', token) }
}

/** A link to another site, with its text. */
export type OutsideLink = { domain: string; text: string }

const MAX_OUTSIDE_LINKS = 200

/** Links to other sites in reading order, each domain and text once. */
export function findOutsideLinks(found: readonly PageLink[], pageUrl: string): OutsideLink[] {
  const own = getDomain(pageUrl)
  const links = new Map<string, OutsideLink>()
  for (const { element, url } of found) {
    const domain = element.tag === 'a' ? getDomain(url.hostname) : null
    if (!domain || domain === own || links.size >= MAX_OUTSIDE_LINKS) continue
    const text = elementText(element, 100)
    links.set(`${domain} ${text}`, { domain, text })
  }
  return [...links.values()]
}
