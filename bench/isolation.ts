import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { startInternet } from '../sandbox/internet.ts'
import type { SandboxResponse } from '../sandbox/types.ts'
import { parseContent } from '../src/engine/content/read.ts'
import { LimitExceeded, ParserPool } from '../src/engine/threads/pool.ts'
import { dearPage } from '../test/support/hostile.ts'
import { timeOf } from './measure.ts'
import { report } from './results.ts'
import { type BenchService, type Call, caller, startBenchService } from './support.ts'

/**
 * Latency of `/healthz`, measured from a separate process every few milliseconds, while one process serves and works:
 * on a hostile site, on ten scans, on an import of 100,000 companies, on both, and on all of it. And the cost of a page in a
 * parser thread compared with the main thread.
 */

const EVERY_MS = 5
const ROWS = 100_000
const SCANS = 10
const ROUNDS = 30

if (process.argv[2] === 'ask') await ask(process.argv[3] as string)
else if (process.argv[2] === 'internet') await serveInternet()
else await measure()

/** Sends requests until it is stopped, then reports their latencies. */
async function ask(url: string): Promise<void> {
  const took: number[] = []
  let isOver = false
  process.on('message', () => {
    isOver = true
  })
  while (!isOver) {
    const began = performance.now()
    const answer = await fetch(url)
    await answer.arrayBuffer()
    took.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  // A disconnection would drop what the pipe has not taken yet.
  process.send?.(took, () => process.disconnect())
}

/** The sites, in a separate process so that serving them takes no time from the service's thread. */
async function serveInternet(): Promise<void> {
  const hostile = packed(`${'<a href=x>'.repeat(199)}${'<b></b>'.repeat(720_000)}`)
  const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
  const internet = await startInternet(
    ({ url: { host, pathname } }) => {
      if (pathname === '/robots.txt' || pathname === '/sitemap.xml') return { status: 404 }
      if (host.startsWith('hostile')) return pathname === '/' ? home('Hostile', 60) : hostile
      if (!host.startsWith('site')) return null
      if (pathname === '/') return home(host, 24)
      return page(
        `${host} opens an office`,
        `<time datetime="${day}">${day}</time>${`<p>${host} today announced that it has opened an office in Leeds, led by its new head of sales. It has raised $40 million in Series B funding.</p>`.repeat(20)}`,
      )
    },
    { keep: false },
  )
  process.send?.(internet.env)
  process.on('message', () => process.exit(0))
}

function home(name: string, links: number): SandboxResponse {
  const list = Array.from(
    { length: links },
    (_, n) => `<h2><a href="/news/story-${n}-of-many-things">Story ${n} of very many things</a></h2>`,
  )
  return page(name, `<p>${name} builds robots.</p>${list.join('')}`)
}

function page(title: string, body: string): SandboxResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: `<html><head><title>${title}</title></head><body><main>${body}</main></body></html>`,
  }
}

function packed(html: string): SandboxResponse {
  const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' }
  return { status: 200, headers, body: gzipSync(html) as unknown as string }
}

async function measure(): Promise<void> {
  const internet = fork(import.meta.filename, ['internet'])
  const [env] = (await once(internet, 'message')) as [Record<string, string>]
  {
    await using service = await startBenchService({
      ...env,
      SOURCES: 'website',
      CRAWL_DELAY_MS: '0',
      CRAWL_MAX_PAGES: '61',
    })
    const call = caller(service)
    const add = async (domain: string) =>
      (await call<{ id: string }>('POST', '/v1/accounts', { name: domain, domain })).id
    const hostile = [await add('hostile-one.example'), await add('hostile-two.example')]
    const sites: string[] = []
    for (let n = 0; n < 3 * SCANS; n++) sites.push(await add(`site-${n}.example`))
    const scan = async (id: string) =>
      over(call, '/v1/runs/', (await call<{ run_id: string }>('POST', `/v1/accounts/${id}/scan`)).run_id)
    const load = async (n: number) => over(call, '/v1/companies/imports/', await upload(service, n))
    console.log('/healthz while                          answers      p50      p99      max   took')
    await watch(service, 'nothing happens', () => new Promise((resolve) => setTimeout(resolve, 3_000)))
    await watch(service, 'the hostile site is scanned', () => scan(hostile[0] as string))
    await watch(service, `${SCANS} scans run`, () => Promise.all(sites.slice(0, SCANS).map(scan)))
    await watch(service, `${ROWS} companies are imported`, () => load(0))
    const both = `${SCANS} scans and ${ROWS} rows at once`
    const p99 = await watch(service, both, () => Promise.all([...sites.slice(SCANS, 2 * SCANS).map(scan), load(1)]))
    report({ path: `/healthz p99: ${both}`, ours: p99, unit: 'ms', atMost: 20 })
    const worst = await watch(service, 'the hostile site as well', () =>
      Promise.all([scan(hostile[1] as string), ...sites.slice(2 * SCANS).map(scan), load(2)]),
    )
    report({ path: '/healthz p99: the hostile site as well', ours: worst, unit: 'ms', atMost: 50 })
  }
  internet.send('over')
  await costOfAPage()
}

/** Waits for the end of a run or an import. */
async function over(call: Call, path: string, id: string): Promise<void> {
  for (;;) {
    const { status, failure } = await call<{ status: string; failure: string | null }>('GET', `${path}${id}`)
    if (status === 'done') return
    if (status === 'failed') throw new Error(`${path}${id}: ${failure}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function upload({ address, key }: BenchService, round: number): Promise<string> {
  const rows = Array.from(
    { length: ROWS },
    (_, n) =>
      `company-${round}-${n}.com,Company ${n} Holding GmbH,Germany,Logistics,${n % 5_000},"Berlin, Germany",A company that ships parcel number ${n}\n`,
  )
  const answer = await fetch(`${address}/v1/companies/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `domain,name,country,industry,employees,location,description\n${rows.join('')}`,
  })
  if (!answer.ok) throw new Error(`import: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: { id: string } }).data.id
}

/** Returns the 99th percentile, in milliseconds. */
async function watch({ address }: BenchService, what: string, work: () => Promise<unknown>): Promise<number> {
  const asking: ChildProcess = fork(import.meta.filename, ['ask', `${address}/healthz`])
  const began = performance.now()
  await work()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  asking.send('over')
  const [took] = (await once(asking, 'message')) as [number[]]
  took.sort((a, b) => a - b)
  const value = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  const at = (share: number) => `${value(share).toFixed(1)} ms`.padStart(9)
  console.log(
    `${what.padEnd(38)} ${String(took.length).padStart(8)}${at(0.5)}${at(0.99)}${at(1)}${seconds.padStart(6)} s`,
  )
  return value(0.99)
}

async function costOfAPage(): Promise<void> {
  await using pool = new ParserPool({ threads: 1, timeoutMs: 60_000 })
  const pages = [...Array(4).keys()].map((n) => dearPage(50 * 2 ** (2 * n)))
  console.log('\na page                     inline   in a thread   ratio (aim 1.3)')
  for (const html of pages) {
    const bytes = new TextEncoder().encode(html)
    const input = () => ({
      url: 'https://a.example/',
      body: bytes.slice(),
      contentType: 'text/html',
      today: '2026-01-01',
      known: null,
    })
    const inline = await timeOf(async () => void parseContent(input()), ROUNDS)
    const threaded = await timeOf(async () => {
      const given = input()
      const read = await pool.run('page', given, { from: 'a.example', transfer: [given.body.buffer] })
      if (read instanceof LimitExceeded) throw new Error(read.reason)
    }, ROUNDS)
    const kb = `${(bytes.length / 1024).toFixed(0)} KB of cards`
    console.log(
      `${kb.padEnd(20)} ${inline.toFixed(2).padStart(9)} ms ${threaded.toFixed(2).padStart(9)} ms   ${(threaded / inline).toFixed(2)}`,
    )
  }
}
