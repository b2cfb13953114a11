import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { LimitExceeded, ParserPool, type TaskRunOptions } from '../../src/engine/threads/pool.ts'
import { findPeopleInTexts } from '../../src/providers/people-data/people-in-texts.ts'
import { detectAll } from '../../src/research/detector.ts'
import { scanAccount } from '../../src/research/scan/scan.ts'
import { refused } from '../support/client.ts'
import { ended } from '../support/eventually.ts'
import { dearPage } from '../support/hostile.ts'
import { scene } from '../support/scene.ts'
import { testService } from '../support/service.ts'
import { html, testWorld } from '../support/world.ts'

const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
const HEADLINE = 'Halden raises $40 million in Series B funding'
const ROUND = `<html><head><title>${HEADLINE}</title></head><body><main><time datetime="${day}">${day}</time>
<p>Halden today announced that it has raised $40 million in Series B funding led by Vantor Capital.</p></main></body></html>`
const packed = {
  status: 200,
  headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
  body: gzipSync(dearPage()) as unknown as string,
}
const link = (path: string, title: string) => `<article><h2><a href="${path}">${title}</a></h2></article>`
const bad = [1, 2, 3, 4, 5].map((n) => link(`/news/bad-${n}`, `Halden tells the long story number ${n}`))
const site = {
  '/': html('<html><body><main><p>Halden builds robots.</p><a href="/news">News</a></main></body></html>'),
  '/news': html(`<html><body><main>${link('/news/round', HEADLINE)}${bad.join('')}</main></body></html>`),
  '/news/round': html(ROUND),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`/news/bad-${n}`, packed])),
}
const { internet } = await testWorld({
  vendors: [],
  sites: {
    'halden.example': site,
    'long.example': {
      ...site,
      '/news': html(`<html><body><main>${link('/news/round', HEADLINE)}</main></body></html>`),
    },
  },
})
const env = { ...internet.env, CRAWL_DELAY_MS: '0', SOURCES: 'website' }
const service = await testService({ worker: true, env: { ...env, READING_TIMEOUT_MS: '500' } })

const presentOf = (signals: { signal_id: string; signal_present: boolean }[]) =>
  signals.filter(({ signal_present }) => signal_present).map(({ signal_id }) => signal_id)

test('a site of pages that take too long is scanned to its end: they are reported as failed, the others are read', async () => {
  const { client, id } = await scene(service, { accounts: [{ name: 'Halden', domain: 'halden.example' }] })
  const account = id('halden.example')
  const own = process.threadCpuUsage()
  const all = process.cpuUsage()
  const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${account}/scan`)
  const run = await ended(client, `/v1/runs/${run_id}`)
  const spent = ({ user, system }: NodeJS.CpuUsage) => user + system
  assert.equal(run.status, 'done', run.failure)
  const [website] = run.stats.sources
  assert.match(
    website.reason,
    /^5 pages could not be read, such as https:\/\/halden\.example\/news\/bad-\d: It took too long to read\.$/,
  )
  assert.deepEqual(presentOf(await client.expect(200, 'GET', `/v1/accounts/${account}/signals`)), ['funding'])
  // The service runs on this thread, which did the least of the work.
  assert.ok(spent(process.threadCpuUsage(own)) < spent(process.cpuUsage(all)) / 2)
})

test('a document that takes too long to classify has failed, and does not count as one without findings', async () => {
  // Without a worker, whose threads have another time limit.
  const idle = await testService({ env })
  const { client, id, workspaceId } = await scene(idle, { accounts: [{ name: 'Halden', domain: 'long.example' }] })
  const account_id = id('long.example')
  const { deps } = idle
  const hasty = new ParserPool({ threads: 1, timeoutMs: 1 })
  after(() => hasty.close())
  const run: ParserPool['run'] = (name, ...rest) => (name === 'detect' ? hasty : deps.parserPool).run(name, ...rest)
  const parserPool = { run, warmUp() {} } as unknown as ParserPool
  const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${account_id}/scan`)
  const context = { signal: new AbortController().signal, attempt: 0, progressed: async () => {} }
  await scanAccount.run({ ...deps, parserPool }, { workspace_id: workspaceId, run_id, account_id }, context)
  const told = await client.expect(200, 'GET', `/v1/runs/${run_id}`)
  assert.equal(told.status, 'failed')
  assert.match(
    told.failure,
    /1 of 1 documents could not be searched for signals, such as https:\S+: It took too long to read\./,
  )
  assert.deepEqual([...new Set(told.jobs.map(({ state }: { state: string }) => state))], ['failed'])
})

test('documents of many sites share one queue, and none fails because of another site', async () => {
  const asked: TaskRunOptions[] = []
  const run = async (_name: string, _input: unknown, options: TaskRunOptions) => {
    asked.push(options)
    return new LimitExceeded('It took too long to read.')
  }
  const { deps } = service
  const parserPool = { run } as unknown as ParserPool
  const urls = ['https://www.halden.example/a', 'https://news.halden.example/b', 'https://paper.example/c']
  const inputs = urls.map((url) => ({ id: url, url, company: { name: 'Halden' }, title: 'a', text: 'b' }))
  const keysOf = () => {
    const pages = new Set(['halden.example', 'paper.example'])
    const keys = asked.splice(0).map(({ from, blame }) => ({ from, blame: blame ?? from }))
    for (const { from, blame } of keys) assert.ok(!pages.has(from) && !pages.has(blame))
    return [new Set(keys.map(({ from }) => from)).size, new Set(keys.map(({ blame }) => blame)).size]
  }
  await detectAll({ ...deps, parserPool }, crypto.randomUUID(), 'halden.example', inputs, {
    builtins: true,
    described: [],
  })
  assert.deepEqual(keysOf(), [1, 2])
  const texts = urls.map((url) => ({ url, title: null, text: 'a', own: true, published_date: null }))
  const role = { titles: [], words: new Set<string>(), fits: () => true } as never
  const { signal } = new AbortController()
  await findPeopleInTexts({ ...deps, parserPool, signal }, texts, { name: 'Halden', domain: 'halden.example' }, role)
  assert.deepEqual(keysOf(), [1, 2])
})

test('after a failure no further documents are classified, and waiting ones are cancelled', async () => {
  const asked: TaskRunOptions[] = []
  const others = Promise.withResolvers<LimitExceeded>()
  const run = (_name: string, _input: unknown, options: TaskRunOptions) => {
    asked.push(options)
    return asked.length === 1 ? Promise.reject(new Error('The database is away.')) : others.promise
  }
  const parserPool = { run } as unknown as ParserPool
  const inputs = Array.from({ length: 50 }, (_, n) => ({
    ...{ id: String(n), url: `https://halden.example/${n}`, company: { name: 'Halden' } },
    ...{ title: 'a', text: 'b' },
  }))
  const ending = new AbortController()
  const look = () =>
    detectAll(
      { ...service.deps, parserPool },
      crypto.randomUUID(),
      'halden.example',
      inputs,
      { builtins: true, described: [] },
      ending.signal,
    )
  await assert.rejects(look(), /The database is away/)
  const begun = asked.length
  others.resolve(new LimitExceeded('It took too long to read.'))
  await setImmediate()
  assert.equal(asked.length, begun)
  assert.ok(begun < inputs.length && asked.every(({ signal }) => signal?.aborted))
  ending.abort(new Error('The service stops.'))
  await assert.rejects(look(), /The service stops/)
})

test('a text that takes too long is rejected by the preview, with the reason', async () => {
  const hasty = await testService({ databaseUrl: service.databaseUrl, env: { ...env, READING_TIMEOUT_MS: '1' } })
  const text = 'Northwind ordered 40 picking robots for its warehouse in Graz. '.repeat(3_000)
  const answer = await hasty.admin.post('/v1/signals/preview', { description: 'Orders robots', text })
  refused(answer, 400, 'invalid_request')
  assert.deepEqual(answer.error.details, [{ path: 'text', message: 'It took too long to read.' }])
})
