import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JobBoardVendor, SandboxPosting } from '../../../sandbox/types.ts'
import { company, daysAgo, posting, vendorNet } from '../../../test/support/vendors.ts'
import type { JobPosting } from '../../engine/vendors/job-boards.ts'
import { itemsResult, type SourceResult } from '../types.ts'
import { JOB_BOARDS } from './index.ts'

const net = await vendorNet()
after(() => net[Symbol.asyncDispose]())

function publish(vendor: JobBoardVendor, postings: SandboxPosting[], region?: 'eu'): void {
  const board = { vendor, token: 'acme', postings, ...(region && { region }) }
  net.world = { ...net.world, outages: {}, companies: [company('Acme Robotics', { job_board: board })] }
}

const EXPECTED: JobPosting = {
  url: '',
  title: 'Account Executive',
  department: 'Sales',
  location: 'Leeds, United Kingdom',
  country_code: 'GB',
  published_date: daysAgo(5),
}

const BOARDS: Record<string, { asked: string; posting: Partial<JobPosting> }> = {
  greenhouse: {
    asked: 'https://boards-api.greenhouse.io/v1/boards/acme/jobs?content=true',
    posting: { url: 'https://job-boards.greenhouse.io/acme/jobs/1001' },
  },
  lever: {
    asked: 'https://api.lever.co/v0/postings/acme?mode=json&skip=0&limit=100',
    posting: { url: 'https://jobs.lever.co/acme/1001' },
  },
  ashby: {
    asked: 'https://api.ashbyhq.com/posting-api/job-board/acme',
    posting: { url: 'https://jobs.ashbyhq.com/acme/1001', location: 'Leeds' },
  },
  smartrecruiters: {
    asked: 'https://api.smartrecruiters.com/v1/companies/acme/postings?limit=100&offset=0',
    posting: { url: 'https://jobs.smartrecruiters.com/acme/1001', location: 'Leeds, GB' },
  },
  workable: {
    asked: 'https://apply.workable.com/api/v1/widget/accounts/acme',
    posting: { url: 'https://apply.workable.com/j/1001' },
  },
  recruitee: {
    asked: 'https://acme.recruitee.com/api/offers/',
    posting: { url: 'https://acme.recruitee.com/o/1001' },
  },
}

for (const [vendor, board] of Object.entries(JOB_BOARDS)) {
  const { asked, posting: own } = BOARDS[vendor] as (typeof BOARDS)[string]

  test(`${board.name}: an open position has all its fields, and an unlisted one is excluded`, async () => {
    publish(vendor as JobBoardVendor, [posting('1001'), posting('1002', { unlisted: true })])
    net.asked()
    assert.deepEqual(await board.postings(net.deps(), 'acme'), itemsResult([{ ...EXPECTED, ...own }]))
    assert.deepEqual(net.asked(), [asked])
  })

  test(`${board.name}: an empty board is distinguished from a missing one`, async () => {
    publish(vendor as JobBoardVendor, [posting('1002', { unlisted: true })])
    // SmartRecruiters sends the same response for an unknown company.
    const empty = vendor === 'smartrecruiters' ? {} : { empty: true }
    assert.deepEqual(await board.postings(net.deps(), 'acme'), { outcome: 'nothing', ...empty })
  })

  test(`${board.name}: a token cannot change the path of the request`, async () => {
    net.asked()
    for (const token of ['../../x', 'a?b=c#d', 'evil.example/']) {
      const found = await board.postings(net.deps(), token)
      assert.notEqual(found.outcome, 'items')
    }
    const hosts = new Set(net.asked().map((url) => new URL(url).host.replace('.eu.', '.')))
    assert.deepEqual([...hosts], vendor === 'recruitee' ? [] : [new URL(asked).host])
  })
}

test('a Lever board that is missing in the first instance is requested from the European one', async () => {
  publish('lever', [posting('1001')], 'eu')
  net.asked()
  const found = await JOB_BOARDS.lever.postings(net.deps(), 'acme')
  assert.equal(one(found).url, 'https://jobs.eu.lever.co/acme/1001')
  assert.deepEqual(
    net.asked().map((url) => new URL(url).host),
    ['api.lever.co', 'api.eu.lever.co'],
  )
})

for (const vendor of ['lever', 'smartrecruiters'] as const) {
  test(`${JOB_BOARDS[vendor].name}: all pages of a board are read`, async () => {
    publish(
      vendor,
      Array.from({ length: 230 }, (_, i) => posting(String(i))),
    )
    net.asked()
    const found = await JOB_BOARDS[vendor].postings(net.deps(), 'acme')
    assert.equal(found.outcome === 'items' && new Set(found.items.map(({ url }) => url)).size, 230)
    assert.equal(net.asked().length, 3)
  })
}

test('Workable boards share a host and are read sequentially, with delays', async () => {
  publish('workable', [posting('1001')])
  const deps = net.deps()
  const found = await Promise.all(Array.from({ length: 5 }, () => JOB_BOARDS.workable.postings(deps, 'acme')))
  assert.ok(found.every(({ outcome }) => outcome === 'items'))
  assert.deepEqual(deps.pauses, [2_000, 2_000])
})

test('a truncated board is reported, and a board in an unexpected format fails', async () => {
  publish(
    'greenhouse',
    Array.from({ length: 3_001 }, (_, i) => posting(String(i))),
  )
  const cut = await JOB_BOARDS.greenhouse.postings(net.deps(), 'acme')
  assert.deepEqual(
    [cut.outcome === 'items' && cut.items.length, cut.outcome === 'items' && cut.reason],
    [3_000, '3000 of the 3001 positions on Greenhouse were read.'],
  )
  publish('greenhouse', [posting('1001', { title: '' })])
  const found = await JOB_BOARDS.greenhouse.postings(net.deps(), 'acme')
  assert.equal(found.outcome === 'failed' && found.reason, 'Greenhouse failed: unexpected response format.')
})

test('non-web URLs are dropped, and titles stay on one line', async () => {
  await using odd = await vendorNet({ outages: {} })
  const deps = odd.deps()
  const job = (absolute_url: string) => ({ title: 'x'.repeat(5_000), absolute_url, location: null, content: 7 })
  const body = { jobs: [job('javascript:alert(1)'), job('https://a.example/1'), null, 'job'] }
  const request: typeof deps.outbound.request = async (url, options) => {
    const answer = await deps.outbound.request(url, options)
    return { ...answer, status: 200, body: Buffer.from(JSON.stringify(body)) }
  }
  const found = await JOB_BOARDS.greenhouse.postings({ ...deps, outbound: { ...deps.outbound, request } }, 'acme')
  const { url, title, location } = one(found)
  assert.deepEqual([url, title.length, location], ['https://a.example/1', 300, null])
  assert.equal(found.outcome === 'items' && found.items.length, 1)
})

test('characters that no database can store are removed from responses', async () => {
  await using odd = await vendorNet({ outages: {} })
  const deps = odd.deps()
  const title = `Buyer\\u0000 \\ud83d ${'😀'.repeat(300)}`
  const request: typeof deps.outbound.request = async (url, options) => {
    const answer = await deps.outbound.request(url, options)
    return {
      ...answer,
      status: 200,
      body: Buffer.from(`{"jobs":[{"title":"${title}","absolute_url":"https://a.example/1"}]}`),
    }
  }
  const found = await JOB_BOARDS.greenhouse.postings({ ...deps, outbound: { ...deps.outbound, request } }, 'acme')
  assert.match(one(found).title, /^Buyer \ufffd 😀/u)
  assert.ok(one(found).title.isWellFormed())
})

function one<T>(found: SourceResult<T>): T {
  assert.equal(found.outcome, 'items')
  return (found as { items: T[] }).items[0] as T
}
