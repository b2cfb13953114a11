import { createHash } from 'node:crypto'
import type { Award, Filing, JobBoardVendor, LayoffNotice, SandboxPosting, Story } from '../types.ts'
import { AWARDS } from './awards.ts'
import { BUSINESS_SOFTWARE } from './business-software.ts'
import { CONSUMER } from './consumer.ts'
import { type DateStyle, fillDates, shift } from './dates.ts'
import { DEVELOPER_TOOLS } from './developer-tools.ts'
import { ENERGY } from './energy.ts'
import { FILINGS } from './filings.ts'
import { FINANCE } from './finance.ts'
import { HEALTH } from './health.ts'
import { LOGISTICS } from './logistics.ts'
import { MANUFACTURING } from './manufacturing.ts'
import { NOTICES } from './notices.ts'
import { postingsOf } from './openings.ts'
import { peopleOf } from './people.ts'
import { QUIET } from './quiet.ts'
import { registrationsOf } from './registers.ts'
import { releasesOf } from './releases.ts'
import { SERVICES } from './services.ts'
import { softwareOf } from './software.ts'
import { STORIES } from './stories.ts'
import { TROUBLED } from './troubled.ts'
import type {
  Article,
  ArticleSeed,
  AwardSeed,
  CompanySeed,
  FilingSeed,
  Judgement,
  NoticeSeed,
  SiteCompany,
  SiteSeed,
  StorySeed,
  WorldState,
} from './types.ts'

const SEEDS: readonly CompanySeed[] = [
  ...MANUFACTURING,
  ...BUSINESS_SOFTWARE,
  ...DEVELOPER_TOOLS,
  ...LOGISTICS,
  ...HEALTH,
  ...ENERGY,
  ...FINANCE,
  ...CONSUMER,
  ...SERVICES,
  ...TROUBLED,
  ...QUIET,
]

const USUAL_SITE: SiteSeed = {
  theme: 'semantic',
  team: 'cards',
  feed: 'rss',
  caching: 'both',
  robots: 'open',
  sitemap: 'plain',
  news: '/news',
  blog: false,
  pricing: false,
  json_ld: true,
  www: false,
  broken: false,
  noise: false,
  language: 'en',
  fault: null,
  formerly: [],
}

/** The world on a day. */
export function buildWorld(today: string, slowMs: number): WorldState {
  const companies = SEEDS.map((seed) => companyOf(seed, today))
  return {
    today,
    companies,
    stories: STORIES.map((seed) => storyOf(seed, today)),
    filings: FILINGS.map((seed, index) => filingOf(seed, index, companies, today)),
    releases: companies.flatMap(releasesOf),
    awards: AWARDS.map((seed, index) => awardOf(seed, index, today)),
    notices: NOTICES.map((seed) => noticeOf(seed, today)),
    registered: companies.flatMap(registrationsOf),
    outages: {},
    slow_ms: slowMs,
  }
}

function companyOf(seed: CompanySeed, today: string): SiteCompany {
  const articles = seed.articles ?? []
  const site = { ...USUAL_SITE, ...seed.site }
  const openings = (lines: string): SandboxPosting[] => postingsOf(lines, seed, today)
  return {
    name: seed.name,
    domain: seed.domain,
    industry: seed.industry,
    country: seed.country,
    country_code: seed.country_code,
    city: seed.city,
    employees: seed.employees,
    founded_year: seed.founded_year,
    description: seed.description,
    boilerplate: seed.boilerplate,
    job_board: seed.board
      ? {
          vendor: seed.board.vendor,
          token: boardTokenOf(seed.board.vendor, seed.domain),
          postings: openings(seed.board.openings),
        }
      : null,
    wikidata: seed.wikidata ?? null,
    cik: seed.cik ?? null,
    ...softwareOf(seed.domain, today),
    site: { ...site, blog: site.blog || articles.some(({ section }) => section === 'blog') },
    people: peopleOf(seed.people, seed.domain),
    articles: articles.map((article) =>
      articleOf(article, shift(today, -article.days), { site, country_code: seed.country_code }),
    ),
    openings: seed.openings ? openings(seed.openings) : [],
    notes: {},
    changed: {},
    build: { number: 1, at: new Date(`${shift(today, -200)}T07:30:00Z`) },
  }
}

type Publisher = { site: SiteSeed; country_code: string }

/** An article as its site shows it. `modified` is the morning of its day by default. */
export function articleOf(
  seed: Omit<ArticleSeed, 'days'>,
  published: string,
  publisher: Publisher,
  modified?: Date,
): Article {
  const { slug, title, text, section = 'news', closed = false, ...judged } = seed
  const fill = (words: string) => fillDates(words, published, styleOf(publisher))
  return {
    ...judgementOf(judged),
    slug,
    section,
    closed,
    title: fill(title),
    paragraphs: fill(text)
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim()),
    published,
    modified: modified ?? new Date(`${published}T08:15:00Z`),
    path: pathOf({ slug, section, closed, published, site: publisher.site }),
  }
}

export function styleOf({ site, country_code }: Publisher): DateStyle {
  if (site.language === 'de') return 'DE'
  return country_code === 'US' ? 'US' : 'world'
}

function judgementOf({ tells, arguable, trap, event }: Judgement): Judgement {
  return { ...(tells && { tells }), ...(arguable && { arguable }), ...(trap && { trap }), ...(event && { event }) }
}

type Place = { slug: string; section: 'news' | 'blog'; closed: boolean; published: string; site: SiteSeed }

/** URL styles differ by site: a year and month, a file extension, or neither. */
function pathOf({ slug, section, closed, published, site }: Place): string {
  if (closed) return `/internal/drafts/${slug}`
  const base = section === 'blog' ? '/blog' : site.news
  if (site.theme === 'wordpress') return `/${published.slice(0, 4)}/${published.slice(5, 7)}/${slug}/`
  if (site.theme === 'table') return `${base}/${slug}.html`
  return site.theme === 'static' ? `${base}/${slug}/` : `${base}/${slug}`
}

export function storyOf(seed: StorySeed, today: string): Story & Judgement {
  const published = shift(today, -seed.days)
  return {
    ...judgementOf(seed),
    id: String(40_000_000 + Number.parseInt(digest(`${seed.site}/${seed.slug}`).slice(0, 6), 16)),
    url: `https://${seed.site}/${published.slice(0, 4)}/${seed.slug}`,
    title: seed.title,
    text: fillDates(seed.text.trim(), published, 'world'),
    published,
    points: seed.points,
    about: seed.about,
  }
}

function filingOf(
  seed: FilingSeed,
  index: number,
  companies: readonly SiteCompany[],
  today: string,
): Filing & Judgement & { domain: string } {
  const company = companies.find(({ domain }) => domain === seed.domain)
  if (!company?.cik) throw new Error(`${seed.domain} files with the regulator and has no number there`)
  const filed = shift(today, -seed.days)
  return {
    ...judgementOf(seed),
    domain: seed.domain,
    cik: company.cik,
    company: `${company.name}, Inc.`,
    form: seed.form,
    accession: `000${company.cik}-${filed.slice(2, 4)}-${String(index + 101).padStart(6, '0')}`,
    filed,
    document: seed.form === 'D' ? 'primary_doc.xml' : `${tokenOf(seed.domain)}-${seed.form.toLowerCase()}.htm`,
    text: fillDates(seed.text.trim(), filed, 'US'),
    ...(seed.offering && {
      offering: {
        sold: seed.offering.sold,
        offered: seed.offering.sold,
        first_sale: shift(filed, -seed.offering.first_sale),
        industry: seed.offering.industry,
      },
    }),
  }
}

function awardOf({ days, ...seed }: AwardSeed, index: number, today: string): Award & Judgement & { domain: string } {
  const day = shift(today, -days)
  const number = 656_501 + index
  const ids = {
    usaspending: `CONT_AWD_DE26P${number}_8900_-NONE-_-NONE-`,
    ted: `${number}-${day.slice(0, 4)}`,
    'nih-reporter': String(10_000_000 + number),
  }
  return { ...seed, id: ids[seed.by], day }
}

function noticeOf({ days, starts, ...seed }: NoticeSeed, today: string): LayoffNotice & Judgement & { domain: string } {
  const noticed = shift(today, -days)
  return { ...seed, noticed, starts: shift(noticed, starts) }
}

/** The token of a company's board at a vendor. */
const boardTokenOf = (vendor: JobBoardVendor, domain: string): string =>
  vendor === 'workday' ? `${tokenOf(domain)}.wd3/Careers` : tokenOf(domain)

export const tokenOf = (domain: string): string => domain.split('.', 1)[0] as string

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
