import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SandboxPosting } from '../../sandbox/types.ts'
import type { Answer } from '../../test/support/client.ts'
import { scene } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { company, posting, vendorNet } from '../../test/support/vendors.ts'
import { redactErasedPeople } from '../privacy/redact.job.ts'
import { RobotsCache } from '../providers/robots-cache.ts'
import { daysBefore } from '../shared/days.ts'
import { scanAccount } from './scan/scan.ts'

const TODAY = '2026-11-16'
const ago = (days: number) => daysBefore(TODAY, days)

let vendor: 'greenhouse' | 'lever' = 'greenhouse'
let isLinked = true
let isSiteDown = false
const net = await vendorNet({}, ({ url }) => {
  if (url.host !== 'acme.example') return null
  const board = vendor === 'greenhouse' ? 'https://boards.greenhouse.io/acme' : 'https://jobs.lever.co/acme'
  if (url.pathname !== '/') return { status: 404 }
  if (isSiteDown) return { status: 503 }
  const link = isLinked ? `<a href="${board}">Open positions</a>` : ''
  const body = `<!doctype html><title>Acme</title><main><p>Acme builds robots.</p>${link}</main>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
})
after(() => net[Symbol.asyncDispose]())
const service = await testService({
  env: { ...net.internet.env, CRAWL_DELAY_MS: '0', SOURCES: 'website,job-boards' },
})
const { admin, deps, workspaceId } = service
const owner = { client: admin, workspaceId }
const acme = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.example' }], owner })
const id = acme.id('acme.example')

/** Scans the account as of a number of days ago, when its board listed these postings or was unreachable. */
async function scan(
  days: number,
  postings: readonly SandboxPosting[] | null,
  outage?: 'error',
): Promise<Answer['data']> {
  const job_board = postings && { vendor, token: 'acme', postings }
  const employer = company('Acme', { domain: 'acme.example', job_board })
  net.world = { ...net.world, companies: [employer], outages: outage ? { [vendor]: outage } : {} }
  const { run_id } = await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  const now = () => new Date(`${ago(days)}T12:00:00Z`)
  const lasting = { signal: new AbortController().signal, attempt: 0, progressed: async () => {} }
  await scanAccount.run({ ...deps, now }, { workspace_id: workspaceId, run_id, account_id: id }, lasting)
  const run = await admin.expect(200, 'GET', `/v1/runs/${run_id}`)
  assert.equal(run.status, isSiteDown ? 'failed' : 'done', run.failure)
  return run
}

const curve = () => admin.expect(200, 'GET', `/v1/accounts/${id}/hiring`)
/** Without the boards, whose times change with every scan. */
const counts = async () => ({ ...(await curve()), known_boards: null })
const found = () => admin.expect(200, 'GET', `/v1/accounts/${id}/signals?present=true`)
const USUAL = Array.from({ length: 12 }, (_, n) => posting(`old-${n}`, { published: ago(100) }))
const MORE = Array.from({ length: 7 }, (_, n) => posting(`new-${n}`, { published: ago(8) }))
const HEAD = posting('head', { title: 'Head of Security', department: 'Engineering', published: ago(8) })
const BERLIN = posting('berlin', { city: 'Berlin', country_code: 'DE', published: ago(8) })

test('a surge, a first country and a first leader are found once, with their postings; a failed board yields nothing', async () => {
  assert.deepEqual((await curve()).points, [])
  for (const days of [77, 56, 42, 28]) await scan(days, USUAL)
  const before = await found()
  assert.deepEqual(
    before.map(({ headline }: { headline: string }) => headline),
    ['Acme lists 12 open positions'],
  )
  const quiet = await counts()
  await scan(14, [], 'error')
  await scan(14, null)
  assert.deepEqual(await counts(), quiet)

  const run = await scan(7, [...USUAL, ...MORE, HEAD, BERLIN])
  assert.equal(run.stats.detections, 3)
  const detected = (await found()).filter((one: { id: string }) =>
    before.every((known: { id: string }) => known.id !== one.id),
  )
  assert.deepEqual(
    detected
      .map((one: Answer['data']) => [one.signal_id, one.detected_at, one.headline])
      .sort(([, , a]: string[], [, , b]: string[]) => ((a as string) < (b as string) ? -1 : 1)),
    [
      ['expansion', ago(7), 'Acme lists 1 open position in Germany, the first there since 31 August 2026'],
      ['hiring', ago(7), 'Acme lists 1 open position leading Security, the first there since 31 August 2026'],
      // The new list of positions is part of it, and was published a day before.
      ['hiring', ago(8), 'Acme lists 21 open positions, after at most 12 since 31 August 2026'],
    ],
  )
  const surge = detected.find(({ headline }: { headline: string }) => headline.includes(' after '))
  const [board, ...others] = surge.sources.toReversed()
  assert.deepEqual([board, others.length], ['https://boards.greenhouse.io/acme', 5])
  assert.ok(
    others.every((url: string) => /acme\/jobs\/(?:new-\d|head|berlin)$/.test(url)),
    others,
  )
  assert.match(surge.narrative, /: 9 are new since 19 October 2026, Account Executive, Head of Security \(/)

  const after = await counts()
  assert.deepEqual(
    after.points.map(({ week, open, opened, closed }: Answer['data']) => [week, open, opened, closed]),
    [
      [ago(77), 12, null, null],
      [ago(56), 12, 0, 0],
      [ago(42), 12, 0, 0],
      [ago(28), 12, 0, 0],
      [ago(7), 21, 9, 0],
    ],
  )
  assert.deepEqual(after.points.at(-1).departments, { Sales: 20, Security: 1 })
  assert.deepEqual(after.points.at(-1).countries, { GB: 20, DE: 1 })
  assert.deepEqual([after.boards, after.looks, after.freeze], [['greenhouse:acme'], 5, null])
  assert.equal(after.openings[0].first_seen, ago(7))

  const all = await found()
  const again = await scan(7, [...USUAL, ...MORE, HEAD, BERLIN])
  assert.equal(again.stats.detections, 0)
  assert.deepEqual(await counts(), after)
  assert.deepEqual(await found(), all)
  await (await service.stranger()).client.expect(404, 'GET', `/v1/accounts/${id}/hiring`)
})

test('a hiring freeze is reported after two snapshots and is not a signal; other boards start a new curve', async () => {
  const known = await found()
  await scan(0, USUAL.slice(0, 2))
  assert.equal((await curve()).freeze, null)
  await scan(-7, [])
  const { freeze, points } = await curve()
  assert.deepEqual([freeze.since, freeze.open, freeze.usual], [ago(0), 0, 12])
  assert.match(
    freeze.text,
    /^Job boards list no open positions, after usually 12 \(the median of 5 looks since 31 August/,
  )
  assert.deepEqual(
    points.slice(-2).map(({ open, opened, closed }: Answer['data']) => [open, opened, closed]),
    [
      [2, 0, 19],
      [0, 0, 2],
    ],
  )
  assert.equal((await found()).length, known.length)

  vendor = 'lever'
  await scan(-14, [posting('assistant', { title: 'Assistant to Mira Solberg' })])
  const moved = await curve()
  assert.deepEqual([moved.boards, moved.looks, moved.freeze], [['lever:acme'], 1, null])
  // The other board no longer exists, and no page links it.
  assert.deepEqual(
    moved.known_boards.map(({ board, found_url }: Answer['data']) => [board, found_url]),
    [['lever:acme', 'https://acme.example/']],
  )
  assert.deepEqual(
    moved.points.map(({ open, opened }: Answer['data']) => [open, opened]),
    [[1, null]],
  )
})

test('an erased person is removed from stored and later postings', async () => {
  const [mira] = await acme.save([{ full_name: 'Mira Solberg' }])
  await admin.expect(200, 'DELETE', `/v1/people/${mira?.id}`)
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: id })
  const titles = async () => (await curve()).openings.map(({ title }: { title: string }) => title)
  const [redacted] = await titles()
  assert.doesNotMatch(redacted, /Solberg/)
  await scan(-21, [posting('assistant', { title: 'Assistant to Mira Solberg' })])
  assert.deepEqual(await titles(), [redacted])
  assert.deepEqual((await curve()).points.at(-1).opened, 0)
})

test('a board that no page links any more, or whose page cannot be read, is read until it no longer exists', async () => {
  const listed = [posting('clerk')]
  const boardOf = ({ stats }: Answer['data']) =>
    stats.sources.find(({ name }: { name: string }) => name === 'lever') as { outcome: string; items: number }
  const known = async () => (await curve()).known_boards.map(({ board }: Answer['data']) => board)
  isLinked = false
  assert.deepEqual(boardOf(await scan(-25, listed)), { name: 'lever', outcome: 'items', items: 1, reason: null })
  assert.deepEqual([(await curve()).last_look, await known()], [ago(-25), ['lever:acme']])
  isSiteDown = true
  assert.equal(boardOf(await scan(-26, listed)).outcome, 'items')
  assert.equal((await curve()).last_look, ago(-26))
  isSiteDown = false

  // A failure does not prove that it is gone, and takes no snapshot.
  assert.equal(boardOf(await scan(-27, listed, 'error')).outcome, 'failed')
  net.world = { ...net.world, robots: { lever: 'User-agent: *\nDisallow: /' } }
  deps.robots = new RobotsCache()
  const { outcome, reason } = boardOf(await scan(-27, listed)) as unknown as { outcome: string; reason: string }
  assert.deepEqual(
    [outcome, reason],
    ['failed', 'Lever: The robots.txt of the site does not allow reading this job board.'],
  )
  const sources = await admin.expect(200, 'GET', '/v1/sources')
  assert.equal(sources.find(({ name }: { name: string }) => name === 'Lever').message, reason)
  net.world = { ...net.world, robots: {} }
  deps.robots = new RobotsCache()
  assert.deepEqual([(await curve()).last_look, await known()], [ago(-26), ['lever:acme']])

  assert.equal(boardOf(await scan(-28, null)).outcome, 'nothing')
  assert.deepEqual([(await curve()).last_look, await known()], [ago(-26), []])
  assert.equal(boardOf(await scan(-29, listed)), undefined)

  // With another domain it may be the board of another company.
  isLinked = true
  await scan(-30, listed)
  assert.deepEqual(await known(), ['lever:acme'])
  await deps.db.updateTable('accounts').set({ domain: 'other.example' }).where('id', '=', id).execute()
  assert.deepEqual(await known(), [])
  await deps.db.updateTable('accounts').set({ domain: 'acme.example' }).where('id', '=', id).execute()
})

test('the workforce counts known people, otherwise open positions, and tells which', async () => {
  const read = () => admin.expect(200, 'GET', `/v1/accounts/${id}`)
  await scan(-31, [...USUAL.slice(0, 2), HEAD, BERLIN])
  const first = await read()
  const positions = {
    workforce_by_department: { Sales: 3, Security: 1 },
    workforce_by_country: { Germany: 1, 'United Kingdom': 3 },
  }
  const { text, people, postings, postings_on, departments_of } = first.workforce_basis
  assert.deepEqual(
    [text, people, postings, postings_on, departments_of],
    ['from 4 postings', 0, 4, ago(-31), 'postings'],
  )
  assert.deepEqual([first.workforce_by_department, first.workforce_by_country], Object.values(positions))
  const [ada] = await acme.save([
    { full_name: 'Ada Pike', title: 'Accountant' },
    { full_name: 'Bo Lund', title: 'CFO', left_on: '2026-01-01', country_code: 'PL' },
  ])
  await scan(-32, [...USUAL.slice(0, 2), HEAD, BERLIN])
  const second = await read()
  assert.deepEqual(
    [second.workforce_by_department, second.workforce_by_country],
    [{ Finance: 1 }, positions.workforce_by_country],
    'no person has a country',
  )
  assert.deepEqual(second.workforce_basis, {
    text: 'from 1 person and 4 postings',
    people: 1,
    postings: 4,
    postings_on: ago(-32),
    departments_of: 'people',
    countries_of: 'postings',
    postings_by_department: positions.workforce_by_department,
    postings_by_country: positions.workforce_by_country,
  })
  await admin.expect(200, 'DELETE', `/v1/people/${ada?.id}`)
  assert.deepEqual((await read()).workforce_by_department, positions.workforce_by_department, 'recounted')

  // The boards are read and list nothing.
  await scan(-33, [])
  const empty = await read()
  const counts = [empty.workforce_by_department, empty.workforce_by_country, empty.workforce_basis]
  assert.deepEqual(counts, [null, null, null])
})
