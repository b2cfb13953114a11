import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JobBoardVendor, SandboxPosting } from '../../../sandbox/types.ts'
import { boardToken, company, daysAgo, posting, vendorNet } from '../../../test/support/vendors.ts'
import type { JobPosting } from '../../engine/vendors/job-boards.ts'
import type { ProviderProblem } from '../health.ts'
import { itemsResult, type SourceResult } from '../types.ts'
import { JOB_BOARDS } from './index.ts'

const net = await vendorNet()
after(() => net[Symbol.asyncDispose]())

/** The URLs requested since the last call, without robots.txt. */
const asked = () => net.asked().filter((url) => !url.endsWith('/robots.txt'))

function publish(vendor: JobBoardVendor, postings: SandboxPosting[], region?: 'eu'): void {
  const board = { vendor, token: boardToken(vendor, 'acme'), postings, ...(region && { region }) }
  net.world = { ...net.world, outages: {}, robots: {}, companies: [company('Acme Robotics', { job_board: board })] }
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
  personio: {
    asked: 'https://acme.jobs.personio.de/xml?language=en',
    posting: { url: 'https://acme.jobs.personio.de/job/1001', location: 'Leeds' },
  },
  teamtailor: {
    asked: 'https://acme.teamtailor.com/jobs.rss?offset=0&per_page=100',
    posting: { url: 'https://acme.teamtailor.com/jobs/1001' },
  },
  workday: {
    asked: 'https://acme.wd5.myworkdayjobs.com/wday/cxs/acme/Careers/jobs',
    posting: { url: 'https://acme.wd5.myworkdayjobs.com/Careers/job/Leeds/1001', department: null },
  },
}

for (const vendor of Object.keys(JOB_BOARDS) as JobBoardVendor[]) {
  const board = JOB_BOARDS[vendor]
  const { asked: url, posting: own } = BOARDS[vendor] as (typeof BOARDS)[string]
  const token = boardToken(vendor, 'acme')

  test(`${board.name}: an open position has all its fields, and an unlisted one is excluded`, async () => {
    publish(vendor, [posting('1001'), posting('1002', { unlisted: true })])
    net.asked()
    const deps = net.deps()
    assert.deepEqual(await board.postings(deps, token), itemsResult([{ ...EXPECTED, ...own }]))
    assert.deepEqual(net.asked(), [`${new URL(url).origin}/robots.txt`, url])
    await board.postings(deps, token)
    assert.deepEqual(net.asked(), [url])
  })

  test(`${board.name}: an empty board is distinguished from a missing one`, async () => {
    publish(vendor, [posting('1002', { unlisted: true })])
    // SmartRecruiters sends the same response for an unknown company.
    const empty = vendor === 'smartrecruiters' ? {} : { empty: true }
    assert.deepEqual(await board.postings(net.deps(), token), { outcome: 'nothing', ...empty })
  })

  test(`${board.name}: a board that robots.txt disallows is not requested`, async () => {
    publish(vendor, [posting('1001')])
    const path = new URL(url).pathname.split('/')[1]
    net.world = { ...net.world, robots: { [vendor]: `User-agent: *\nDisallow: /${path}` } }
    const problems: (ProviderProblem | null)[] = []
    const report = async (_name: string, problem: ProviderProblem | null) => void problems.push(problem)
    net.asked()
    const reason = `${board.name}: The robots.txt of the site does not allow reading this job board.`
    const found = await board.postings({ ...net.deps(), health: { report } }, token)
    assert.deepEqual(found, { outcome: 'failed', reason })
    assert.deepEqual(problems, [{ kind: 'refused', message: reason }])
    assert.deepEqual(asked(), [])
  })

  test(`${board.name}: a token cannot change the path of the request`, async () => {
    net.asked()
    for (const wrong of ['../../x', 'a?b=c#d', 'evil.example/', 'a.wd5/../x', 'evil.example/wd5/x']) {
      const found = await board.postings(net.deps(), wrong)
      assert.notEqual(found.outcome, 'items')
    }
    const hosts = new Set(net.asked().map((one) => new URL(one).host.replace('.eu.', '.')))
    assert.deepEqual([...hosts], url.includes('acme.') ? [] : [new URL(url).host])
  })
}

test('a Lever board that is missing in the first instance is requested from the European one', async () => {
  publish('lever', [posting('1001')], 'eu')
  net.asked()
  const found = await JOB_BOARDS.lever.postings(net.deps(), 'acme')
  assert.equal(one(found).url, 'https://jobs.eu.lever.co/acme/1001')
  assert.deepEqual(
    asked().map((url) => new URL(url).host),
    ['api.lever.co', 'api.eu.lever.co'],
  )
})

for (const [vendor, pages] of [
  ['lever', 3],
  ['smartrecruiters', 3],
  ['teamtailor', 3],
  // Only its first page has the total.
  ['workday', 12],
] as const) {
  test(`${JOB_BOARDS[vendor].name}: all pages of a board are read`, async () => {
    publish(
      vendor,
      Array.from({ length: 230 }, (_, i) => posting(String(i))),
    )
    net.asked()
    const found = await JOB_BOARDS[vendor].postings(net.deps(), boardToken(vendor, 'acme'))
    assert.equal(found.outcome, 'items', JSON.stringify(found))
    assert.equal(found.outcome === 'items' && new Set(found.items.map(({ url }) => url)).size, 230)
    assert.equal(found.outcome === 'items' && found.reason, undefined)
    assert.equal(asked().length, pages)
  })
}

test('a larger board of Workday is read in part, and a position has a date only where its age is exact', async () => {
  const ages = [0, 1, 30, 31].map((days, i) => posting(String(i), { published: daysAgo(days) }))
  publish('workday', [...ages, ...Array.from({ length: 2_017 }, (_, i) => posting(`more-${i}`))])
  const found = await JOB_BOARDS.workday.postings(net.deps(), boardToken('workday', 'acme'))
  assert.deepEqual(
    [found.outcome === 'items' && found.items.length, found.outcome === 'items' && found.reason],
    [2_000, '2000 of the 2021 positions on Workday were read.'],
  )
  assert.deepEqual(found.outcome === 'items' && found.items.slice(0, 4).map(({ published_date }) => published_date), [
    daysAgo(0),
    daysAgo(1),
    daysAgo(30),
    null,
  ])
})

test('boards are read at a whole host, and a company that Personio redirects to its own site has none', async () => {
  for (const [vendor, host] of [
    ['personio', 'acme.jobs.personio.com'],
    ['teamtailor', 'acme.na.teamtailor.com'],
  ] as const) {
    publish(vendor, [posting('1001')])
    const found = await JOB_BOARDS[vendor].postings(net.deps(), host)
    assert.equal(new URL(one(found).url).host, host)
  }
  assert.deepEqual(await JOB_BOARDS.personio.postings(net.deps(), 'nobody'), { outcome: 'nothing' })
  // A redirect to any other site, such as one that challenges robots, says nothing about the board.
  const deps = net.deps()
  const request: typeof deps.outbound.request = async (url, options) => {
    if (typeof options.redirects === 'function') await options.redirects(new URL('https://status.personio.com/'))
    return deps.outbound.request(url, { ...options, redirects: 'refuse' })
  }
  const moved = await JOB_BOARDS.personio.postings({ ...deps, outbound: { ...deps.outbound, request } }, 'nobody')
  assert.equal(moved.outcome, 'failed', JSON.stringify(moved))
})

test('XML that is cut off, nested too deep or of another kind fails, and its entities are not expanded', async () => {
  const position = '<position><id>1</id><name>Clerk &amp; &secret;</name></position>'
  const answers: Record<string, string> = {
    whole: `<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/passwd">]><workzag-jobs>${position}</workzag-jobs>`,
    empty: '<workzag-jobs/>',
    'cut off': `<workzag-jobs>${position}`,
    'another kind': `<jobs>${position}</jobs>`,
    deep: `<workzag-jobs>${'<a>'.repeat(300)}${'</a>'.repeat(300)}</workzag-jobs>`,
    page: '<!doctype html><p>Maintenance',
  }
  const failed = { outcome: 'failed', reason: 'Personio failed: unexpected response format.', hasResponse: true }
  for (const [name, body] of Object.entries(answers)) {
    const deps = net.deps()
    const request: typeof deps.outbound.request = async (url, options) => ({
      ...(await deps.outbound.request(url, { ...options, redirects: 'refuse' })),
      ...{ status: 200, url, headers: { 'content-type': 'text/xml' }, body: Buffer.from(body) },
    })
    const found = await JOB_BOARDS.personio.postings({ ...deps, outbound: { ...deps.outbound, request } }, 'acme')
    if (name === 'whole') assert.equal(one(found).title, 'Clerk & &secret;')
    else assert.deepEqual(found, name === 'empty' ? { outcome: 'nothing', empty: true } : failed, name)
  }
})

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
