import type { Host, HostResponse, Internet } from '../../sandbox/internet.ts'
import type {
  Award,
  JobBoardVendor,
  SandboxCompany,
  SandboxPosting,
  SandboxRequest,
  World,
} from '../../sandbox/types.ts'
import type { Outbound } from '../../src/outbound/client.ts'
import type { Clock } from '../../src/outbound/clock.ts'
import type { ProviderDeps } from '../../src/providers/types.ts'
import { providerDeps } from './provider-deps.ts'
import { testWorld } from './world.ts'

export type VendorNet = AsyncDisposable & {
  internet: Internet
  /** The data of the vendors; may be changed at any time. */
  world: World
  /** Dependencies of providers: a separate client that counts delays instead of waiting. */
  deps: (env?: Record<string, string>, options?: { timeoutMs?: number; signal?: AbortSignal }) => ProviderDeps & Paused
  /** URLs requested since the last call. */
  asked: () => string[]
}

/** The signals by which the wires choose the subject of a release. */
const WIRE_SIGNALS = [
  ...['customer_win', 'funding', 'ipo', 'acquisition', 'partnership', 'product_launch', 'layoffs', 'leadership_change'],
]

export type Paused = { pauses: number[] }

/** The vendors on loopback, and other hosts if given; their responses may be altered. */
export async function vendorNet(
  world: Partial<World> = {},
  others: Host = () => null,
  altered: (answer: HostResponse, request: SandboxRequest) => HostResponse = (answer) => answer,
): Promise<VendorNet> {
  const { internet, world: present } = await testWorld({ records: world, others, alter: altered })
  let seen = 0

  function deps(env: Record<string, string> = {}, { timeoutMs = 0, signal = AbortSignal.timeout(30_000) } = {}) {
    const pauses: number[] = []
    const given = { ...internet.env, OUTBOUND_CONTACT: 'ops@bellwether.example', ...env }
    const { outbound, ...others } = providerDeps(given, { clock: countingClock(pauses) })
    const quick: Outbound = {
      ...outbound,
      request: (url, options) => outbound.request(url, { ...options, timeouts: { total: timeoutMs } }),
      fetchWith: (options) => outbound.fetchWith({ ...options, timeouts: { total: timeoutMs } }),
    }
    return { ...others, outbound: timeoutMs > 0 ? quick : outbound, signal, pauses }
  }

  return {
    internet,
    deps,
    get world() {
      return present
    },
    set world(world) {
      for (const kind of Object.keys(present) as (keyof World)[]) delete present[kind]
      Object.assign(present, world)
    },
    asked() {
      const urls = internet.requests.slice(seen).map(({ url }) => url)
      seen = internet.requests.length
      return urls
    },
    [Symbol.asyncDispose]: () => internet[Symbol.asyncDispose](),
  }
}

function countingClock(pauses: number[]): Clock {
  let now = 0
  return {
    now: () => now,
    async wait(ms) {
      pauses.push(ms)
      now += ms
    },
  }
}

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

export function company(name: string, more: Partial<SandboxCompany> = {}): SandboxCompany {
  return {
    name,
    domain: `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`,
    industry: 'robotics',
    country: 'Germany',
    country_code: 'DE',
    city: 'Leipzig',
    employees: 240,
    founded_year: 2015,
    description: 'maker of warehouse robots',
    job_board: null,
    wikidata: null,
    cik: null,
    ...more,
  }
}

/** The token of a company's board at a vendor, by the company's name there. */
export const boardToken = (vendor: JobBoardVendor, name: string): string =>
  vendor === 'workday' ? `${name}.wd5/Careers` : name

export function posting(id: string, more: Partial<SandboxPosting> = {}): SandboxPosting {
  return {
    id,
    title: 'Account Executive',
    department: 'Sales',
    city: 'Leeds',
    country_code: 'GB',
    published: daysAgo(5),
    text: 'Sell robots & arms.\nTravel to <customers>.',
    ...more,
  }
}

/** The source code and the outages that Acme Robotics publishes. */
export function softwareOfAcme(): Pick<SandboxCompany, 'github' | 'status_page'> {
  const release = { tag: 'v2.0.0', title: 'Arm 2.0', body: 'Acme Robotics launches Arm 2.0.', published: daysAgo(4) }
  return {
    github: {
      login: 'acme-robotics',
      name: 'Acme Robotics',
      blog: '',
      repositories: [
        { name: 'arm', description: null, created: daysAgo(900), pushed: daysAgo(1), stars: 12, releases: [release] },
      ],
    },
    status_page: {
      host: 'acmerobotics.statuspage.io',
      name: 'Acme Robotics',
      incidents: [
        {
          id: 'x1',
          name: 'Slow arms',
          impact: 'minor',
          created: daysAgo(3),
          updates: ['Arms are slow.', 'They are not.'],
        },
      ],
    },
  }
}

/** A story and a Form D about Acme Robotics (`cik` 1001), as the vendors of news and filings return them. */
export function toldOfAcme(officers?: World['filings'][number]['officers']): Pick<World, 'stories' | 'filings'> {
  return {
    stories: [
      {
        id: '1',
        url: 'https://news.example/1',
        title: 'Acme Robotics raises $20M Series A',
        text: '',
        published: daysAgo(3),
        points: 9,
        about: 'Acme Robotics',
      },
    ],
    filings: [
      {
        cik: 1001,
        company: 'ACME ROBOTICS, INC.',
        form: 'D',
        accession: '0001001-26-000001',
        filed: daysAgo(4),
        document: 'primary_doc.xml',
        text: 'No more to say.',
        ...(officers ? { officers } : {}),
        offering: { sold: 12_000_000, offered: 15_000_000, first_sale: daysAgo(9), industry: 'Other Technology' },
      },
    ],
  }
}

/** Acme Robotics in the records of every source except job boards, which allow one board per company. */
export const recordsOfAcme = {
  companies: [
    company('Acme Robotics', { wikidata: { id: 'Q1', employees: 250 }, cik: 1001, ...softwareOfAcme() }),
  ] as const,
  stories: toldOfAcme().stories,
  filings: [
    ...toldOfAcme().filings,
    ...['8-K', 'S-1'].map((form, i) => ({
      ...{ cik: 1001, company: 'ACME ROBOTICS, INC.', form, accession: `0001001-26-00000${i + 2}`, filed: daysAgo(3) },
      ...{ document: 'main.htm', text: 'Item 1.05 Material Cybersecurity Incidents.' },
    })),
  ],
  releases: WIRE_SIGNALS.map((signal, i) => ({
    ...{ id: String(3_000_000 + i), company: 'Acme Robotics, Inc.', title: `Acme Robotics: ${signal}` },
    ...{ summary: 'News.', paragraphs: ['News.'], published: daysAgo(3), signals: [signal], site: null },
  })),
  awards: [
    ...(['usaspending', 'nih-reporter'] as const).map((by) => award(by, '1000')),
    // One in each group of countries, and as many as show that a field is missing in all of them.
    ...['DEU', 'FRA', 'ITA', 'SWE', 'POL'].flatMap((country, group) =>
      Array.from({ length: 20 }, (_, i) => ({ ...award('ted', `${1000 + group * 100 + i}-2026`), country })),
    ),
  ],
  notices: (['TX', 'OR', 'IN', 'TN', 'WA'] as const).flatMap((state) =>
    Array.from({ length: 5 }, (_, i) => {
      const more = { people: 120 + i, noticed: daysAgo(3), starts: '2031-12-01' }
      return { state, company: 'Acme Robotics, Inc.', place: 'Austin', ...more }
    }),
  ),
} satisfies Partial<World>

function award(by: Award['by'], id: string): Award {
  const description = 'ROBOTS'
  return { by, id, recipient: 'ACME ROBOTICS, INC.', amount: 4_200_000, agency: 'Energy', day: daysAgo(3), description }
}
