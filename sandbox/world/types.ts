import type { SignalId } from '../../src/engine/signals/index.ts'
import type {
  Award,
  Filing,
  JobBoardVendor,
  LayoffNotice,
  Outage,
  Release,
  SandboxCompany,
  SandboxPosting,
  Story,
  World,
} from '../types.ts'

/** Why a text that mentions a signal is not evidence of it. */
export type TrapKind =
  | 'rumour'
  | 'denial'
  | 'plan'
  | 'namesake'
  | 'old'
  | 'anniversary'
  | 'third_party'
  | 'award'
  | 'forward_looking'
  | 'fund'
  | 'disallowed'
  | 'no_openings'

/** `of` is the domain of the company that must not get the signal, if it is not the one the text is about. */
export type TrapSeed = { kind: TrapKind; signals: readonly SignalId[]; why: string; of?: string }

/** A person's judgement of what a text reports about the company that publishes it. */
export type Judgement = {
  /** Signals it is evidence of. */
  tells?: readonly SignalId[]
  /** Signals on which careful readers may disagree; not counted either way. */
  arguable?: readonly SignalId[]
  trap?: TrapSeed
  /** Texts with the same event report one event; without it, a text is a separate event. */
  event?: string
}

/**
 * A press release or a blog post. Paragraphs are separated by an empty line. `{date}`, `{month}`, `{year}` are replaced
 * by its day, `{date-14}`, `{month+60}` by a day that many days before or after, `{year-3}` by that many years.
 */
export type ArticleSeed = Judgement & {
  slug: string
  /** Days before the world's today. */
  days: number
  title: string
  text: string
  section?: 'news' | 'blog'
  /** Published in the part of the site that robots.txt forbids. */
  closed?: boolean
}

export type StorySeed = Judgement & {
  /** One of the sandbox's news sites. */
  site: string
  slug: string
  days: number
  title: string
  text: string
  points: number
  about: string
}

export type FilingSeed = Judgement & {
  domain: string
  form: string
  days: number
  text: string
  /** For Form D: dollars, days from the first sale to the filing, the industry group. */
  offering?: { sold: number; first_sale: number; industry: string }
}

/** Days before the world's today. */
export type AwardSeed = Judgement & Omit<Award, 'id' | 'day'> & { domain: string; days: number }

/** `starts`: days from the notice to the first layoffs. */
export type NoticeSeed = Judgement &
  Omit<LayoffNotice, 'noticed' | 'starts'> & { domain: string; days: number; starts: number }

export type Theme = 'semantic' | 'wordpress' | 'divsoup' | 'next' | 'table' | 'static'

export type TeamMarkup =
  | 'cards'
  | 'json-ld'
  | 'microdata'
  | 'h-card'
  | 'table'
  | 'definitions'
  | 'headings'
  | 'figures'
  | 'soup'
  | 'list'
  | 'bold'
  | 'elementor'
  | 'title-first'
  | 'profiles'

export type Fault = 'drop' | 'stall' | 'error' | 'garbage' | 'slow'

export type SiteSeed = {
  theme: Theme
  team: TeamMarkup
  feed: 'rss' | 'rss-full' | 'atom' | 'json' | null
  /** The conditional requests it supports. */
  caching: 'etag' | 'modified' | 'both' | 'none'
  robots: 'open' | 'missing' | 'closed' | 'partly'
  sitemap: 'plain' | 'index' | null
  /** The path of press releases. */
  news: string
  blog: boolean
  pricing: boolean
  json_ld: boolean
  /** The bare domain redirects to www. */
  www: boolean
  /** Unclosed tags, stray brackets, unquoted attributes. */
  broken: boolean
  /** Counters, nonces and advertisements that change with every request. */
  noise: boolean
  language: 'en' | 'de'
  fault: Fault | null
  /** Former domains, which redirect to this one. */
  formerly: readonly string[]
}

export type CompanySeed = {
  name: string
  domain: string
  industry: string
  country: string
  country_code: string
  city: string
  employees: number
  founded_year: number
  /** A sentence for the home page and the profile. */
  description: string
  /** The "About" block under its press releases. */
  boilerplate: string
  site?: Partial<SiteSeed>
  /** One per line: `Name, Title` and in brackets what else the page shows: `email`, `profile`, a phone number. */
  people: string
  articles?: readonly ArticleSeed[]
  /** One per line: `Title, Department, days since published`. */
  board?: { vendor: JobBoardVendor; openings: string }
  /** The same, on its careers page. */
  openings?: string
  wikidata?: { id: string; employees: number | null }
  cik?: number
}

export type Person = {
  full_name: string
  /** With the titles before and after the name as shown on the page. */
  shown_as: string
  title: string
  /** As shown on the page; null when it is not. */
  email: string | null
  phone: string | null
  network_url: string | null
}

export type Article = Judgement & {
  slug: string
  section: 'news' | 'blog'
  closed: boolean
  title: string
  paragraphs: readonly string[]
  published: string
  /** The last change of its page. */
  modified: Date
  path: string
}

export type StandingPage = 'home' | 'about' | 'team' | 'careers' | 'pricing'

/** The current state of a company and its website. */
export type SiteCompany = SandboxCompany & {
  boilerplate: string
  site: SiteSeed
  people: readonly Person[]
  articles: readonly Article[]
  /** Openings on its careers page. */
  openings: readonly SandboxPosting[]
  /** Paragraphs added to a page later. */
  notes: Readonly<Partial<Record<StandingPage, readonly string[]>>>
  /** The last change of these pages, if not by an article. */
  changed: Readonly<Partial<Record<StandingPage, Date>>>
  /** The number and the time of redeployments: new file names and dates on every page, and no new content. */
  build: { number: number; at: Date }
}

/** The world with the data that only the websites and the manifest need. */
export type WorldState = Omit<
  World,
  'companies' | 'stories' | 'filings' | 'releases' | 'awards' | 'notices' | 'outages'
> & {
  companies: SiteCompany[]
  releases: Release[]
  stories: (Story & Judgement)[]
  filings: (Filing & Judgement & { domain: string })[]
  awards: (Award & Judgement & { domain: string })[]
  notices: (LayoffNotice & Judgement & { domain: string })[]
  /** Outages of vendors, by name. */
  outages: Record<string, Outage>
  /** The delay of a slow site. */
  slow_ms: number
}
