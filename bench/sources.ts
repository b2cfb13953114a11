import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { pino } from 'pino'
import { startInternet } from '../sandbox/internet.ts'
import { startService } from '../src/app/service.ts'
import { loadConfig } from '../src/config/config.ts'
import { globenewswire } from '../src/providers/streams/globenewswire.ts'
import { matchStreamItems } from '../src/research/streams/match.ts'
import { readStreams } from '../src/research/streams/read.ts'
import { mostResidentOf, residentOf } from './measure.ts'
import { isQuick, report } from './results.ts'
import { databaseUrlOf, startBenchService } from './support.ts'

/**
 * Press releases read from feeds on loopback and matched with 100,000 active accounts, by a dedicated process:
 * fetched, parsed, stored, matched by name and domain, and the pages of possible matches opened. The limit is
 * PostgreSQL's join of the same releases with the same accounts by name.
 */

const ACCOUNTS = 100_000
const ROUNDS = isQuick ? 2 : 6
/** The maximum number of items that are read from a feed. */
const ITEMS = 500
/** One release in this number is about an account. */
const ONE_IN = 100
const AIM = 2_000

const ADJECTIVES = 'Amber Brisk Copper Dapper Eager Fabled Gilded Hollow Ivory Jovial Keen Lucid Mellow Noble'.split(
  ' ',
)
const NOUNS = 'Harbor Lantern Meadow Orchard Quarry Ridge Summit Thicket Valley Willow Anchor Beacon Canyon'.split(' ')
const KINDS = 'Systems Foods Robotics Therapeutics Logistics Analytics Energy'.split(' ')
const nameOf = (n: number) =>
  `${ADJECTIVES[n % ADJECTIVES.length]}${n.toString(36)} ${NOUNS[n % NOUNS.length]} ${KINDS[n % KINDS.length]}`
const domainOf = (n: number) => `${nameOf(n).toLowerCase().replaceAll(' ', '')}.example`

if (process.env.BENCH_PART === 'reader') await readAndMatch()
else await measure()

/** In a separate process: reads due sources and matches their items. */
async function readAndMatch(): Promise<void> {
  const config = loadConfig(process.env)
  await using service = await startService({
    config,
    log: pino({ level: 'warn' }),
    roles: { api: false, worker: false },
  })
  const idle = residentOf(process.pid)
  const { signal } = new AbortController()
  const began = performance.now()
  const { found } = await readStreams(service.deps, signal)
  const read = performance.now()
  const { items, matches } = await matchStreamItems(service.deps, signal)
  const ended = performance.now()
  const told = {
    ...{ found, items, matches, memory: mostResidentOf(process.pid), idle },
    ...{ readSeconds: (read - began) / 1000, matchSeconds: (ended - read) / 1000 },
  }
  console.log(JSON.stringify(told))
}

async function measure(): Promise<void> {
  await using service = await startBenchService({ SOURCES: 'website' })
  const { connection, workspaceId } = service
  const client = new pg.Client(connection)
  // The service stops its database when the measurement fails; the first error is the one to report.
  client.on('error', () => {})
  await client.connect()
  console.log(`writing ${ACCOUNTS} accounts …`)
  const names = Array.from({ length: ACCOUNTS }, (_, n) => nameOf(n))
  const domains = names.map((_, n) => domainOf(n))
  await client.query(
    `insert into accounts (workspace_id, id, name, domain, status, source)
     select $1, gen_random_uuid(), name, domain, 'active', 'api' from unnest($2::text[], $3::text[]) as given (name, domain)`,
    [workspaceId, names, domains],
  )
  await client.query('vacuum analyze accounts')

  let round = 0
  await using internet = await startInternet(({ url }) => answer(url, round), { keep: false })
  const figures: { rate: number; matchRate: number; memory: number; added: number; limit: number }[] = []
  for (round = 1; round <= ROUNDS; round++) {
    await client.query("update stream_feeds set due_at = now() - interval '1 minute'")
    const child = spawn(process.execPath, [import.meta.filename], {
      env: {
        PATH: process.env.PATH,
        ...{
          BENCH_PART: 'reader',
          DATABASE_URL: databaseUrlOf(service),
          DATA_DIR: service.dataDir,
          CRAWL_DELAY_MS: '0',
        },
        ...{ SOURCES: 'globenewswire', ...internet.env },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`the reader ended with ${code}`)
    const { found, items, matches, memory, idle, readSeconds, matchSeconds } = JSON.parse(said)
    const expected = ITEMS * globenewswire.feeds.length
    if (found !== expected || items !== expected || matches < expected / ONE_IN)
      throw new Error(`read ${found} of ${expected}, matched ${items}, ${matches} with an account`)
    await client.query('analyze stream_items')
    const began = performance.now()
    await client.query(
      `select count(*) from stream_items item join accounts account on company_key(account.name) = item.company_key
       and account.status = 'active' where item.key like $1`,
      [`${round}-%`],
    )
    const limit = expected / ((performance.now() - began) / 1000)
    const added = memory - idle
    figures.push({ rate: items / (readSeconds + matchSeconds), matchRate: items / matchSeconds, memory, added, limit })
    console.log(
      `round ${round}: ${items} releases, ${matches} of accounts; read in ${readSeconds.toFixed(2)} s, matched in ${matchSeconds.toFixed(2)} s, ${memory.toFixed(0)} MB, ${added.toFixed(0)} of them for this`,
    )
  }
  await client.end()
  // The first run compiles code that the others reuse.
  const measured = figures.slice(1).toSorted((a, b) => a.rate - b.rate)
  const middle = measured[Math.floor(measured.length / 2)] as (typeof figures)[number]
  report({
    path: 'releases matched with 100,000 accounts',
    ours: middle.matchRate,
    unit: 'items/s',
    limit: AIM,
    aim: 1,
  })
  report({
    path: 'the same, beside a join by name alone',
    ours: middle.matchRate,
    unit: 'items/s',
    limit: middle.limit,
    aim: null,
  })
  report({
    path: 'releases fetched, read, kept and matched',
    ours: middle.rate,
    unit: 'items/s',
    limit: AIM,
    aim: null,
  })
  const most = (of: 'memory' | 'added') => Math.max(...figures.map((figure) => figure[of]))
  report({ path: 'releases, memory added to an idle process', ours: most('added'), unit: 'MB', atMost: 200 })
  report({ path: 'releases, memory of the whole process', ours: most('memory'), unit: 'MB', atMost: null })
}

/** The wire: a feed of new releases for every subject, and a page for each. */
function answer(url: URL, round: number) {
  if (url.pathname === '/robots.txt') return { status: 404 }
  const code = /subjectcode\/(\d+)/.exec(url.pathname)?.[1]
  if (code) {
    const items = Array.from({ length: ITEMS }, (_, n) => item(round, code, n)).join('')
    const body = `<?xml version="1.0"?><rss version="2.0"><channel xmlns:dc="http://dublincore.org/documents/dcmi-namespace/"><title>Releases</title>${items}</channel></rss>`
    return { status: 200, headers: { 'content-type': 'application/rss+xml' }, body }
  }
  const name = decodeURIComponent(url.pathname.split('/')[2] ?? '')
  const body = `<!doctype html><html><head><title>${name} Names a Chief Executive</title></head><body><article><p>${name} today announced that it has named Ines Okafor as its Chief Executive Officer, effective next month.</p><p>More at <a href="https://${name.toLowerCase().replaceAll(' ', '')}.example/">${name}</a>.</p></article></body></html>`
  return { status: 200, headers: { 'content-type': 'text/html' }, body }
}

function item(round: number, code: string, n: number): string {
  const own = n % ONE_IN === 0
  const name = own ? nameOf((round * 7_919 + Number(code) * 541 + n) % ACCOUNTS) : `${nameOf(n + ACCOUNTS * 9)} ${code}`
  const link = `https://www.globenewswire.com/release/${encodeURIComponent(name)}/${round}-${code}-${n}`
  return `<item><guid>${link}</guid><link>${link}</link><title>${name} Names Ines Okafor as Chief Executive Officer to Lead Growth in Northern Europe</title><description><![CDATA[<p>${name} today announced that it has named Ines Okafor as its Chief Executive Officer, effective next month. She joins after nine years in the industry.</p>]]></description><pubDate>${new Date().toUTCString()}</pubDate><dc:identifier>${round}-${code}-${n}</dc:identifier><dc:language>en</dc:language><dc:contributor>${name}, Inc.</dc:contributor><dc:subject>Press releases</dc:subject></item>`
}
