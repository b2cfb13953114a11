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

/** Why a text that speaks of a signal is not evidence of it. */
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

/** `of` is the domain of the company that must not be credited, where it is not the one the text is about. */
export type TrapSeed = { kind: TrapKind; signals: readonly SignalId[]; why: string; of?: string }

/** What a text tells of the company that publishes it, judged by a person who has read it. */
export type Judgement = {
  /** Events it is evidence of. */
  tells?: readonly SignalId[]
  /** What careful readers may disagree on: counts neither for nor against. */
  arguable?: readonly SignalId[]
  trap?: TrapSeed
  /** Texts with the same event tell of one thing; without it, a text stands for itself. */
  event?: string
}

/**
 * A press release or a blog post. Paragraphs are separated by an empty line. `{date}`, `{month}`, `{year}` stand for its day,
 * `{date-14}`, `{month+60}` for so many days before or after, `{year-3}` for so many years.
 */
export type ArticleSeed = Judgement & {
  slug: string
  /** Days before the world's today. */
  days: number
  title: string
  text: string
  section?: 'news' | 'blog'
  /** Told in the part of the site that robots.txt closes. */
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
  /** Which conditional requests it understands. */
  caching: 'etag' | 'modified' | 'both' | 'none'
  robots: 'open' | 'missing' | 'closed' | 'partly'
  sitemap: 'plain' | 'index' | null
  /** Where press releases stand. */
  news: string
  blog: boolean
  pricing: boolean
  json_ld: boolean
  /** The bare domain redirects to www. */
  www: boolean
  /** Tags that are not closed, stray brackets, attributes without quotes. */
  broken: boolean
  /** Counters, nonces and advertisements that change with every request. */
  noise: boolean
  language: 'en' | 'de'
  fault: Fault | null
  /** Earlier domains, which redirect to this one. */
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
  /** One a line: `Name, Title` and in brackets what the page shows beside: `email`, `profile`, a phone number. */
  people: string
  articles?: readonly ArticleSeed[]
  /** One a line: `Title, Department, days since published`. */
  board?: { vendor: JobBoardVendor; openings: string }
  /** The same, on its own careers page. */
  openings?: string
  wikidata?: { id: string; employees: number | null }
  cik?: number
}

export type Person = {
  full_name: string
  /** With the titles before and after the name that the page gives it. */
  shown_as: string
  title: string
  /** As the page shows it; null when it does not. */
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
  /** When its page last changed. */
  modified: Date
  path: string
}

export type StandingPage = 'home' | 'about' | 'team' | 'careers' | 'pricing'

/** A company of the sandbox with its web site, as it stands now. */
export type SiteCompany = SandboxCompany & {
  boilerplate: string
  site: SiteSeed
  people: readonly Person[]
  articles: readonly Article[]
  /** Openings on its own careers page. */
  openings: readonly SandboxPosting[]
  /** Paragraphs added to a page later on. */
  notes: Readonly<Partial<Record<StandingPage, readonly string[]>>>
  /** When these pages were last changed, where not by an article. */
  changed: Readonly<Partial<Record<StandingPage, Date>>>
  /** How often the site was put up anew, and when last: new file names and dates on every page, and no new word. */
  build: { number: number; at: Date }
}

/** The world with what only the web sites and the manifest need to know of it. */
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
  /** Vendors that do not work as they should, by name. */
  outages: Record<string, Outage>
  /** How long a slow site waits before it answers. */
  slow_ms: number
}
