import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCompanies, EVENTS } from '../../../test/support/companies.ts'
import { testService } from '../../../test/support/service.ts'
import { type Site, testWorld } from '../../../test/support/world.ts'
import { insertAccounts } from '../../resources/accounts/store.ts'
import { newId } from '../../shared/ids.ts'
import { resolveLeads, type SourcedLead } from '../resolve-leads.ts'
import { discoverAccounts } from './discover.job.ts'

const deadline = new AbortController()
const sites: Record<string, Site> = {
  'news.example': { '*': '<html><body><p>So says <a href="https://oak.example/">Oak Systems</a>.</p></body></html>' },
  'oak.example': { '/': '<html><head><title>Oak Furniture</title></head><body><p>Chairs.</p></body></html>' },
  'slow.example': {
    '*': () => {
      deadline.abort()
      return 'stall'
    },
  },
}
const { internet } = await testWorld({ vendors: [], sites })
const { deps, admin, run, workspaceId, databaseUrl } = await testService({
  env: {
    ...{ ...internet.env, CRAWL_DELAY_MS: '0', SOURCES: 'website' },
    ...{ DISCOVERY_CONCURRENCY: '1', DISCOVERY_MAX_CANDIDATES: '1' },
  },
})

function lead(name: string, url: string, domain: string | null = null): SourcedLead {
  const document = { url, kind: 'article' as const, ...EVENTS.funding(name), published_date: null }
  return { company: { name, domain }, signal_id: 'funding', document, source: 'News' }
}

const resolve = (leads: SourcedLead[], until: AbortSignal) =>
  resolveLeads(deps, workspaceId, leads, new AbortController().signal, until)

test('the site of a company in many stories is searched in a few of them, and each site is read once', async () => {
  const leads = ['a', 'b', 'c', 'd', 'e'].map((path) => lead('Oak Systems', `https://news.example/${path}`))
  const { unresolved, reports } = await resolve(leads, new AbortController().signal)
  assert.deepEqual([unresolved, reports], [1, []])
  const asked = internet.requests.map(({ url }) => url).filter((url) => !url.endsWith('/robots.txt'))
  assert.deepEqual(asked.sort(), [
    'https://news.example/a',
    'https://news.example/b',
    'https://news.example/c',
    'https://oak.example/',
  ])
})

test('companies whose domain is not resolved in time are unresolved, and a report has their number', async () => {
  const leads = [
    lead('Rue', 'https://slow.example/rue'),
    lead('Sage', 'https://slow.example/sage'),
    lead('Teasel', 'https://teasel.example/news', 'teasel.example'),
  ]
  const { candidates, unresolved, reports } = await resolve(leads, deadline.signal)
  assert.deepEqual([[...candidates.keys()], unresolved], [['teasel.example'], 2])
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
