import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { Agent, buildConnector } from 'undici'
import { createAuthority } from '../sandbox/certificates.ts'
import { startService } from '../src/app/service.ts'
import { loadConfig } from '../src/config/config.ts'
import { contentParts, fingerprintContent } from '../src/engine/content/index.ts'
import { readFeed } from '../src/engine/feed/index.ts'
import { readWebPage } from '../src/engine/page/index.ts'
import { RobotsCache } from '../src/providers/robots-cache.ts'
import { sweepMonitors } from '../src/research/monitor/sweep.ts'
import { StoredRobots } from '../src/research/stored-robots.ts'
import { mostResidentOf } from './measure.ts'
import { isQuick, report } from './results.ts'
import { serveBeside, startBenchService } from './support.ts'

/**
 * Active accounts per minute that the monitor checks when all their pages are due and no robots.txt is cached, compared with a
 * bare undici loop that sends the same conditional requests to the same sites with the same concurrency, half of them before
 * and half after. Every site is a separate host over TLS, on one loopback port; one in a hundred has published something
 * since. There are no delays between two requests to a site. Then a week of checks of accounts that publish nothing.
 */

const ACCOUNTS = isQuick ? 1_000 : 10_000
const WEEK_ACCOUNTS = isQuick ? 60 : 500
const CHANGED_EVERY = 100
const CONCURRENCY = 64
const PATHS = ['/robots.txt', '/', '/feed.xml']

/** Requests that the sites received since the last call, and their peak number of connections. */
type Served = { count: number; mostOpen: number }

const hostOf = (n: number) => `c${n}.bench.example`

/** The content of a site after a number of publications; sites that publish nothing stay at 0. */
function pageOf(host: string): string {
  const text = `<p>${host} makes gauges for the water industry, and has done so since 1962.</p>`
  return `<html><head><title>${host}</title><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body><nav><a href="/">Home</a></nav><main>${text.repeat(20)}</main></body></html>`
}

function feedOf(host: string, published: number): string {
  const items = Array.from({ length: 10 + published }, (_, at) => {
    const title = `Story ${at} of ${host}`
    return `<item><title>${title}</title><link>https://${host}/news/${at}</link><pubDate>${new Date().toUTCString()}</pubDate><description>In short: ${title}.</description></item>`
  })
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`
}

if (process.argv[2] === 'serve') serve(process.argv[3] as string)
else await measure()

/** In a separate process, so that it does not compete with the measured code for one core. */
function serve(caFile: string): void {
  const authority = createAuthority()
  writeFileSync(caFile, authority.pem)
  const context = authority.contextFor('*.bench.example')
  let published = 0
  let count = 0
  let open = 0
  let mostOpen = 0
  process.on('message', (message) => {
    if (message === 'publish') published++
    process.send?.({ count, mostOpen } satisfies Served)
    count = 0
    mostOpen = open
  })
  const server = createServer({ SNICallback: (_name, done) => done(null, context) }, (request, response) => {
    count++
    const host = request.headers.host ?? ''
    const news = Number(host.slice(1, host.indexOf('.'))) % CHANGED_EVERY === 0 ? published : 0
    const path = request.url ?? ''
    if (path === '/robots.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /private\n')
      return
    }
    const etag = path === '/feed.xml' ? `"${news}"` : '"0"'
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    const [type, body] =
      path === '/feed.xml' ? ['application/rss+xml', feedOf(host, news)] : ['text/html', pageOf(host)]
    response.writeHead(200, { 'content-type': type, etag }).end(body)
  })
  server.on('secureConnection', (socket) => {
    mostOpen = Math.max(mostOpen, ++open)
    socket.once('close', () => open--)
  })
  // Longer than any delay between two requests on a busy machine.
  server.keepAliveTimeout = 60_000
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-monitor-'))
  const caFile = join(folder, 'ca.pem')
  const sites = fork(import.meta.filename, ['serve', caFile])
  const [port] = (await once(sites, 'message')) as [number]
  const ask = async (message: 'publish' | 'count'): Promise<Served> => {
    const answer = once(sites, 'message')
    sites.send(message)
    return (await answer)[0] as Served
  }
  const env = {
    OUTBOUND_CONNECT_TO: `*:443=127.0.0.1:${port}`,
    OUTBOUND_CA: caFile,
    MONITOR_CONCURRENCY: String(CONCURRENCY),
    CRAWL_DELAY_MS: '0',
  }
  try {
    await measureSweep(env, ask, (from, to) => bare(readFileSync(caFile, 'utf8'), port, from, to))
    await measureWeek(env, ask)
  } finally {
    sites.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Ask = (message: 'publish' | 'count') => Promise<Served>

async function measureSweep(
  env: Record<string, string>,
  ask: Ask,
  loop: (from: number, to: number) => Promise<number>,
): Promise<void> {
  await using service = await startBenchService(env, ['--only', 'api'])
  await using worker = await serveBeside(service, env, ['--only', 'worker'])
  // Closed before the service, which stops the database.
  await using closing = new AsyncDisposableStack()
  const client = new pg.Client(service.connection)
  await client.connect()
  closing.defer(() => client.end())
  const boss = new PgBoss({ ...service.connection, supervise: false, schedule: false })
  await boss.start()
  closing.defer(() => boss.stop())
  await fill(client, service.workspaceId, ACCOUNTS)
  const before = mostResidentOf(worker.child.pid)

  /** Publishes on one site in a hundred, makes every account due, and waits until all are checked. */
  async function monitor(): Promise<{ seconds: number; found: Record<string, number> }> {
    await ask('publish')
    const { rows: began } = await client.query('select now() as at')
    await client.query("update monitors set next_check_at = now() - interval '1 minute', checks = 0")
    const start = performance.now()
    await boss.send('sweep-monitors', {})
    for (;;) {
      const { rows } = await client.query('select count(*)::int as due from monitors where next_check_at <= now()')
      if (rows[0].due === 0) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const seconds = (performance.now() - start) / 1000
    const { rows } = await client.query(
      'select status, count(*)::int as count from monitor_events where created_at >= $1 group by status',
      [began[0].at],
    )
    return { seconds, found: Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
  }

  const half = ACCOUNTS / 2
  const first = await loop(0, half)
  await ask('count')
  const { seconds, found } = await monitor()
  const { count, mostOpen } = await ask('count')
  const peak = mostResidentOf(worker.child.pid)
  const limit = (ACCOUNTS * 60) / (first + (await loop(half, ACCOUNTS)))
  const { rows } = await client.query('select count(*)::int as count from documents')
  const news = ACCOUNTS / CHANGED_EVERY
  if (rows[0].count !== news || found.changed !== news || found.failed) {
    throw new Error(`not all was seen: ${rows[0].count} of ${news} articles, ${JSON.stringify(found)}`)
  }
  // In addition to its share of checks, the new article of a changed account is read.
  if (count - news !== ACCOUNTS * PATHS.length) throw new Error(`${count} requests: the loop makes others`)
  report({ path: 'monitor: a sweep', ours: (ACCOUNTS * 60) / seconds, unit: 'accounts/min', limit, aim: 0.6 })
  report({ path: 'monitor: worker before the sweep', ours: before, unit: 'MB', atMost: null })
  report({ path: 'monitor: worker at most', ours: peak, unit: 'MB', atMost: 300 })
  report({ path: 'monitor: connections open at once', ours: mostOpen, unit: '', atMost: 2 * CONCURRENCY })
}

/**
 * Requests per check of accounts that publish nothing, over the seven checks of a week, the first without a cached
 * robots.txt. The sweep runs here with a clock that is advanced from check to check, each time with an empty in-memory
 * cache: stored state is in the database.
 */
async function measureWeek(env: Record<string, string>, ask: Ask): Promise<void> {
  // Without the website source, so that its own worker checks nothing.
  await using service = await startBenchService({ SOURCES: 'wikidata' })
  await using closing = new AsyncDisposableStack()
  const client = new pg.Client(service.connection)
  await client.connect()
  closing.defer(() => client.end())
  await fill(client, service.workspaceId, WEEK_ACCOUNTS)
  const { host = '', port, user, password, database } = service.connection
  const log = pino({ level: 'silent' })
  const DATABASE_URL = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const config = loadConfig({ ...env, DATABASE_URL, DATA_DIR: service.dataDir })
  const { deps } = closing.use(await startService({ config, log, roles: { api: false, worker: false } }))
  await ask('count')
  for (let day = 0; day < 7; day++) {
    await client.query("update monitors set next_check_at = now() - interval '1 minute'")
    await using stored = new StoredRobots(deps.db, log)
    // A check is due an interval after the last or a little earlier.
    const now = () => new Date(Date.now() + day * 23 * 3_600_000)
    const context = { signal: new AbortController().signal, attempt: 0, progressed: async () => {} }
    await sweepMonitors.run({ ...deps, now, robots: new RobotsCache(stored) }, {}, context)
  }
  const { count } = await ask('count')
  const ours = count / WEEK_ACCOUNTS / 7
  report({ path: 'monitor: requests an unchanged account', ours, unit: 'a check', atMost: 2 })
}

/** Accounts with the stored state of an earlier check of their sites. */
async function fill(client: pg.Client, workspaceId: string, count: number): Promise<void> {
  await client.query(
    `insert into accounts (workspace_id, id, name, domain, status, source)
     select $1, gen_random_uuid(), 'Company ' || n, 'c' || n || '.bench.example', 'active', 'api' from generate_series(0, $2::int - 1) as n`,
    [workspaceId, count],
  )
  await client.query(
    `insert into monitors (workspace_id, account_id, next_check_at, last_checked_at, checks)
     select workspace_id, id, now() + interval '1 day', now(), floor(random() * 6) from accounts`,
  )
  const today = new Date().toISOString().slice(0, 10)
  const pages = Array.from({ length: count }, (_, n) => {
    const host = hostOf(n)
    const home = `https://${host}/`
    const feed = `https://${host}/feed.xml`
    return [
      pageRow(host, home, 'home', { type: 'page', page: readWebPage({ url: home, html: pageOf(host) }) }),
      pageRow(host, feed, 'feed', { type: 'feed', feed: readFeed({ url: feed, body: feedOf(host, 0) }, today) }),
    ]
  }).flat()
  await client.query(
    `insert into watched_pages (workspace_id, account_id, url, kind, etag, content_hash, marks)
     select workspace_id, id, url, kind, '"0"', content_hash, decode(line_hashes, 'hex')
     from json_to_recordset($1::json) as given (host text, url text, kind text, content_hash text, line_hashes text)
     join accounts on domain = host`,
    [JSON.stringify(pages)],
  )
  await client.query('analyze')
}

function pageRow(host: string, url: string, kind: string, content: Parameters<typeof contentParts>[0]) {
  const { content_hash, line_hashes } = fingerprintContent(contentParts(content))
  return { host, url, kind, content_hash, line_hashes: line_hashes.join('') }
}

/** The same requests without the service. Returns the seconds they took. */
async function bare(ca: string, port: number, from: number, to: number): Promise<number> {
  const connect = buildConnector({ secureContext: createSecureContext({ ca }) })
  const agent = new Agent({
    // As in the monitor: otherwise a second connection with its handshake is opened while the first is about to be free.
    connections: 1,
    connect: (target, callback) => connect({ ...target, hostname: '127.0.0.1', port: String(port) }, callback),
  })
  let next = from
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < to) {
        const origin = `https://${hostOf(next++)}`
        for (const path of PATHS) {
          const headers = path === '/robots.txt' ? {} : { 'if-none-match': '"0"' }
          const answer = await agent.request({ origin, path, method: 'GET', headers, reset: path === PATHS.at(-1) })
          await answer.body.dump()
          // Pages published meanwhile are returned in full, as for the monitor.
          if (path === '/' && answer.statusCode !== 304) throw new Error(`${origin}${path}: ${answer.statusCode}`)
        }
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  await agent.destroy()
  return seconds
}
