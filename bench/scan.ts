import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInternet } from '../sandbox/internet.ts'
import type { SandboxResponse } from '../sandbox/types.ts'
import { isQuick, median, report } from './results.ts'
import { type BenchService, caller, startBenchService } from './support.ts'

/**
 * The time of a scan from the request to its end, next to what it must wait for: every response of the emulated internet,
 * which runs in a separate process, is delayed. The minimal chain is robots.txt, the home page,
 * then all other requests to the site, two at a time and at most at the crawl rate.
 */

const DELAY_MS = 150
const ARTICLES = 24
/** Concurrent requests to one site, as in the crawler's pace. */
const AT_ONCE = 2
const ROUNDS = isQuick ? 2 : 5

type Request = { url: string; came: number; answered: number }

if (process.argv[2] === 'internet') await serveInternet()
else await measure()

async function serveInternet(): Promise<void> {
  const requests: Request[] = []
  const now = () => performance.timeOrigin + performance.now()
  const internet = await startInternet(
    async ({ url }) => {
      const came = now()
      const answer = answerOf(url)
      if (answer) await sleep(DELAY_MS)
      if (answer) requests.push({ url: url.href, came, answered: now() })
      return answer
    },
    { keep: false },
  )
  process.send?.(internet.env)
  process.on('message', (message) => {
    if (message === 'over') process.exit(0)
    process.send?.(requests.splice(0))
  })
}

function answerOf({ host, pathname, origin }: URL): SandboxResponse | null {
  if (host === 'hn.algolia.com') return of('application/json', '{"hits":[]}')
  if (host === 'query.wikidata.org') return of('application/json', '{"head":{"vars":[]},"results":{"bindings":[]}}')
  if (host === 'boards-api.greenhouse.io') return of('application/json', '{"jobs":[],"meta":{"total":0}}')
  if (!host.startsWith('site')) return null
  const name = host.split('.')[0] as string
  const urls = Array.from({ length: ARTICLES }, (_, n) => `${origin}/news/story-${n}-of-many-things`)
  if (pathname === '/robots.txt') return of('text/plain', `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`)
  if (pathname === '/sitemap.xml') {
    const entries = urls.map((url, n) => `<url><loc>${url}</loc><lastmod>${dayOf(n)}</lastmod></url>`)
    return of('text/xml', `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`)
  }
  if (pathname === '/feed.xml') {
    const items = urls.slice(0, 10).map((url, n) => {
      const date = new Date(`${dayOf(n)}T09:00:00Z`).toUTCString()
      return `<item><title>Story ${n}</title><link>${url}</link><pubDate>${date}</pubDate></item>`
    })
    return of(
      'application/rss+xml',
      `<rss version="2.0"><channel><title>${name}</title>${items.join('')}</channel></rss>`,
    )
  }
  if (pathname === '/') {
    const links = ['news', 'about', 'team', 'careers', 'blog', 'pricing'].map(
      (at) => `<a href="/${at}">${at.replace(/^./, (first) => first.toUpperCase())}</a>`,
    )
    const feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    const board = `<a href="https://boards.greenhouse.io/${name}">Open positions</a>`
    return page(name, `<nav>${links.join(' ')} ${board}</nav><p>${name} builds robots for warehouses.</p>`, feed)
  }
  const n = Number(/story-(\d+)/.exec(pathname)?.[1] ?? -1)
  if (n < 0) return page(`${name}${pathname}`, `<p>${name} builds robots for warehouses since 1998.</p>`.repeat(8))
  const told = `<p>${name} today announced that it has opened an office in city ${n}, led by its new head of sales. It has raised $${n + 10} million in Series B funding from investors.</p>`
  return page(`${name} opens office ${n}`, `<time datetime="${dayOf(n)}">${dayOf(n)}</time>${told.repeat(12)}`)
}

const dayOf = (n: number) => new Date(Date.now() - (n + 2) * 86_400_000).toISOString().slice(0, 10)

function of(type: string, body: string): SandboxResponse {
  return { status: 200, headers: { 'content-type': type }, body }
}

function page(title: string, body: string, head = ''): SandboxResponse {
  return of('text/html', `<html><head><title>${title}</title>${head}</head><body><main>${body}</main></body></html>`)
}

async function measure(): Promise<void> {
  const internet = fork(import.meta.filename, ['internet'])
  const [env] = (await once(internet, 'message')) as [Record<string, string>]
  const told = async () => {
    const heard = once(internet, 'message')
    internet.send('tell')
    return ((await heard) as [Request[]])[0]
  }
  for (const pause of isQuick ? [0] : [500, 0]) {
    await using service = await startBenchService({ ...env, CRAWL_DELAY_MS: String(pause) })
    // The first scan loads code that all others use.
    await scan(service, 'site-first.example', told)
    const scans: Awaited<ReturnType<typeof scan>>[] = []
    for (let n = 0; n < ROUNDS; n++) scans.push(await scan(service, `site-${n}.example`, told))
    const middle = (value: (one: (typeof scans)[number]) => number) => median(scans.map(value))
    const took = middle((one) => one.took)
    const what = `scan, ${pause} ms between requests:`
    const { own } = scans[0] as (typeof scans)[number]
    console.log(
      `${what} ${took.toFixed(0)} ms; its waits one after the other ${middle(({ sum }) => sum).toFixed(0)} ms`,
    )
    // As rates, with the unavoidable latency as the limit.
    report({
      path: `${what} end to end`,
      ours: 60_000 / took,
      unit: 'a minute',
      limit: 60_000 / chainOf(own, pause),
      aim: 0.7,
    })
    report({ path: `${what} call to first request`, ours: middle(({ first }) => first), unit: 'ms', atMost: null })
    report({ path: `${what} last answer to end`, ours: middle(({ rest }) => rest), unit: 'ms', atMost: null })
  }
  internet.send('over')
}

/** The minimum time of this number of requests to one site. */
function chainOf(requests: number, pause: number): number {
  const byDelay = 2 * DELAY_MS + Math.ceil((requests - 2) / AT_ONCE) * DELAY_MS
  return Math.max(byDelay, (requests - 1) * pause + DELAY_MS)
}

async function scan(service: BenchService, domain: string, told: () => Promise<Request[]>) {
  const call = caller(service)
  const { id } = await call<{ id: string }>('POST', '/v1/accounts', { name: domain.split('.')[0], domain })
  await told()
  const began = performance.timeOrigin + performance.now()
  const { run_id } = await call<{ run_id: string }>('POST', `/v1/accounts/${id}/scan`)
  const look = () => call<{ status: string }>('GET', `/v1/runs/${run_id}`)
  let run = await look()
  for (; run.status === 'running'; run = await look()) await sleep(10)
  const ended = performance.timeOrigin + performance.now()
  if (run.status !== 'done') throw new Error(JSON.stringify(run))
  const requests = await told()
  return {
    took: ended - began,
    sum: requests.reduce((sum, { came, answered }) => sum + answered - came, 0),
    first: Math.min(...requests.map(({ came }) => came)) - began,
    rest: ended - Math.max(...requests.map(({ answered }) => answered)),
    own: requests.filter(({ url }) => new URL(url).host === domain).length,
  }
}
