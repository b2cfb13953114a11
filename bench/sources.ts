import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inflateRawSync } from 'node:zlib'
import pg from 'pg'
import { pino } from 'pino'
import { type Host, type Internet, startInternet } from '../sandbox/internet.ts'
import { COMPANIES_HOUSE_KEY, COMPANIES_HOUSE_STREAM_KEY } from '../sandbox/vendors/companies-house.ts'
import { startService } from '../src/app/service.ts'
import { loadConfig } from '../src/config/config.ts'
import { gdelt } from '../src/providers/streams/gdelt.ts'
import { globenewswire } from '../src/providers/streams/globenewswire.ts'
import { matchStreamItems } from '../src/research/streams/match.ts'
import { readStreams } from '../src/research/streams/read.ts'
import { mostResidentOf, residentOf } from './measure.ts'
import { isQuick, report } from './results.ts'
import { createGdeltFiles, LATEST, PERIOD_MS, ROWS, stampOf } from './sources/gdelt-files.ts'
import { answerPlanted, measurePlanted, setFeed } from './sources/measure-planted.ts'
import { plantGdelt } from './sources/planted-gdelt.ts'
import { plantJobBoards } from './sources/planted-job-boards.ts'
import { plantRegisters } from './sources/planted-registers.ts'
import { type BenchService, databaseUrlOf, startBenchService } from './support.ts'

/**
 * Press releases read from feeds on loopback and matched with 100,000 active accounts, by a dedicated process:
 * fetched, parsed, stored, matched by name and domain, and the pages of possible matches opened. The limit is
 * PostgreSQL's join of the same releases with the same accounts by name.
 *
 * Then files of GDELT in their usual size, read, matched with the same accounts and stored: rows a minute of processor time
 * next to decompressing and splitting the same bytes, and the memory that a day of files adds to a few.
 *
 * And documents planted at GDELT, in a register and on job boards, about accounts, namesakes and others: how many findings are
 * right, and how many are missing. A finding is a detected signal, on a job board an open position that is stored for the
 * account. With `--planted`, only this part is measured.
 */
const isPlantedOnly = process.argv.includes('--planted')

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
  const used = process.cpuUsage()
  const { found } = await readStreams(service.deps, signal)
  const read = performance.now()
  const { user, system } = process.cpuUsage(used)
  const readMemory = mostResidentOf(process.pid)
  const { items, matches } = await matchStreamItems(service.deps, signal)
  const ended = performance.now()
  const figures = {
    ...{ found, items, matches, memory: mostResidentOf(process.pid), idle },
    ...{
      readMemory,
      readCpuSeconds: (user + system) / 1e6,
      readSeconds: (read - began) / 1000,
      matchSeconds: (ended - read) / 1000,
    },
  }
  console.log(JSON.stringify(figures))
}

type Figures = Record<
  'found' | 'items' | 'matches' | 'memory' | 'readMemory' | 'idle' | 'readCpuSeconds' | 'readSeconds' | 'matchSeconds',
  number
>

/** The figures of a dedicated process that reads and matches the due feeds of some sources. */
async function runReader(service: BenchService, internet: Internet, SOURCES: string): Promise<Figures> {
  return await runPart('reader', {
    DATABASE_URL: databaseUrlOf(service),
    DATA_DIR: service.dataDir,
    CRAWL_DELAY_MS: '0',
    ...{ SOURCES, COMPANIES_HOUSE_STREAM_KEY, ...internet.env },
  })
}

async function runPart<T>(part: string, env: Record<string, string>): Promise<T> {
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { PATH: process.env.PATH, BENCH_PART: part, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the ${part} ended with ${code}`)
  return JSON.parse(output) as T
}

async function measure(): Promise<void> {
  let round = 0
  let others: Host = () => null
  await using internet = await startInternet(async (request) => (await others(request)) ?? answer(request.url, round), {
    keep: false,
  })
  await using service = await startBenchService({
    SOURCES: 'website,job-boards,companies-house',
    CRAWL_DELAY_MS: '0',
    ...{ COMPANIES_HOUSE_KEY, ...internet.env },
  })
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
  // Otherwise the hourly scans of these accounts delay those of the planted ones, if it begins meanwhile.
  await client.query("delete from pgboss.schedule where name = 'rescan-accounts'")

  if (!isPlantedOnly) {
    await measureReleases(service, internet, client, (number) => {
      round = number
    })
    others = createGdeltFiles(articleOf).host
    await measureGdeltFiles(service, internet, client)
  }
  const today = new Date(LATEST).toISOString().slice(0, 10)
  const planted = [plantGdelt(today), plantRegisters(today), plantJobBoards(today)]
  others = answerPlanted(planted, today)
  await measurePlanted(service, client, planted, (names) => runReader(service, internet, names))
  await client.end()
}

async function measureReleases(
  service: BenchService,
  internet: Internet,
  client: pg.Client,
  startRound: (round: number) => void,
): Promise<void> {
  const figures: { rate: number; matchRate: number; memory: number; added: number; limit: number }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    startRound(round)
    await client.query("update stream_feeds set due_at = now() - interval '1 minute'")
    const { found, items, matches, memory, idle, readSeconds, matchSeconds } = await runReader(
      service,
      internet,
      'globenewswire',
    )
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
    path: 'the same, next to a join by name alone',
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

/** Files of ten hours, after which the heaps of the process and of its parser thread no longer grow, and of a day. */
const [FEW, MANY] = isQuick ? [10, 30] : [40, 96]
const ROWS_AIM = 20_000

/** One article in fifty names an account. */
function articleOf(n: number) {
  const verbs = [
    'raises $40 million in Series B funding',
    'told to expect rain',
    'opens a new office',
    'in court over land',
  ]
  const organisations = Array.from({ length: 12 }, (_, k) => nameOf(ACCOUNTS * 9 + n * 12 + k))
  if (n % 50 === 0) organisations.unshift(nameOf(n * 7))
  const title = `${organisations[0]} ${verbs[n % 4]}`
  return { url: `https://daily-${n % 300}.example/${n}`, title, organisations }
}

/** The limit: the bytes of the same files, decompressed and split into columns. */
function split(): void {
  let rows = 0
  const { files } = createGdeltFiles(articleOf)
  const used = process.cpuUsage()
  for (let n = 0; n < FEW; n++) {
    const { body } = files[n % files.length] as (typeof files)[number]
    const from = 30 + body.readUInt16LE(26)
    const text = inflateRawSync(body.subarray(from, from + body.readUInt32LE(18))).toString()
    rows += text
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t')).length
  }
  const { user, system } = process.cpuUsage(used)
  console.log(JSON.stringify({ perMinute: rows / ((user + system) / 1e6 / 60) }))
}

async function measureGdeltFiles(service: BenchService, internet: Internet, client: pg.Client): Promise<void> {
  const figures: Figures[] = []
  for (const files of [FEW, MANY]) {
    const state = { file: stampOf(LATEST - files * PERIOD_MS) }
    await setFeed(client, { stream: gdelt.name, feed: 'articles', state })
    const read = await runReader(service, internet, 'gdelt')
    figures.push(read)
    // Its pages are not measured: what it keeps is matched by the next reader otherwise.
    await client.query('delete from stream_items where stream = $1', [gdelt.name])
    const { readCpuSeconds, readSeconds, found, readMemory } = read
    console.log(
      `${files} files of GDELT: ${files * ROWS} rows in ${readSeconds.toFixed(1)} s, ${readCpuSeconds.toFixed(1)} s of processor time; ${found} kept, at most ${readMemory.toFixed(0)} MB resident`,
    )
  }
  const [few, many] = figures as [Figures, Figures]
  const { perMinute } = await runPart<{ perMinute: number }>('splitter', {})
  const ours = (MANY * ROWS) / (many.readCpuSeconds / 60)
  report({ path: 'GDELT rows read and matched on one core', ours, unit: 'rows/min', limit: ROWS_AIM, aim: 1 })
  report({ path: 'the same, next to decompressing and splitting', ours, unit: 'rows/min', limit: perMinute, aim: null })
  report({
    path: `GDELT, peak memory with ${MANY} files less that with ${FEW}`,
    ours: many.readMemory - few.readMemory,
    unit: 'MB',
    atMost: isQuick ? null : 50,
  })
  report({
    path: `GDELT, peak memory of the process with ${MANY} files`,
    ...{ ours: many.readMemory, unit: 'MB', atMost: null },
  })
}

if (process.env.BENCH_PART === 'reader') await readAndMatch()
else if (process.env.BENCH_PART === 'splitter') split()
else await measure()
