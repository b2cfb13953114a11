import type { Host } from '../../sandbox/internet.ts'
import type { SandboxCompany, SandboxPosting } from '../../sandbox/types.ts'
import { daysBefore } from '../../src/shared/days.ts'
import { type Planted, type PlantedItem, siteOf, sitePage } from './planted.ts'

/**
 * Positions on the boards of three vendors. A position is found if it is stored as an open position of the account. Boards that no
 * page of the account links belong to a namesake, and robots.txt disallows some that are linked.
 */
export function plantJobBoards(today: string): Planted {
  const items: PlantedItem[] = []
  const companies: SandboxCompany[] = []
  const hosts = new Map<string, Host>()
  const disallowed = new Set<string>()
  let n = 0
  for (const { kind, accounts, positions, isOpen, place } of CASES) {
    for (const vendor of VENDORS.flatMap((vendor) => Array<Vendor>(accounts).fill(vendor))) {
      n += 1
      const name = nameOf(n)
      const account = { name, domain: `hires-${n}.example` }
      const slug = name.toLowerCase().replaceAll(' ', '')
      const { token, url, urlOf } = BOARDS[vendor](slug)
      const postings = Array.from({ length: positions }, (_, i) => toPosting(n * 10 + i, today))
      companies.push({ ...COMPANY, name, domain: account.domain, job_board: { vendor, token, postings } })
      hosts.set(account.domain, siteOf(PLACES[place](name, url)))
      if (place === 'disallowed') {
        disallowed.add(account.domain)
        hosts.set(new URL(url).hostname, ({ url: { pathname } }) =>
          pathname === '/robots.txt' ? { status: 200, body: 'User-agent: *\nDisallow: /\n' } : null,
        )
      }
      for (const posting of postings)
        items.push({ kind: `${vendor}, ${kind}`, account, url: urlOf(posting), signal: isOpen ? 'hiring' : null })
    }
  }
  return { source: 'job boards', items, world: { companies }, hosts, feeds: [], isScanned: true, disallowed }
}

const VENDORS = ['personio', 'teamtailor', 'workday'] as const
type Vendor = (typeof VENDORS)[number]

type Board = { token: string; url: string; urlOf: (posting: SandboxPosting) => string }
const BOARDS: Record<Vendor, (slug: string) => Board> = {
  personio: (slug) => ({
    ...{ token: slug, url: `https://${slug}.jobs.personio.de/` },
    urlOf: ({ id }) => `https://${slug}.jobs.personio.de/job/${id}`,
  }),
  teamtailor: (slug) => ({
    ...{ token: slug, url: `https://${slug}.teamtailor.com/jobs` },
    urlOf: ({ id }) => `https://${slug}.teamtailor.com/jobs/${id}`,
  }),
  workday: (slug) => ({
    ...{ token: `${slug}.wd3/Careers`, url: `https://${slug}.wd3.myworkdayjobs.com/en-US/Careers` },
    urlOf: ({ id, city }) => `https://${slug}.wd3.myworkdayjobs.com/Careers/job/${city}/${id}`,
  }),
}

type Pages = Parameters<typeof siteOf>[0]
const NAV = { '/careers': 'Careers', '/news': 'News' }
const homeOf = (name: string, links: Record<string, string> = NAV) =>
  sitePage(name, [`${name} makes instruments for laboratories.`], links)
const linked = (name: string, board: string): Pages => ({
  '/': homeOf(name),
  '/careers': sitePage('Careers', [`Work at ${name}: see our <a href="${board}">open positions</a>.`], { '/': 'Home' }),
})
const PLACES = {
  linked,
  disallowed: linked,
  /** A namesake's board has the name that the account's board would have. */
  nowhere: (name: string): Pages => ({
    '/': homeOf(name),
    '/careers': sitePage('Careers', [`${name} has no open positions.`], { '/': 'Home' }),
  }),
  /** The page loads the list by its own script, which names the board. */
  script: (name: string): Pages => ({
    '/': homeOf(name),
    '/careers': sitePage('Careers', ['<div id="positions"></div><script src="/assets/positions.js"></script>']),
  }),
  /** News about another company links its board. */
  news: (name: string, board: string): Pages => ({
    '/': homeOf(name),
    '/careers': sitePage('Careers', [`${name} has no open positions.`], { '/': 'Home' }),
    '/news': sitePage('News', [
      `Our customer Pikku Foods works with instruments of ${name}, and <a href="${board}">looks for chemists</a>.`,
    ]),
  }),
} satisfies Record<string, (name: string, board: string) => Pages>

type Case = {
  kind: string
  /** At each vendor. */
  accounts: number
  positions: number
  isOpen: boolean
  place: keyof typeof PLACES
}
const CASES: readonly Case[] = [
  { kind: 'linked by the careers page', accounts: 4, positions: 3, isOpen: true, place: 'linked' },
  { kind: 'known to a script only', accounts: 1, positions: 1, isOpen: true, place: 'script' },
  { kind: 'of a namesake, not linked', accounts: 3, positions: 2, isOpen: false, place: 'nowhere' },
  { kind: 'of another company, linked in news', accounts: 1, positions: 1, isOpen: false, place: 'news' },
  { kind: 'disallowed by robots.txt', accounts: 2, positions: 2, isOpen: false, place: 'disallowed' },
]

const FIRST = 'Ardent Boreal Cobalt Delphi Ember Fathom Glacier'.split(' ')
const SECOND = 'Optometrics Spectra Photonics Reagents Cryogenics'.split(' ')
/** 35 different names. */
const nameOf = (n: number) => `${FIRST[n % FIRST.length]} ${SECOND[Math.floor(n / FIRST.length) % SECOND.length]}`

const TITLES = ['Account Executive', 'Software Engineer', 'Head of Security', 'Process Chemist', 'Field Technician']
const CITIES = ['Berlin', 'Leeds', 'Lyon']

function toPosting(n: number, today: string): SandboxPosting {
  return {
    ...{ id: String(700_000 + n), title: TITLES[n % TITLES.length] as string, department: 'Operations' },
    ...{ city: CITIES[n % CITIES.length] as string, country_code: ['DE', 'GB', 'FR'][n % 3] as string },
    ...{ published: daysBefore(today, 2 + (n % 20)), text: 'You work with our instruments.' },
  }
}

const COMPANY = {
  ...{ industry: 'Laboratory instruments', country: 'Germany', country_code: 'DE', city: 'Berlin', employees: 120 },
  ...{ founded_year: 2011, description: 'Instruments for laboratories.', wikidata: null, cik: null },
}
