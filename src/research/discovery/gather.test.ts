import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxRequest } from '../../../sandbox/types.ts'
import { json } from '../../../sandbox/vendors/boards.ts'
import { addCompanies, EVENTS } from '../../../test/support/companies.ts'
import { testService } from '../../../test/support/service.ts'
import { type Site, testWorld } from '../../../test/support/world.ts'
import type { SiteHints } from '../../providers/types.ts'
import { addressWitnesses } from '../../providers/web/witnesses.ts'
import { insertAccounts } from '../../resources/accounts/store.ts'
import { newId } from '../../shared/ids.ts'
import { resolveLeads, type SourcedLead } from '../resolve-leads.ts'
import { discoverAccounts } from './discover.job.ts'

const deadline = new AbortController()
const sites: Record<string, Site> = {
  'news.example': { '*': '<html><body><p>So says <a href="https://oak.example/">Oak Systems</a>.</p></body></html>' },
  'oak.example': { '/': '<html><head><title>Oak Furniture</title></head><body><p>Chairs.</p></body></html>' },
  'acme.example': {
    '/': '<title>Acme Holdings</title><p>Part of us: <a href="https://linden.example/">Linden</a>.</p>',
  },
  'linden.example': { '/': '<title>Linden</title><p>Trees.</p>' },
  // The names are right; only the first two show a place of the record.
  'hazelworks.com': { '/': '<title>Hazel Works</title><p>Hazel Works, 12 Mill Road, Tacoma, Washington</p>' },
  'medlarbau.de': { '/': '<title>Medlar Bau GmbH</title><p>Medlar Bau GmbH, 20095 Hamburg, HRB 123456</p>' },
  'nettlefoods.com': { '/': '<title>Nettle Foods</title><p>112 Mill Road, Tacoma Street, Spokane</p>' },
  'api.gleif.org': {
    '*': ({ url }: SandboxRequest) =>
      json(200, { data: /medlar/.test(url.search) ? [MEDLAR] : [], meta: { pagination: { total: 1 } } }),
  },
  'slow.example': {
    '*': () => {
      deadline.abort()
      return 'stall'
    },
  },
}
const MEDLAR = {
  attributes: {
    lei: '529900T8BM49AURSDO55',
    entity: {
      ...{ legalName: { name: 'Medlar Bau GmbH' }, status: 'ACTIVE', registeredAs: 'HRB 123456' },
      legalAddress: { addressLines: ['Kai 3'], city: 'Hamburg', country: 'DE', postalCode: '20095' },
    },
    registration: { status: 'ISSUED' },
  },
}
const { internet } = await testWorld({ vendors: [], sites })
const { deps, admin, run, workspaceId, databaseUrl } = await testService({
  env: {
    ...{ ...internet.env, CRAWL_DELAY_MS: '0', SOURCES: 'website,gleif' },
    ...{ DISCOVERY_CONCURRENCY: '1', DISCOVERY_MAX_CANDIDATES: '1' },
  },
})

function lead(name: string, url: string, domain: string | null = null): SourcedLead {
  const document = { url, kind: 'article' as const, ...EVENTS.funding(name), published_date: null }
  return { company: { name, domain }, signal_id: 'funding', document, source: 'News' }
}

/** A layoff notice, which states a place. */
const notice = (name: string, hints: SiteHints): SourcedLead => ({
  ...lead(name, 'https://notices.example/list'),
  hints,
})

const resolve = (leads: SourcedLead[], until: AbortSignal) =>
  resolveLeads(deps, workspaceId, leads, new AbortController().signal, until)

test('the site of a company in many stories is searched in a few of them, and each site is read once', async () => {
  const leads = ['a', 'b', 'c', 'd', 'e'].map((path) => lead('Oak Systems', `https://news.example/${path}`))
  const { unresolved, reports } = await resolve(leads, new AbortController().signal)
  assert.deepEqual([unresolved.length, reports], [1, []])
  const asked = internet.requests.map(({ url }) => url).filter((url) => !/robots\.txt$|gleif/.test(url))
  assert.deepEqual(asked.sort(), [
    'https://news.example/a',
    'https://news.example/b',
    'https://news.example/c',
    'https://oak.example/',
  ])
})

test('a site at a domain formed from the name needs a place of the record or of the only registered company', async () => {
  const tacoma = { named: [], witnesses: addressWitnesses({ street: '12 Mill Road', city: 'Tacoma', state: 'WA' }) }
  const { candidates, unresolved } = await resolve(
    [
      notice('Hazel Works, Inc.', { ...tacoma, country: 'US' }),
      notice('Nettle Foods', { ...tacoma, country: 'US' }),
      notice('Medlar Bau', { named: [], witnesses: [] }),
    ],
    new AbortController().signal,
  )
  assert.deepEqual([...candidates.keys()], ['hazelworks.com', 'medlarbau.de'])
  assert.deepEqual(
    unresolved.map(({ name, attempts }) => [name, ...attempts]),
    [
      [
        ...['Nettle Foods', 'The release names no website.', 'GLEIF: no company of this name in its country.'],
        'Domains formed from the name: nettlefoods.com uses the name, but shows nothing else that the source states; no page could be read at nettle-foods.com, nettle.com, nettlefoods.io, nettlefoods.ai.',
      ],
    ],
  )
})

test('a site that the source names is searched for the company, and a publisher is no company site', async () => {
  const { candidates, unresolved } = await resolve(
    [
      notice('Linden', { named: ['acme.example'], witnesses: [] }),
      lead('Osier', 'https://www.prnewswire.com/osier', 'prnewswire.com'),
    ],
    new AbortController().signal,
  )
  assert.deepEqual([...candidates.keys()], ['linden.example'])
  assert.deepEqual(
    unresolved.map(({ name }) => name),
    ['Osier'],
  )
})

test('companies whose domain is not resolved in time are unresolved, and a report has their number', async () => {
  const leads = [
    lead('Rue', 'https://slow.example/rue'),
    lead('Sage', 'https://slow.example/sage'),
    lead('Teasel', 'https://teasel.example/news', 'teasel.example'),
  ]
  const { candidates, unresolved, reports } = await resolve(leads, deadline.signal)
  assert.deepEqual([[...candidates.keys()], unresolved.map(({ name }) => name)], [['teasel.example'], ['Rue', 'Sage']])
  assert.deepEqual(unresolved[0]?.attempts, ['The time limit of the run was reached before its website was found.'])
  const reason = 'The time limit was reached before the domains of 2 companies were resolved.'
  assert.deepEqual(reports, [{ name: 'company domains', outcome: 'items', items: 1, reason }])
})

test('a run reports that it has not read the whole universe', async () => {
  const companies = Array.from({ length: 201 }, (_, at) => ({ name: `Firm ${at}`, domain: `firm-${at}.example` }))
  await addCompanies(databaseUrl, workspaceId, companies)
  const accounts = companies.map((company) => ({ ...company, id: newId(), tags: [], owner_id: null }))
  await insertAccounts(deps.db, workspaceId, 'api', accounts)
  const { run_id } = await admin.expect(202, 'POST', '/v1/runs', { signals: { any_of: ['funding'] } })
  await run(discoverAccounts, { workspace_id: workspaceId, run_id })
  const { status, stats } = await admin.expect(200, 'GET', `/v1/runs/${run_id}`)
  assert.equal(status, 'done')
  const [universe, ...others] = stats.lead_sources
  assert.deepEqual([universe.name, universe.outcome, others], ['universe', 'nothing', []])
  assert.match(universe.reason, /^200 companies were read\. .* the remaining ones were not read\.$/)
})
