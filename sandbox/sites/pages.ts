import type { Article, SiteCompany, StandingPage } from '../world/types.ts'
import { siteUrl } from '../world.ts'

/** Labels and paths of the standing pages, which differ by site. */
type Layout = { paths: Record<StandingPage | 'blog', string>; labels: Record<StandingPage | 'blog' | 'news', string> }

const LABELS = {
  home: 'Home',
  about: 'About us',
  team: 'Leadership',
  careers: 'Careers',
  pricing: 'Pricing',
  blog: 'Blog',
  news: 'News',
}

const pathsOf = (about: string, team: string, careers: string, end = '') => ({
  home: '/',
  about: about + end,
  team: team + end,
  careers: careers + end,
  pricing: `/pricing${end}`,
  blog: '/blog',
})

const LAYOUTS: Record<SiteCompany['site']['theme'], Layout> = {
  semantic: { paths: pathsOf('/about', '/team', '/careers'), labels: { ...LABELS, team: 'Team' } },
  wordpress: {
    paths: pathsOf('/about-us', '/our-team', '/careers', '/'),
    labels: { ...LABELS, team: 'Our team', news: 'Newsroom' },
  },
  divsoup: {
    paths: pathsOf('/company', '/company/people', '/jobs'),
    labels: { ...LABELS, about: 'Company', team: 'People', careers: 'Jobs', news: 'Press' },
  },
  next: { paths: pathsOf('/about', '/about/leadership', '/careers'), labels: { ...LABELS, about: 'About' } },
  table: {
    paths: pathsOf('/about', '/management', '/jobs', '.html'),
    labels: { ...LABELS, team: 'Management', careers: 'Work with us', news: 'News releases' },
  },
  static: {
    paths: pathsOf('/about', '/team', '/careers', '/'),
    labels: { ...LABELS, about: 'About', team: 'Who we are' },
  },
}

const GERMAN: Layout = {
  paths: { ...pathsOf('/ueber-uns', '/unternehmen/leitung', '/karriere', '/'), pricing: '/preise/' },
  labels: {
    home: 'Startseite',
    about: 'Über uns',
    team: 'Unternehmensleitung',
    careers: 'Karriere',
    pricing: 'Preise',
    blog: 'Blog',
    news: 'Presse',
  },
}

export const layoutOf = ({ site }: SiteCompany): Layout => (site.language === 'de' ? GERMAN : LAYOUTS[site.theme])

export type Link = { label: string; url: string }

/** The navigation links of every page. */
export function navigation(company: SiteCompany): Link[] {
  const { paths, labels } = layoutOf(company)
  const { site } = company
  return [
    { label: labels.home, url: '/' },
    { label: labels.about, url: paths.about },
    { label: labels.team, url: paths.team },
    { label: labels.news, url: site.news },
    ...(site.blog ? [{ label: labels.blog, url: paths.blog }] : []),
    ...(site.pricing ? [{ label: labels.pricing, url: paths.pricing }] : []),
    { label: labels.careers, url: paths.careers },
  ]
}

export const FEEDS = {
  rss: { path: '/feed.xml', type: 'application/rss+xml' },
  'rss-full': { path: '/rss', type: 'application/rss+xml' },
  atom: { path: '/atom.xml', type: 'application/atom+xml' },
  json: { path: '/feed.json', type: 'application/feed+json' },
} as const

/** Public articles of a section or of all, newest first. */
export function latest(company: SiteCompany, section?: Article['section']): Article[] {
  return company.articles
    .filter((article) => !article.closed && (!section || article.section === section))
    .sort((a, b) => b.published.localeCompare(a.published) || b.modified.getTime() - a.modified.getTime())
}

/** The last change of these pages. */
export function changedAt(company: SiteCompany, pages: readonly StandingPage[], articles: readonly Article[]): Date {
  const moments = [
    company.build.at,
    ...pages.map((page) => company.changed[page]),
    ...articles.map(({ modified }) => modified),
  ]
  return new Date(Math.max(...moments.map((at) => at?.getTime() ?? 0)))
}

export type PageLink = { path: string; modified: Date }

/** Every page that robots.txt allows, for the sitemap. */
export function openPages(company: SiteCompany): PageLink[] {
  const { paths } = layoutOf(company)
  const { site } = company
  const standing = (['home', 'about', 'team', 'careers', ...(site.pricing ? ['pricing'] : [])] as StandingPage[]).map(
    (page) => ({ path: paths[page], modified: changedAt(company, [page], page === 'home' ? latest(company) : []) }),
  )
  return [
    ...standing,
    { path: site.news, modified: changedAt(company, [], latest(company, 'news')) },
    ...(site.blog ? [{ path: paths.blog, modified: changedAt(company, [], latest(company, 'blog')) }] : []),
    ...latest(company).map((article) => ({ path: article.path, modified: changedAt(company, [], [article]) })),
    ...company.openings.map(({ id, published }) => ({
      path: `${paths.careers.replace(/\/$/, '')}/${id}`,
      modified: new Date(`${published}T08:00:00Z`),
    })),
  ]
}

export const urlOf = siteUrl
