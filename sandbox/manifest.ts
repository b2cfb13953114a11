import type { SignalId } from '../src/engine/signals/index.ts'
import { boardUrl } from './sites/content.ts'
import { layoutOf, urlOf } from './sites/pages.ts'
import type { MailBehaviour, MailDomain } from './types.ts'
import { awardUrl } from './vendors/awards.ts'
import { noticeUrl } from './vendors/warn.ts'
import { shift } from './world/dates.ts'
import { mailOf } from './world/mail.ts'
import { softwareReports } from './world/software.ts'
import type { Judgement, Person, SiteCompany, TrapKind, WorldState } from './world/types.ts'

export type Source = 'website' | 'job-board' | 'news' | 'sec' | 'awards' | 'notices' | 'software'

/** A page that reports an event, and a phrase on it. */
export type EventReport = { url: string; says: string; source: Source; published: string }

export type TrueSignal = {
  signal_id: SignalId
  /** Identifies the event; several pages, and both sides of a deal, share it. */
  event: string
  /** The date of the first report. */
  published: string
  urls: string[]
  reports: EventReport[]
}

/** A page that mentions signals and is not evidence of them. */
export type Trap = { kind: TrapKind; signal_ids: readonly SignalId[]; url: string; why: string }

/** The expected findings for a company. */
export type CompanyTruth = {
  name: string
  domain: string
  industry: string
  country: string
  country_code: string
  city: string
  employees: number
  founded_year: number
  description: string
  /** Whether a compliant crawler can read its website. */
  readable: boolean
  language: 'en' | 'de'
  people: readonly Person[]
  /** The behaviour of its mail server, and the addresses that have a mailbox. */
  mail: { behaviour: MailBehaviour; addresses: readonly string[] }
  /** Events within the window that readable pages report in English, one per signal and event. */
  signals: TrueSignal[]
  /** Events that only pages in another language report. */
  foreign: TrueSignal[]
  /** Events that only public registers report, which are read once for all companies. */
  streamed: TrueSignal[]
  /** Signals on which careful readers of a page may disagree; not counted either way. */
  arguable: { signal_id: SignalId; url: string }[]
  traps: Trap[]
}

export type Manifest = { today: string; window_days: number; companies: CompanyTruth[] }

/** The expected findings in the current state of a world, including publications of the time machine. */
export function manifestOf(world: WorldState, windowDays = 90): Manifest {
  const mail = mailOf(world.companies)
  const companies = world.companies.map((company, at) => ({
    ...truthOf(company, world, shift(world.today, -windowDays)),
    mail: truthOfMail(mail[at] as MailDomain),
  }))
  return { today: world.today, window_days: windowDays, companies }
}

/** The expected findings for the company at a domain. */
export function truthAt(world: WorldState, domain: string, windowDays = 90): CompanyTruth {
  const found = manifestOf(world, windowDays).companies.find((company) => company.domain === domain)
  if (!found) throw new Error(`The sandbox has no company at ${domain}.`)
  return found
}

/** `also` is another URL with the same report. */
type JudgedReport = Judgement & EventReport & { key: string; also?: string }

function truthOfMail({ domain, behaviour, users }: MailDomain): CompanyTruth['mail'] {
  const exists = behaviour !== 'no_mail' && behaviour !== 'refusing'
  return { behaviour, addresses: exists ? users.map((user) => `${user}@${domain}`) : [] }
}

function truthOf(company: SiteCompany, world: WorldState, since: string): Omit<CompanyTruth, 'mail'> {
  const { name, domain, industry, country, country_code, city, employees, founded_year, description, people } = company
  const { language, robots, fault } = company.site
  const readable = robots !== 'closed' && (fault === null || fault === 'slow')
  const reports = reportsOf(company, world)
  const isOwn = ({ source }: { source: Source }) => source === 'website' || source === 'job-board'
  const counted = reports.filter((each) => (readable || !isOwn(each)) && each.published >= since)
  const isForeign = ({ source }: JudgedReport) => source === 'website' && language !== 'en'
  const isStreamed = (signal: TrueSignal) =>
    signal.reports.every(({ source }) => source === 'awards' || source === 'notices')
  const events = eventsOf(counted.filter((each) => !isForeign(each)))
  const signals = events.filter((event) => !isStreamed(event))
  const present = new Set(events.map(({ signal_id }) => signal_id))
  const arguable = counted.flatMap(({ arguable = [], url }) => arguable.map((signal_id) => ({ signal_id, url })))
  return {
    ...{ name, domain, industry, country, country_code, city, employees, founded_year, description, people },
    readable,
    language,
    signals,
    foreign: eventsOf(counted.filter(isForeign)),
    streamed: events.filter(isStreamed),
    arguable,
    traps: [
      ...trapsOf(reports, domain),
      ...namesakes(domain, world),
      ...noOpenings(company, readable, new Set([...present, ...arguable.map(({ signal_id }) => signal_id)])),
    ],
  }
}

function reportsOf(company: SiteCompany, world: WorldState): JudgedReport[] {
  const pages = company.articles.map((article) => ({
    ...judged(article, article.slug),
    url: urlOf(company, article.path),
    says: article.title,
    source: 'website' as const,
    published: article.published,
  }))
  const news = world.stories
    .filter(({ about }) => about === company.domain)
    .map((story) => ({
      ...judged(story, story.id),
      url: story.url,
      says: story.title,
      source: 'news' as const,
      published: story.published,
    }))
  const filings = world.filings
    .filter(({ domain }) => domain === company.domain)
    .map((filing) => ({
      ...judged(filing, filing.accession),
      url: `https://www.sec.gov/Archives/edgar/data/${filing.cik}/${filing.accession.replaceAll('-', '')}/${filing.form === 'D' ? 'xslFormDX01/' : ''}${filing.document}`,
      says: filing.company,
      source: 'sec' as const,
      published: filing.filed,
    }))
  const awards = world.awards
    .filter(({ domain }) => domain === company.domain)
    .map((award) => ({
      ...judged(award, award.id),
      url: awardUrl(award),
      says: award.recipient,
      source: 'awards' as const,
      published: award.day,
    }))
  const notices = world.notices
    .filter(({ domain }) => domain === company.domain)
    .map((notice) => ({
      ...judged(notice, `${notice.state} ${notice.noticed}`),
      url: noticeUrl(notice),
      says: notice.company,
      source: 'notices' as const,
      published: notice.noticed,
    }))
  const software = softwareReports(company).map(({ judgement, url, says, published }) => ({
    ...judged(judgement, url),
    ...{ url, says, published },
    source: 'software' as const,
  }))
  return [...pages, ...news, ...filings, ...awards, ...notices, ...software, ...openings(company)]
}

function judged({ tells = [], arguable = [], trap, event }: Judgement, key: string) {
  return { tells, arguable, ...(trap && { trap }), key: event ?? key }
}

/** Open positions are evidence of hiring, dated by the newest. */
function openings(company: SiteCompany): JudgedReport[] {
  const { job_board } = company
  const postings = job_board?.postings.filter(({ unlisted }) => !unlisted) ?? company.openings
  const newest = postings
    .map(({ published }) => published)
    .sort()
    .at(-1)
  if (!newest) return []
  return [
    {
      tells: ['hiring'],
      key: 'openings',
      url: urlOf(company, layoutOf(company).paths.careers),
      // The company's page links to the board, and the board lists the positions.
      ...(job_board && { also: boardUrl(job_board) }),
      says: job_board ? boardUrl(job_board) : (postings[0]?.title ?? ''),
      source: job_board ? 'job-board' : 'website',
      published: newest,
    },
  ]
}

function eventsOf(reports: readonly JudgedReport[]): TrueSignal[] {
  const events = new Map<string, TrueSignal>()
  for (const { tells = [], key, url, also, says, source, published } of reports) {
    const urls = also ? [url, also] : [url]
    for (const signal_id of tells) {
      const telling = { url, says, source, published }
      const known = events.get(`${signal_id} ${key}`)
      if (!known) {
        events.set(`${signal_id} ${key}`, { signal_id, event: key, published, urls, reports: [telling] })
        continue
      }
      known.reports.push(telling)
      known.urls.push(...urls)
      if (published < known.published) known.published = published
    }
  }
  return [...events.values()]
}

function trapsOf(reports: readonly JudgedReport[], domain: string): Trap[] {
  return reports.flatMap(({ trap, url }) =>
    trap && (trap.of ?? domain) === domain ? [{ kind: trap.kind, signal_ids: trap.signals, url, why: trap.why }] : [],
  )
}

/** Stories about another company with a similar name. */
function namesakes(domain: string, { stories }: WorldState): Trap[] {
  return stories.flatMap(({ trap, url, about }) =>
    trap?.of === domain && about !== domain ? [{ kind: trap.kind, signal_ids: trap.signals, url, why: trap.why }] : [],
  )
}

function noOpenings(company: SiteCompany, readable: boolean, possible: ReadonlySet<SignalId>): Trap[] {
  if (!readable || possible.has('hiring') || company.site.language !== 'en') return []
  const url = urlOf(company, layoutOf(company).paths.careers)
  const why = 'The careers page says that there are no open positions.'
  return [{ kind: 'no_openings', signal_ids: ['hiring'], url, why }]
}

/** Criteria of a discovery run, with countries given by their codes. */
export type DiscoveryCriteria = {
  any_of?: readonly SignalId[]
  must_have?: readonly SignalId[]
  exclude?: readonly SignalId[]
  country_codes?: readonly string[]
  industries?: readonly string[]
  employee_min?: number
  employee_max?: number
}

/** The domains of the companies that match the criteria. */
export function domainsMatching({ companies }: Manifest, wanted: DiscoveryCriteria): string[] {
  const { any_of = [], must_have = [], exclude = [], country_codes, industries } = wanted
  const { employee_min = 0, employee_max = Number.POSITIVE_INFINITY } = wanted
  return companies
    .filter(({ signals, country_code, industry, employees }) => {
      const shown = new Set(signals.map(({ signal_id }) => signal_id))
      return (
        (any_of.length === 0 || any_of.some((signal) => shown.has(signal))) &&
        must_have.every((signal) => shown.has(signal)) &&
        !exclude.some((signal) => shown.has(signal)) &&
        (!country_codes || country_codes.includes(country_code)) &&
        (!industries || industries.includes(industry)) &&
        employees >= employee_min &&
        employees <= employee_max
      )
    })
    .map(({ domain }) => domain)
}

/** All companies as a file for `bellwether import companies`. */
export function universeCsv({ companies }: Manifest): string {
  const columns = ['name', 'domain', 'industry', 'location', 'country', 'employees', 'description'] as const
  const rows = companies.map((company) => ({ ...company, location: company.city }))
  const quoted = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`
  return [columns.join(','), ...rows.map((row) => columns.map((column) => quoted(row[column])).join(','))].join('\n')
}
