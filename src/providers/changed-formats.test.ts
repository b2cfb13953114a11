// A vendor renames a field: every source returns the same items, with fewer details at most, or fails. It never returns
// nothing, because a changed format would then look like a company without news.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { JobBoardVendor, RegisteredCompany, World } from '../../sandbox/types.ts'
import { COMPANIES_HOUSE_KEY } from '../../sandbox/vendors/companies-house.ts'
import { boardToken, company, daysAgo, posting, recordsOfAcme, vendorNet } from '../../test/support/vendors.ts'
import { loadConfig } from '../config/config.ts'
import { SOURCE_NAMES } from '../config/source-names.ts'
import { documentSources, firmographicsSources, leadSources } from '../research/sources.ts'
import { JOB_BOARDS } from './job-boards/index.ts'
import { enabledRegisters } from './registers/index.ts'
import type { RegisterRecord } from './registers/types.ts'
import { fetchGithubActivity } from './software/github.ts'
import { fetchIncidents } from './software/status-page.ts'
import { companiesHouseStream } from './streams/companies-house.ts'
import { gdelt } from './streams/gdelt.ts'
import { STREAMS } from './streams/index.ts'
import type { AccountLookup, FeedResult } from './streams/types.ts'
import type { ProviderDeps, SourceResult } from './types.ts'

const [acme] = recordsOfAcme.companies
const since = daysAgo(60)
const organisation = [{ organisation: 'acme-robotics', isOrganisation: true }]
const env = { COMPANIES_HOUSE_KEY, CRAWL_DELAY_MS: '0' }
const everything = loadConfig({ ...env, SOURCES: SOURCE_NAMES.join(','), OUTBOUND_CONTACT: 'ops@team.example' })
const boards = Object.keys(JOB_BOARDS) as JobBoardVendor[]

const accounts: AccountLookup = { named: async (names) => new Set(names), registered: async () => new Map() }
/** Files without names of columns, and lines of an open connection; streams.test.ts changes both. */
const OTHER_FORMATS: ReadonlySet<string> = new Set([gdelt.name, companiesHouseStream.name])

type Found = SourceResult<unknown> | FeedResult
type Ask = (deps: ProviderDeps) => Promise<Found>

const LISTED = {
  former_names: ['Bolt Works Limited'],
  country_code: 'GB',
  street: '12 Forge Lane',
  city: 'Leeds',
  postal_code: 'LS1 4AB',
}
const REGISTERED: RegisteredCompany[] = [
  {
    ...LISTED,
    legal_name: 'ACME ROBOTICS LIMITED',
    lei: '5493001KJTIIGC8Y1R12',
    number: '01234567',
    parent: '00345678',
  },
  { ...LISTED, legal_name: 'ACME GROUP PLC', lei: '5493001KJTIIGC8Y1R13', number: '00345678', parent: 'none' },
]
const REGISTERED_AS = { gleif: '5493001KJTIIGC8Y1R12', 'companies-house': '01234567' }

const toNamed = ({ legal_name, url }: RegisterRecord) => ({ name: legal_name, url })
/** Owners from abroad have no number. */
const OPTIONAL: ReadonlySet<string> = new Set(['.items[].identification.registration_number'])

/** Every source with a query that has items. A new source is a line. */
const SOURCES: Record<string, Ask> = {
  ...Object.fromEntries(
    boards.map((vendor): [string, Ask] => [
      `postings of ${JOB_BOARDS[vendor].name}`,
      (deps) => JOB_BOARDS[vendor].postings(deps, boardToken(vendor, 'acme')),
    ]),
  ),
  ...Object.fromEntries(
    documentSources(everything).map((source): [string, Ask] => [
      `documents of ${source.name}`,
      (deps) => source.find(deps, acme, since),
    ]),
  ),
  ...Object.fromEntries(
    leadSources(everything).map((source): [string, Ask] => [
      `leads of ${source.name}`,
      (deps) => source.leads(deps, ['funding'], since, 10),
    ]),
  ),
  ...Object.fromEntries(
    firmographicsSources(everything).map((source): [string, Ask] => [
      `facts of ${source.name}`,
      (deps) => source.fetchFirmographics(deps, acme),
    ]),
  ),
  ...Object.fromEntries(
    enabledRegisters(everything).flatMap((register): [string, Ask][] => [
      [`records of ${register.name}`, (deps) => register.search(deps, 'Acme Robotics')],
      [
        `relations of ${register.name}`,
        async (deps) => {
          const found = await register.relations(deps, REGISTERED_AS[register.source])
          return found.outcome === 'items'
            ? { ...found, items: found.items.map(({ company }) => toNamed(company)) }
            : found
        },
      ],
    ]),
  ),
  'releases of GitHub': (deps) => fetchGithubActivity(deps, acme, organisation, since),
  'incidents of status pages': (deps) => fetchIncidents(deps, acme, 'https://acmerobotics.statuspage.io', since),
  ...Object.fromEntries(
    // The feeds of a stream have one format, unless they are separate lists or other forms.
    [...STREAMS.values()]
      .filter(({ name }) => !OTHER_FORMATS.has(name))
      .flatMap((stream) =>
        (stream.feedNames || stream.isSearchable ? stream.feeds : stream.feeds.slice(0, 1)).map(
          (feed): [string, Ask] => [
            `${stream.name}: ${feed}`,
            (deps) => stream.read(deps, feed, { since: daysAgo(stream.firstDays), state: null, accounts }),
          ],
        ),
      ),
  ),
}

const net = await vendorNet(
  {
    ...recordsOfAcme,
    registered: REGISTERED,
    companies: [
      ...recordsOfAcme.companies,
      ...boards.map((vendor) => {
        const job_board = { vendor, token: boardToken(vendor, 'acme'), postings: [posting('1001'), posting('1002')] }
        return company(`At ${vendor}`, { job_board })
      }),
    ],
  } satisfies Partial<World>,
  ({ url }) => {
    if (url.host !== 'news.example') return null
    const body = '<title>News</title><article><p>Acme Robotics has raised $20 million.</p></article>'
    return { status: 200, headers: { 'content-type': 'text/html' }, body }
  },
)
after(() => net[Symbol.asyncDispose]())

/** A field of the responses of a host: a path in JSON, the name of an XML element, or a column header. */
type Field = { host: string; kind: 'json' | 'xml' | 'column'; name: string }

/** Dependencies that answer each request once from the vendor, and then from memory, with a field renamed. */
function replaying() {
  const deps = net.deps(env, { signal: new AbortController().signal })
  const answers = new Map<string, ReturnType<typeof deps.outbound.request>>()
  const fields = new Map<string, Field>()
  let renamed: Field | null = null
  const request: typeof deps.outbound.request = async (url, options) => {
    const key = `${options.method ?? 'GET'} ${url} ${options.body ?? ''}`
    if (!answers.has(key)) answers.set(key, deps.outbound.request(url, options))
    const answer = await (answers.get(key) as ReturnType<typeof deps.outbound.request>)
    const { host, pathname } = new URL(url)
    // The parser takes the body away.
    if (pathname === '/robots.txt' || answer.status !== 200) return { ...answer, body: Buffer.from(answer.body) }
    const text = answer.body.toString()
    for (const field of fieldsOf(host, text)) fields.set(`${host} ${field.name}`, field)
    const body = Buffer.from(renamed?.host === host ? rename(text, renamed) : text)
    return { ...answer, body, text: () => body.toString() }
  }
  const replayed: ProviderDeps = { ...deps, outbound: { ...deps.outbound, request } }
  return {
    fields,
    ask(query: Ask, field: Field | null) {
      renamed = field
      return query(replayed)
    },
  }
}

function fieldsOf(host: string, text: string): Field[] {
  const named = (kind: Field['kind'], names: Iterable<string>) =>
    [...new Set(names)].map((name) => ({ host, kind, name }))
  if (/^\s*[[{]/.test(text)) return named('json', pathsIn(JSON.parse(text)))
  if (/^<\?xml|^<rss/.test(text))
    return named(
      'xml',
      [...text.replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '').matchAll(/<([a-z][\w:.-]*)/gi)].map(
        ([, name]) => name as string,
      ),
    )
  return named(
    'column',
    [...text.matchAll(/<th\b[^>]*>([^<]+)</g)].map(([, header]) => header as string),
  )
}

/** The paths of all keys, with `[]` for the entries of a list. */
function pathsIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pathsIn(entry, `${at}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [`${at}.${key}`, ...pathsIn(inner, `${at}.${key}`)])
}

function rename(text: string, { kind, name }: Field): string {
  if (kind === 'json') return /^\s*[[{]/.test(text) ? JSON.stringify(renameKey(JSON.parse(text), name)) : text
  if (kind === 'xml') return text.replaceAll(new RegExp(`(</?)${name}(?=[\\s/>])`, 'g'), '$1renamed')
  return text.replaceAll(`>${name}<`, '>Renamed<')
}

function renameKey(value: unknown, path: string, at = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => renameKey(entry, path, `${at}[]`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      `${at}.${key}` === path ? ['renamed', inner] : [key, renameKey(inner, path, `${at}.${key}`)],
    ),
  )
}

/** What identifies an item: its address, its title and the company. */
function identityOf(item: unknown) {
  const { url, title, name, company: about, document } = item as Record<string, unknown>
  // The title of a public record is a sentence about it, which may have fewer details.
  const { url: page, title: written, tells } = (document ?? {}) as Record<string, unknown>
  const headline = tells ? null : written
  return { url, title, name, about, page, headline }
}

/** What is wrong with the outcome after a field was renamed; null when nothing is. */
function problemOf(found: Found, before: unknown[]): string | null {
  if (found.outcome === 'failed') {
    return found.reason.includes('unexpected response format') ? null : `failed without the words: ${found.reason}`
  }
  if (found.outcome === 'nothing') return 'nothing'
  const after = found.items.map(identityOf)
  return isDeepStrictEqual(after, before) ? null : `other items: ${JSON.stringify(after).slice(0, 300)}`
}

describe('a renamed field', () => {
  for (const [source, query] of Object.entries(SOURCES)) {
    test(source, async (t) => {
      const { fields, ask } = replaying()
      const found = await ask(query, null)
      assert.equal(found.outcome, 'items', JSON.stringify(found))
      const before = (found.outcome === 'items' ? found.items : []).map(identityOf)
      const problems: string[] = []
      let failed = 0
      for (const field of [...fields.values()].filter(({ name }) => !OPTIONAL.has(name))) {
        const changed = await ask(query, field)
        if (changed.outcome === 'failed') failed++
        const problem = problemOf(changed, before)
        if (problem) problems.push(`${field.name}: ${problem}`)
      }
      t.diagnostic(`${fields.size} fields renamed, ${failed} of them are needed`)
      assert.ok(fields.size > 0)
      assert.deepEqual(problems, [])
    })
  }
})
