// Responses of vendors may be anything: missing parts, other types, endless, other wording. A source returns items or reports
// a failure, a CRM writes or reports the reason; there is no other outcome.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import type { HostResponse } from '../../sandbox/internet.ts'
import type { JobBoardVendor, World } from '../../sandbox/types.ts'
import { createHubspot } from '../../sandbox/vendors/hubspot.ts'
import { PDL_KEY } from '../../sandbox/vendors/people-data-labs.ts'
import { createSalesforce } from '../../sandbox/vendors/salesforce.ts'
import { ZEROBOUNCE_KEY } from '../../sandbox/vendors/zerobounce.ts'
import { loadConfig } from '../../src/config/config.ts'
import { parseSerializedList } from '../../src/engine/json/parse-list.ts'
import { isStorable } from '../../src/engine/text/storable.ts'
import { CRM_PROVIDERS, crmVendor } from '../../src/providers/crm/registry.ts'
import { type CrmAccess, CrmError, type LookupBy } from '../../src/providers/crm/vendor/types.ts'
import { zerobounce } from '../../src/providers/email/zerobounce.ts'
import { JOB_BOARDS } from '../../src/providers/job-boards/index.ts'
import { compileCascadeWithLlm } from '../../src/providers/llm/cascade.ts'
import { PEOPLE_SOURCES, ROLE_SOURCES } from '../../src/providers/people-data/index.ts'
import { PHONE_SOURCES } from '../../src/providers/phone/index.ts'
import { fetchGithubActivity } from '../../src/providers/software/github.ts'
import { fetchIncidents } from '../../src/providers/software/status-page.ts'
import type { ProviderDeps, RosterResult, SourceResult } from '../../src/providers/types.ts'
import { documentSources, firmographicsSources, leadSources } from '../../src/research/sources.ts'
import { boardToken, company, daysAgo, posting, softwareOfAcme, toldOfAcme, vendorNet } from '../support/vendors.ts'
import { fuzz } from './support.ts'
import { damaged, edits, ODD, PROSE } from './wild-texts.ts'

const acme = company('Acme Robotics', {
  ...{ domain: 'acme.example', wikidata: { id: 'Q1', employees: 250 }, cik: 1001 },
  ...softwareOfAcme(),
})
const boards = Object.keys(JOB_BOARDS) as JobBoardVendor[]
const WORLD: Partial<World> = {
  companies: [
    acme,
    ...boards.map((vendor) =>
      company(`At ${vendor}`, {
        job_board: { vendor, token: boardToken(vendor, `acme-${vendor}`), postings: [posting('1001')] },
      }),
    ),
  ],
  ...toldOfAcme([{ first: 'Ada', last: 'Pike', roles: ['Executive Officer'], clarification: 'CFO' }]),
  profiles: [
    {
      id: 'p1',
      full_name: 'ada pike',
      job_title: 'chief financial officer',
      job_company_website: 'acme.example',
      linkedin_url: 'linkedin.com/in/ada',
      mobile_phone: '+493012345678',
    },
  ],
  mail: [{ domain: 'acme.example', behaviour: 'users', users: ['ada.pike'] }],
}

type Alteration = {
  /** Values to insert into a response, each at a relative position among all its values. */
  values: { at: number; kind: 'replace' | 'remove' | 'repeat'; value: unknown }[]
  /** Occasional damage to its text. */
  edits: Parameters<typeof damaged>[1]
  status: number | null
  headers: Record<string, string>
}

let altering: Alteration | null = null

/** Every position in a JSON value, as its container and key. */
function places(value: unknown, found: { holder: Record<string, unknown>; name: string }[] = []) {
  if (typeof value !== 'object' || value === null) return found
  for (const name of Object.keys(value)) {
    found.push({ holder: value as Record<string, unknown>, name })
    places((value as Record<string, unknown>)[name], found)
  }
  return found
}

function altered(answer: HostResponse): HostResponse {
  if (!altering || answer === null || typeof answer === 'string') return answer
  const { values, edits, status, headers } = altering
  let body = String(answer.body ?? '')
  try {
    const root: { whole: unknown } = { whole: JSON.parse(body) }
    let repeated = false
    for (const { at, kind, value } of values) {
      const all = places(root)
      const place = all[Math.floor(at * all.length)]
      if (!place) continue
      const { holder, name } = place
      if (kind === 'replace') holder[name] = structuredClone(value)
      // Repeated repetition would fill the memory of the test.
      else if (kind === 'repeat' && body.length < 20_000 && !repeated) {
        const one = holder[name]
        holder[name] = Array.from({ length: 150 }, () => structuredClone(one))
        repeated = true
      } else if (kind === 'remove' && Array.isArray(holder)) holder.splice(Number(name), 1)
      else if (kind === 'remove') delete holder[name]
    }
    body = JSON.stringify(root.whole) ?? ''
  } catch {
    // The text of an XML or HTML response is damaged instead.
  }
  body = damaged(body, edits)
  return { status: status ?? answer.status, headers: { ...answer.headers, ...headers }, body }
}

const VALUES: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, '', ' ', [], {}, [[]], [null], { a: {} }, 'x'.repeat(70_000)),
  fc.constantFrom<unknown>(
    'http://',
    'javascript:alert(1)',
    'https://acme.example/%',
    '2026-02-30',
    '9999999999',
    '\ud800',
    'a\0b',
  ),
  fc.constantFrom<unknown>({ constructor: 1, __proto__: null }, { length: -1 }, { toString: null }, [1, 'a', {}]),
  ODD,
  PROSE,
  fc.jsonValue({ maxDepth: 3 }),
)
const ALTERATIONS: Arbitrary<Alteration> = fc.record({
  values: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      kind: fc.constantFrom('replace', 'replace', 'remove', 'repeat'),
      value: VALUES,
    }),
    { maxLength: 3 },
  ) as Arbitrary<Alteration['values']>,
  edits: fc.oneof({ arbitrary: fc.constant([]), weight: 12 }, edits(ODD, 2)),
  status: fc.oneof({ arbitrary: fc.constant(null), weight: 12 }, fc.constantFrom(201, 204, 206, 302, 400, 418)),
  headers: fc.oneof(
    { arbitrary: fc.constant({}), weight: 10 },
    fc.constantFrom<Record<string, string>>(
      { 'content-type': 'text/html; charset=utf-7' },
      { 'content-type': ';' },
      { 'retry-after': 'soon' },
      { location: 'https://\x7f', link: '<' },
      { 'x-hubspot-ratelimit-remaining': '-1', 'sforce-limit-info': 'api-usage=x/0' },
    ),
  ),
})

const hubspot = createHubspot({
  limit: { calls: 1_000_000, ms: 10_000 },
  searchesPerSecond: 100_000,
  keys: ['sandbox-token'],
  keepCalls: false,
})
const salesforce = createSalesforce({ dailyLimit: 1_000_000_000, org: 'northwind', keepCalls: false })
const crms = [hubspot, salesforce]
const others: Parameters<typeof vendorNet>[1] = (request) => {
  const { hostname } = request.url
  const isHere = (host: string) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)
  return crms.find(({ hosts }) => hosts.some(isHere))?.answer(request, net.world) ?? null
}
const net = await vendorNet(WORLD, others, altered)
after(() => net[Symbol.asyncDispose]())

const ENV = {
  SOURCES: 'sec,hacker-news,wikidata,job-boards,website',
  PDL_API_KEY: PDL_KEY,
  PDL_REQUESTS_PER_MINUTE: '100000',
  ZEROBOUNCE_API_KEY: ZEROBOUNCE_KEY,
  LLM_BASE_URL: 'https://llm.example/v1',
  LLM_MODEL: 'honest',
  CRAWL_DELAY_MS: '0',
}
const everything = loadConfig({ ...ENV, OUTBOUND_CONTACT: 'ops@team.example' })
const role = { titles: ['CFO'], words: new Set(['cfo']), fits: () => true, key: 'CFO' }
const SINCE = daysAgo(60)

/** The result of a people source, in the form of the other sources. */
function opened(found: RosterResult): SourceResult<unknown> {
  return found.outcome === 'items' ? { outcome: 'items', items: parseSerializedList(found.people) } : found
}

/** Every source, with a query that has results. */
const LOOKS: Record<string, (deps: ProviderDeps) => Promise<SourceResult<unknown>>> = {
  ...Object.fromEntries(
    boards.map((vendor) => [
      vendor,
      (deps: ProviderDeps) => JOB_BOARDS[vendor].postings(deps, boardToken(vendor, `acme-${vendor}`)),
    ]),
  ),
  github: (deps) => fetchGithubActivity(deps, acme, [{ organisation: 'acme-robotics', isOrganisation: true }], SINCE),
  'status pages': (deps) => fetchIncidents(deps, acme, 'https://acmerobotics.statuspage.io', SINCE),
  ...Object.fromEntries(
    documentSources(everything).map((source) => [
      `documents of ${source.name}`,
      (deps: ProviderDeps) => source.find(deps, acme, SINCE),
    ]),
  ),
  ...Object.fromEntries(
    leadSources(everything).map((source) => [
      `leads of ${source.name}`,
      (deps: ProviderDeps) => source.leads(deps, ['funding'], SINCE, 10),
    ]),
  ),
  ...Object.fromEntries(
    firmographicsSources(everything).map((source) => [
      `facts of ${source.name}`,
      (deps: ProviderDeps) => source.fetchFirmographics(deps, acme),
    ]),
  ),
  ...Object.fromEntries(
    PEOPLE_SOURCES.filter(({ own }) => !own).map((source) => [
      `people of ${source.name}`,
      async (deps: ProviderDeps) => opened(await source.roster(deps, acme)),
    ]),
  ),
  ...Object.fromEntries(
    ROLE_SOURCES.filter(({ own }) => !own).map((source) => [
      `roles of ${source.name}`,
      async (deps: ProviderDeps) => opened(await source.find(deps, acme, role)),
    ]),
  ),
  ...Object.fromEntries(
    PHONE_SOURCES.map((source) => [
      `phones of ${source.name}`,
      (deps: ProviderDeps) =>
        source.find(deps, { full_name: 'Ada Pike', network_url: 'https://linkedin.com/in/ada', company: acme }),
    ]),
  ),
}

// A client caches the state of hosts and pauses failing ones, so it is replaced now and then.
const RENEWED_EVERY = 15
let asked = 0
let deps = net.deps(ENV)
function freshDeps(): ProviderDeps {
  if (++asked % RENEWED_EVERY === 0) deps = net.deps(ENV)
  return { ...deps, signal: AbortSignal.timeout(60_000) }
}

async function withAltered<T>(alteration: Alteration, call: () => Promise<T>): Promise<T> {
  altering = alteration
  try {
    return await call()
  } finally {
    altering = null
  }
}

function assertStorable(value: unknown): void {
  if (typeof value === 'string') assert.ok(isStorable(value), `not storable: ${JSON.stringify(value.slice(0, 200))}`)
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) assertStorable(part)
}

const outcomes = new Map<string, number>()
fuzz(
  'a source gives items, nothing, or says that it failed',
  { share: 0.6, least: 300 },
  fc.asyncProperty(fc.constantFrom(...Object.keys(LOOKS)), ALTERATIONS, async (name, alteration) => {
    const look = LOOKS[name] as (typeof LOOKS)[string]
    const found = await withAltered(alteration, () => look(freshDeps()))
    outcomes.set(found.outcome, (outcomes.get(found.outcome) ?? 0) + 1)
    assert.ok(['items', 'nothing', 'failed'].includes(found.outcome))
    if (found.outcome === 'failed') assert.match(found.reason, /^[A-Z]/)
    if (found.outcome === 'items') assert.ok(found.items.length > 0)
    assertStorable(found)
  }),
  () => `; ${[...outcomes].map(([outcome, n]) => `${n} × ${outcome}`).join(', ')}`,
)

fuzz(
  'a verifier of addresses and a language model that answer anything are not believed, and break nothing',
  { share: 0.1, least: 60 },
  fc.asyncProperty(ALTERATIONS, PROSE, async (alteration, query) => {
    const finding = await withAltered(alteration, () =>
      zerobounce.verify(freshDeps(), 'acme.example', ['ada.pike@acme.example']),
    )
    assert.ok(finding.verified === null || finding.verified === 'ada.pike@acme.example')
    assertStorable(finding)
    assertStorable(await withAltered(alteration, () => compileCascadeWithLlm(freshDeps(), `${query} VP of Sales`)))
  }),
)

fuzz(
  'a CRM takes records or says why not',
  { share: 0.3, least: 20 },
  fc.asyncProperty(
    fc.constantFrom(...CRM_PROVIDERS),
    ALTERATIONS,
    fc.constantFrom<LookupBy>('id', 'key', 'email', 'domain'),
    fc.constantFrom('company' as const, 'contact' as const),
    async (provider, alteration, by, object) => {
      const vendor = crmVendor(provider)
      const session = {
        vendorAccount: crypto.randomUUID(),
        base: () => (typeof vendor.origin === 'string' ? vendor.origin : vendor.origin.example),
        token: async () => 'sandbox-token',
        renew: async () => {
          throw new CrmError('auth', 'There is no other token.')
        },
      }
      const access: CrmAccess = { outbound: freshDeps().outbound, session, signal: AbortSignal.timeout(1_000) }
      const api = vendor.create()
      const crm = api.open(access)
      const change = {
        key: crypto.randomUUID(),
        id: null,
        values: { name: 'Acme', domain: 'acme.example', email: 'a@acme.example' },
        writeKey: true,
        company_id: null,
      }
      const activity = {
        ...{ key: crypto.randomUUID(), company_id: '1', contact_id: null, owner_id: null },
        ...{ title: 'Write to Acme', text: 'Acme moved.' },
        ...{ due_on: '2026-11-17', logged_at: '2026-11-17T08:00:00.000Z' },
      }
      for (const call of [
        () => api.identify(access),
        () => crm.prepare(),
        () => crm.find(object, by, ['acme.example', '1']),
        () => crm.write(object, [change]),
        () => crm.logActivity(activity),
      ]) {
        try {
          assertStorable(await withAltered({ ...alteration, edits: [], status: null }, call as () => Promise<unknown>))
        } catch (error) {
          assert.ok(error instanceof CrmError, `${(error as Error).stack}`)
          assert.match(error.message, /\w/)
        }
      }
    },
  ),
)
