// Rules for every source: items, nothing and failed are never mixed up.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { JobBoardVendor, Outage, World } from '../../sandbox/types.ts'
import {
  boardToken,
  company,
  daysAgo,
  posting,
  softwareOfAcme,
  toldOfAcme,
  vendorNet,
} from '../../test/support/vendors.ts'
import { loadConfig } from '../config/config.ts'
import { documentSources, firmographicsSources, leadSources } from '../research/sources.ts'
import { wikidata } from './firmographics/wikidata.ts'
import { JOB_BOARDS } from './job-boards/index.ts'
import { fetchGithubActivity } from './software/github.ts'
import { fetchIncidents } from './software/status-page.ts'
import type { ProviderDeps, SourceResult } from './types.ts'

const net = await vendorNet({}, ({ url }) => {
  if (url.host !== 'news.example') return null
  if (url.pathname === '/robots.txt') return { status: 404 }
  const body = '<title>News</title><article><p>Acme Robotics has raised $20 million.</p></article>'
  return { status: 200, headers: { 'content-type': 'text/html' }, body }
})
after(() => net[Symbol.asyncDispose]())

const SINCE = daysAgo(60)
const OUTAGES: Outage[] = ['error', 'refused', 'spent', 'garbage', 'misshapen', 'busy', 'stall', 'drop']

type Case = {
  source: string
  vendor: string
  /** A query for something in the world, and one for something that is not. */
  there: (deps: ProviderDeps) => Promise<SourceResult<unknown>>
  absent: (deps: ProviderDeps) => Promise<SourceResult<unknown>>
}

const acme = company('Acme Robotics', { wikidata: { id: 'Q1', employees: 250 }, cik: 1001, ...softwareOfAcme() })
const full: Partial<World> = {
  companies: [acme],
  ...toldOfAcme(),
}

function withBoard(vendor: JobBoardVendor): World {
  const board = { vendor, token: boardToken(vendor, 'acme'), postings: [posting('1001')] }
  return { ...net.world, companies: [{ ...acme, job_board: board }] }
}

const everything = loadConfig({ SOURCES: 'sec,hacker-news,wikidata,job-boards,website' })
const VENDOR_OF: Record<string, string> = { 'SEC EDGAR': 'sec', 'Hacker News': 'hacker-news' }
const nobody = { name: 'Nobody Anywhere', domain: null }
const organisation = (name: string) => [{ organisation: name, isOrganisation: true }]

const JOB_BOARD_VENDORS = Object.keys(JOB_BOARDS) as JobBoardVendor[]

const cases: Case[] = [
  ...JOB_BOARD_VENDORS.map((vendor) => ({
    source: `postings of ${JOB_BOARDS[vendor].name}`,
    vendor,
    there: (deps: ProviderDeps) => JOB_BOARDS[vendor].postings(deps, boardToken(vendor, 'acme')),
    absent: (deps: ProviderDeps) => JOB_BOARDS[vendor].postings(deps, boardToken(vendor, 'nobody')),
  })),
  ...documentSources(everything).map((source) => ({
    source: `documents of ${source.name}`,
    vendor: VENDOR_OF[source.name] as string,
    there: (deps: ProviderDeps) => source.find(deps, acme, SINCE),
    absent: (deps: ProviderDeps) => source.find(deps, nobody, SINCE),
  })),
  ...leadSources(everything).map((source) => ({
    source: `leads of ${source.name}`,
    vendor: VENDOR_OF[source.name] as string,
    there: (deps: ProviderDeps) => source.leads(deps, ['funding'], SINCE, 10),
    absent: (deps: ProviderDeps) => source.leads(deps, ['layoffs'], SINCE, 10),
  })),
  ...firmographicsSources(everything).map((source) => ({
    source: `facts of ${source.name}`,
    vendor: 'wikidata',
    there: (deps: ProviderDeps) => source.fetchFirmographics(deps, acme),
    absent: (deps: ProviderDeps) => source.fetchFirmographics(deps, nobody),
  })),
  {
    source: 'releases of GitHub',
    vendor: 'github',
    there: (deps) => fetchGithubActivity(deps, acme, organisation('acme-robotics'), SINCE),
    absent: (deps) => fetchGithubActivity(deps, acme, organisation('nobody'), SINCE),
  },
  {
    source: 'incidents of status pages',
    vendor: 'statuspage',
    there: (deps) => fetchIncidents(deps, acme, 'https://acmerobotics.statuspage.io', SINCE),
    absent: (deps) => fetchIncidents(deps, acme, 'https://nobody.statuspage.io', SINCE),
  },
]

for (const { source, vendor, there, absent } of cases) {
  describe(source, () => {
    const world = (outage?: Outage): World => ({
      ...net.world,
      ...full,
      ...(vendor in JOB_BOARDS && withBoard(vendor as JobBoardVendor)),
      ...(outage ? { outages: { [vendor]: outage } } : { outages: {} }),
    })

    // Without the usual limit, which all suites would share from here on.
    const { signal } = new AbortController()
    const deps = net.deps({}, { signal })
    const hasty = net.deps({}, { timeoutMs: 100, signal })

    test('returns existing data as items', async () => {
      net.world = world()
      const found = await there(deps)
      assert.equal(found.outcome, 'items', JSON.stringify(found))
      assert.equal(found.outcome === 'items' && found.items.length, 1)
    })

    test('returns nothing for missing data', async () => {
      net.world = world()
      assert.deepEqual(await absent(deps), { outcome: 'nothing' })
    })

    for (const outage of OUTAGES) {
      test(`fails when the vendor responds with "${outage}", whether or not there is data`, async () => {
        net.world = world(outage)
        for (const look of [there, absent]) {
          const found = await look(outage === 'stall' ? hasty : deps)
          assert.equal(found.outcome, 'failed', JSON.stringify(found))
          assert.match(found.outcome === 'failed' ? found.reason : '', /^[A-Z].*\.$/)
        }
      })
    }

    test('an abort by the caller reports no problem of the vendor', async () => {
      net.world = world('stall')
      const giveUp = new AbortController()
      const look = there(net.deps({}, { signal: giveUp.signal }))
      giveUp.abort()
      await assert.rejects(look, { kind: 'aborted' })
    })
  })
}

test('a source is queried only when it is enabled', () => {
  const names = (env: Record<string, string>) => {
    const config = loadConfig(env)
    return [documentSources(config), leadSources(config), firmographicsSources(config)].map((sources) =>
      sources.map(({ name }) => name),
    )
  }
  const known = { OUTBOUND_CONTACT: 'ops@team.example' }
  assert.deepEqual(names(known), [['SEC EDGAR', 'Hacker News'], ['SEC EDGAR', 'Hacker News'], ['Wikidata']])
  // The SEC rejects requests without contact details.
  assert.deepEqual(names({}), [['Hacker News'], ['Hacker News'], ['Wikidata']])
  assert.deepEqual(names({ SOURCES: 'website,wikidata' }), [[], [], ['Wikidata']])
})

test('a request is retried once after the delay in Retry-After', async () => {
  net.world = { ...net.world, ...full, outages: { wikidata: 'busy' } }
  const deps = net.deps()
  net.asked()
  assert.equal((await wikidata.fetchFirmographics(deps, acme)).outcome, 'failed')
  assert.equal(net.asked().length, 2)
  assert.ok(deps.pauses.some((ms) => ms === 10))
})

test('organisations and status pages of other companies are skipped, and an exhausted quota stops requests', async () => {
  const { github, status_page } = softwareOfAcme()
  const ours = { ...acme, github: { ...github, blog: 'https://www.another.example/about' } } as typeof acme
  net.world = { ...net.world, companies: [ours], outages: {} }
  const deps = net.deps()
  const links = organisation('acme-robotics')
  const look = (domain: string | null, given = links) => fetchGithubActivity(deps, { ...acme, domain }, given, SINCE)
  assert.deepEqual(await look('acmerobotics.example'), { outcome: 'nothing' })
  assert.equal((await look('another.example')).outcome, 'items')
  // A repository that a page links to may belong to another company.
  net.world = { ...net.world, companies: [acme] }
  const repository = [{ organisation: 'acme-robotics', isOrganisation: false }]
  assert.deepEqual(await look('acmerobotics.example', repository), { outcome: 'nothing' })

  // An organisation without a website has to have the company's name or its domain.
  const named = (name: string) => fetchGithubActivity(deps, { name, domain: 'acme-robotics.example' }, links, SINCE)
  assert.deepEqual(await fetchGithubActivity(deps, { name: 'Somebody Else', domain: 'else.example' }, links, SINCE), {
    outcome: 'nothing',
  })
  assert.deepEqual([(await named('Acme Robotics, Inc.')).outcome, (await named('Acme')).outcome], ['items', 'items'])

  const origin = `https://${status_page?.host}`
  const supplier = { name: 'Somebody Else', domain: 'else.example' }
  assert.deepEqual(await fetchIncidents(deps, supplier, origin, SINCE), { outcome: 'nothing' })

  net.world = { ...net.world, outages: { github: 'limited' } }
  net.asked()
  const answers = [await look('acmerobotics.example'), await look('acmerobotics.example')]
  assert.equal(net.asked().length, 1)
  assert.deepEqual(
    answers.map((answer) => answer.outcome === 'failed' && answer.reason.replace(/until .* UTC/, 'until …')),
    ['GitHub reports that the quota is used up (status 403).', 'GitHub rate limit exceeded until ….'],
  )
})
