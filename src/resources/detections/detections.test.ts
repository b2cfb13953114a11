import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Answer, refused } from '../../../test/support/client.ts'
import { commands } from '../../../test/support/commands.ts'
import { beside } from '../../../test/support/process.ts'
import { type Scene, scene, unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { readContext } from '../../research/context.ts'
import type { Finding } from '../../research/detector.ts'
import { redactAndIngest } from '../../research/ingest.ts'

const service = await testService()
const { deps } = service
type Data = Answer['data']

const DAY_MS = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
const finding = (path: string, signal_id: string, quote: string, ago: number): Finding => ({
  ...{ signal_id, quote, claim: quote, confidence: 0.9, details: null, judged_by: 'f3a91c2b7d04' },
  ...{ source_url: `https://halden.example/${path}`, published_date: day(ago), date: day(ago) },
})
const ROUND = finding('round', 'funding', 'Halden raised $40 million from Vantor Capital.', 3)
const OTHER_ROUND = finding('press', 'funding', 'The $40 million round of Halden was led by Vantor Capital.', 2)
const HUB = finding('hub', 'expansion', 'Halden opens a hub in Hamburg.', 8)

/** Stores findings as a scan does, and returns the result. */
async function find(
  { workspaceId }: Scene,
  account_id: string,
  findings: Finding[],
  texts: Record<string, string> = {},
) {
  const target = { workspace_id: workspaceId, account_id, run_id: null }
  const context = await readContext(deps, workspaceId)
  const documents = Object.entries(texts).map(([path, text]) => ({
    ...{ url: `https://halden.example/${path}`, kind: 'article' as const, source: 'website' },
    ...{ title: 'Halden <b>raises</b> money', text, published_date: day(3) },
  }))
  const discovered = { findings, documents, visible: ['funding', 'expansion', 'ipo'] }
  return redactAndIngest(deps, context, target, discovered, 'detections')
}

const halden = async (plan: Parameters<typeof scene>[1] = {}) => {
  const world = await scene(service, {
    accounts: [{ name: 'Halden', domain: 'halden.example' }],
    active: true,
    ...plan,
  })
  const [id] = world.ids as [string]
  const { client } = world
  const signals = (query = '?present=true'): Promise<Data[]> =>
    client.expect(200, 'GET', `/v1/accounts/${id}/signals${query}`)
  const say = (detection: string, body: object) =>
    client.expect(200, 'PUT', `/v1/accounts/${id}/signals/${detection}/feedback`, body)
  const feed = async (query = '') => (await client.get(`/v1/detections${query}`)).body
  const weeks = (query = '') => client.expect(200, 'GET', `/v1/detections/by-week${query}`) as Promise<Data[]>
  return { ...world, world, id, signals, say, feed, weeks }
}

const names = (found: Data[]) => found.map(({ signal_id }) => signal_id)

test('the feed lists the detections of all accounts, newest first, and each filter narrows it', async () => {
  const accounts = ['one', 'two', 'three', 'four'].map((name) => ({ name, domain: `${name}.example` }))
  const { client, world, ids, feed, weeks } = await halden({ accounts, active: false })
  const [one, two, three, four] = ids as [string, string, string, string]
  const owner = (await client.expect(200, 'GET', '/v1/members'))[0].id
  await client.expect(200, 'PATCH', `/v1/accounts/${two}`, { owner_id: owner, tags: ['rail'] })
  await find(world, one, [ROUND])
  const between = new Date().toISOString()
  await find(world, two, [HUB])
  await find(world, three, [ROUND])
  await find(world, four, [HUB])
  await client.expect(200, 'POST', `/v1/accounts/${four}/reject`)
  await deps.db.updateTable('accounts').set({ is_hot: true }).where('id', '=', three).execute()

  const all = await feed()
  assert.deepEqual(
    all.data.map(({ account }: Data) => account.name),
    ['three', 'two', 'one'],
  )
  assert.deepEqual(all.pagination, { total: 3, page: 1, per_page: 50, has_more: false })
  const [, entry] = all.data
  const { account, ...detection } = entry
  const [listed] = await client.expect(200, 'GET', `/v1/accounts/${two}/signals?present=true`)
  assert.deepEqual(detection, listed)
  assert.deepEqual([detection.confidence, detection.feedback, account.id], [0.9, null, two])
  assert.deepEqual([account.owner_id, account.tags, account.status], [owner, ['rail'], 'suggested'])
  assert.match(account.why_now_md, /hub in Hamburg/)

  const shown = async (query: string) => (await feed(query)).data.map((one: Data) => one.account.name)
  for (const [query, expected] of [
    ['signal_id=expansion', ['two']],
    ['signal_id=funding,expansion', ['three', 'two', 'one']],
    [`owner_id=${owner}`, ['two']],
    ['owner_id=nobody', []],
    ['tag=rail', ['two']],
    ['hot=true', ['three']],
    ['hot=false', ['two', 'one']],
    ['status=rejected', ['four']],
    ['search=HRE', ['three']],
    [`since=${between}`, ['three', 'two']],
  ] as const)
    assert.deepEqual(await shown(`?${query}`), expected, query)
  const second = await feed('?per_page=1&page=2')
  assert.deepEqual([second.data[0].account.name, second.pagination.total], ['two', 3])

  const monday = (date: string) => new Date(Date.parse(date) - ((new Date(date).getUTCDay() + 6) % 7) * DAY_MS)
  const week = (ago: number) => monday(day(ago)).toISOString().slice(0, 10)
  assert.deepEqual(await weeks(), [
    { week: week(8), signal_id: 'expansion', count: 1 },
    { week: week(3), signal_id: 'funding', count: 2 },
  ])
  assert.deepEqual(names(await weeks('?hot=true')), ['funding'])
  assert.deepEqual(await weeks('?owner_id=nobody'), [])
  const recent = await weeks('?weeks=1')
  assert.ok(
    recent.every((one) => one.week === week(0)),
    JSON.stringify(recent),
  )

  // Detections of disabled signals are left out, unless requested.
  await client.expect(200, 'PATCH', '/v1/signals/funding', { enabled: false })
  assert.deepEqual((await feed('?per_page=1')).pagination.total, 1)
  assert.deepEqual(await shown('?signal_id=funding'), ['three', 'one'])

  const stranger = await scene(service)
  assert.deepEqual((await stranger.client.get('/v1/detections')).data, [])
  refused(await client.get('/v1/detections?since=yesterday'), 400, 'invalid_request')
  assert.deepEqual(await weeks('?weeks=1000000'), await weeks('?weeks=104'))
  refused(await client.get('/v1/detections/by-week?weeks=0'), 400, 'invalid_request')
})

test('a detection marked as wrong is hidden and not counted, and returns when the mark is removed', async () => {
  const { client, world, id, signals, say, feed, weeks } = await halden()
  await find(world, id, [ROUND, HUB])
  const state = async () => {
    const { score, why_now_md, last_signal_at, is_hot } = await client.expect(200, 'GET', `/v1/accounts/${id}`)
    const funding = await client.expect(200, 'GET', '/v1/signals')
    const { findings_30d: rounds } = funding.find(({ id }: Data) => id === 'funding')
    return { score, why_now_md, last_signal_at, is_hot, rounds, signals: await signals(), weeks: await weeks() }
  }
  const before = await state()
  const [round] = before.signals
  assert.deepEqual([round.signal_id, round.feedback, before.is_hot], ['funding', null, true])
  assert.match(before.why_now_md, /\$40 million/)
  // So that the total is cached and must be counted again.
  assert.equal((await feed('?per_page=1')).pagination.total, 2)

  const said = await say(round.id, { verdict: 'wrong', reason: '  Another Halden.  ' })
  assert.deepEqual([said.verdict, said.reason], ['wrong', 'Another Halden.'])
  const { by, at } = said
  assert.equal(by, (await client.expect(200, 'GET', '/v1/members'))[0].id)
  const hidden = await state()
  assert.deepEqual(names(hidden.signals), ['expansion'])
  assert.deepEqual(names((await feed()).data), ['expansion'])
  assert.equal((await feed('?per_page=1')).pagination.total, 1)
  assert.deepEqual(names(hidden.weeks), ['expansion'])
  assert.ok(hidden.score < before.score)
  assert.deepEqual([before.rounds, hidden.rounds], [1, 0])
  assert.doesNotMatch(hidden.why_now_md, /\$40 million/)
  assert.equal(hidden.last_signal_at, `${day(8)}T00:00:00.000Z`)
  const { components } = await client.expect(200, 'GET', `/v1/accounts/${id}/score`)
  assert.ok(!components.some(({ name }: Data) => name === 'funding'))
  const [wrong, ...others] = await signals('?wrong=true')
  assert.deepEqual([wrong.id, wrong.feedback, others], [round.id, { ...said, by, at }, []])

  // The same page, and another one about the same event, of a later scan.
  const again = await find(world, id, [ROUND, OTHER_ROUND])
  assert.deepEqual([again?.added, again?.found], [[], []])
  const absent = (await signals('')).find(({ signal_id }) => signal_id === 'funding')
  assert.equal(absent.signal_present, false)
  assert.deepEqual(await state(), hidden)
  assert.equal((await signals('?wrong=true'))[0].evidence.length, 2)

  // Repeating the feedback does not change its author.
  assert.deepEqual(await say(round.id, { verdict: 'wrong', reason: 'Another Halden.' }), said)
  assert.equal(await say(round.id, { verdict: null }), null)
  const { signals: returned, score, why_now_md, ...rest } = await state()
  assert.deepEqual(rest, {
    rounds: 1,
    is_hot: before.is_hot,
    last_signal_at: before.last_signal_at,
    weeks: before.weeks,
  })
  assert.deepEqual([returned[0].id, returned[0].feedback, returned.length], [round.id, null, 2])
  assert.ok(score >= before.score)
  assert.match(why_now_md, /\$40 million/)
  assert.deepEqual((await signals('')).filter(({ signal_id }) => signal_id === 'funding').length, 1)

  const right = await say(round.id, { verdict: 'right' })
  assert.deepEqual((await signals())[0].feedback, right)
  assert.equal((await feed('?signal_id=funding')).data[0].feedback.verdict, 'right')
})

test('feedback belongs to a detection of the account and needs write access; concurrent feedback ends in one state', async () => {
  const owner = { client: service.admin, workspaceId: service.workspaceId }
  const { client, world, id, signals } = await halden({
    owner,
    accounts: [{ name: 'Halden', domain: `${unique('h')}.example` }],
  })
  await find(world, id, [ROUND, HUB])
  const [round] = await signals()
  const [absent] = await signals('?present=false')
  const path = (account: string, detection: string) => `/v1/accounts/${account}/signals/${detection}/feedback`
  const { id: other } = await world.add({ name: 'Other' })
  for (const wrong of [path(id, absent.id), path(other, round.id), path(id, crypto.randomUUID())])
    refused(await client.put(wrong, { verdict: 'wrong' }), 404, 'not_found')
  const stranger = await service.stranger()
  refused(await stranger.client.put(path(id, round.id), { verdict: 'wrong' }), 404, 'not_found')
  for (const body of [{}, { verdict: 'maybe' }, { verdict: 'wrong', reason: 'x'.repeat(501) }])
    refused(await client.put(path(id, round.id), body), 400, 'invalid_request')

  const [kim, lee] = [await service.member(), await service.member({ visibility: 'scoped' })]
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      (at % 2 ? kim : lee).client.expect(200, 'PUT', path(id, round.id), { verdict: at % 2 ? 'wrong' : null }),
    ),
  )
  const [left] = (await signals('?wrong=true')) as Data[]
  const shown = names(await signals())
  const { why_now_md } = await client.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.equal(shown.includes('funding'), left === undefined)
  assert.equal(why_now_md.includes('$40 million'), left === undefined)
  if (left) assert.ok(answers.some((answer) => answer?.by === kim.id && answer.at === left.feedback.at))

  // A removed member is not named, but the feedback stays.
  await kim.client.expect(200, 'PUT', path(id, round.id), { verdict: 'wrong', reason: 'Of last year.' })
  await client.expect(200, 'DELETE', `/v1/members/${kim.id}`)
  const { by, reason } = (await signals('?wrong=true'))[0].feedback
  assert.deepEqual([by, reason], [null, 'Of last year.'])
})

test('a wrong verdict remains after a change of the signal’s description', async () => {
  const { client, world, id, signals, say } = await halden()
  const robots = { name: 'Robots', description: 'The company orders picking robots' }
  const { id: signal } = await client.expect(201, 'POST', '/v1/signals', robots)
  const order = finding('robots', signal, 'Halden ordered 40 picking robots for Graz.', 4)
  const lease = finding('lease', signal, 'Halden leases 9 robots in Linz from Kuka.', 40)
  await find(world, id, [order, lease])
  const [ordered, leased] = await signals(`?present=true`)
  await say(ordered.id, { verdict: 'wrong' })
  await say(leased.id, { verdict: 'right' })
  await client.expect(200, 'PATCH', `/v1/signals/${signal}`, { description: 'The company orders robots of any kind' })
  assert.deepEqual(await signals(), [])
  const again = await find(world, id, [order, lease])
  assert.equal(again?.added.length, 1)
  assert.deepEqual(
    (await signals()).map(({ sources }) => sources),
    [['https://halden.example/lease']],
  )
  assert.deepEqual(
    (await signals('?wrong=true')).map(({ id }) => id),
    [ordered.id],
  )
})

test('evidence is shown in the context of its document while that is stored', async () => {
  const { client, world, id, signals } = await halden()
  const deal: Finding = { ...finding('deal', 'acquisition', 'Halden acquires <i>Kolben</i>.', 2), role: 'acquirer' }
  const text = `Halden <b>raises</b> money\n30 October 2026 by press\nKristiansand, today. It was late. ${ROUND.quote?.replace(' from', '\nfrom')} The money goes into robots. Tests follow. ${'More to say. '.repeat(50)}`
  const title = { ...finding('titled', 'partnership', 'Halden <b>raises</b> money', 2), date: day(40) }
  await find(world, id, [ROUND, OTHER_ROUND, deal, title], {
    round: text,
    press: 'Rewritten since.',
    deal: `${'A sentence without end '.repeat(100)}${deal.quote} ${'and so on '.repeat(100)}`,
    // Text around the sentences of the page is left out.
    titled: `Home\nHalden <b>raises</b> money\n2026-10-30 by our staff\nThe text begins. It goes on.\nOn the web: Halden`,
  })
  const read = async (signal: string): Promise<Data[]> => {
    const found = (await signals()).find(({ signal_id }) => signal_id === signal)
    return client.expect(200, 'GET', `/v1/accounts/${id}/signals/${found.id}/evidence`)
  }
  const [told_, rewritten] = await read('funding')
  assert.deepEqual(told_, {
    ...{ source_url: ROUND.source_url, title: 'Halden <b>raises</b> money', published_date: day(3) },
    ...{ claim: ROUND.claim, quote: ROUND.quote, role: null, document_kept: true },
    ...{ before: 'Kristiansand, today. It was late.', after: 'The money goes into robots. Tests follow.' },
  })
  assert.deepEqual([rewritten.before, rewritten.after, rewritten.document_kept], [null, null, true])
  const [bought] = await read('acquisition')
  assert.deepEqual([bought.role, bought.quote], ['acquirer', deal.quote])
  assert.ok(bought.before.length < 450 && bought.before.startsWith('…'), bought.before)
  assert.ok(bought.after.length < 450 && bought.after.endsWith('…'), bought.after)
  const [headline] = await read('partnership')
  assert.deepEqual([headline.before, headline.after], ['', 'The text begins. It goes on.'])
  // Published a few days ago, but it happened before: every text has the day of the event.
  const happened = new Date(day(40)).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
  const { why_now_md } = await client.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.match(why_now_md, new RegExp(`\\*\\*Partnership\\*\\* \\(${happened}\\)`))
  await deps.db.deleteFrom('documents').where('account_id', '=', id).execute()
  const [gone] = await read('funding')
  assert.deepEqual([gone.document_kept, gone.title, gone.before, gone.quote], [false, null, null, ROUND.quote])
  refused(await client.get(`/v1/accounts/${id}/signals/${crypto.randomUUID()}/evidence`), 404, 'not_found')
})

test('verdicts are exported in the format of the evaluation, which reports the precision of the workspace', async (t) => {
  const { world, id, signals, say, workspaceId } = await halden()
  const board: Finding = {
    ...finding('jobs', 'hiring', 'Halden hires', 1),
    claim: 'Halden lists 9 positions',
    quote: null,
  }
  const deal = finding('deal', 'acquisition', 'Halden acquires Kolben.', 2)
  await find(world, id, [ROUND, HUB, deal, board], {
    round: `Kristiansand. ${ROUND.quote} The money goes into robots.`,
    deal: 'It says something else now.',
  })
  for (const { id: finding, signal_id } of await signals()) {
    if (signal_id === 'expansion') continue
    const verdict = signal_id === 'acquisition' ? 'wrong' : 'right'
    await say(finding, { verdict, reason: verdict === 'wrong' ? 'Only a rumour.' : null })
  }
  // Later evidence was not judged.
  await find(world, id, [OTHER_ROUND])
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-feedback-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { cli } = commands(beside(service))
  const file = join(folder, 'feedback.ndjson')
  const { code, output } = await cli('export', 'feedback', '--workspace', workspaceId, '--out', file)
  assert.deepEqual([code, output], [0, `3 judged proofs written to ${file}.\n`])
  const text = readFileSync(file, 'utf8')
  const { output: printed } = await cli('export', 'feedback', '--workspace', workspaceId)
  assert.equal(printed, text)
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const of = (signal: string) => {
    const { id: name, feedback, ...row } = rows.find((one) => one.feedback.signal_id === signal)
    assert.match(name, /^feedback-/)
    return [row, feedback.verdict, feedback.reason]
  }
  const company = { name: 'Halden', also: [] }
  assert.deepEqual(of('funding'), [
    {
      ...{ genre: 'feedback', title: 'Halden <b>raises</b> money' },
      sents: ['Kristiansand.', ROUND.quote, 'The money goes into robots.'],
      companies: [{ ...company, signals: { funding: [2] } }],
    },
    ...['right', null],
  ])
  const alone = { genre: 'feedback', title: null, sents: [deal.quote], companies: [{ ...company, signals: {} }] }
  assert.deepEqual(of('acquisition'), [alone, 'wrong', 'Only a rumour.'])
  assert.deepEqual(of('hiring')[0].sents, [])

  const script = new URL('../../../scripts/eval.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, file])
  for (const line of [
    '| acquisition | 1 | 0 | 1 | 0.00 |',
    '| funding | 1 | 1 | 0 | 1.00 |',
    '| all | 3 | 2 | 1 | 0.67 |',
    "## 2 texts as today's engine reads them",
  ])
    assert.ok(stdout.includes(line), `${line} is not in ${stdout}`)
  const stranger = await service.stranger()
  await cli('export', 'feedback', '--workspace', stranger.workspaceId, '--out', file)
  assert.match((await promisify(execFile)(process.execPath, [script, file])).stdout, /0 findings/)
})
