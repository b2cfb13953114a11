import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import pg from 'pg'
import { pino } from 'pino'
import { type Host, type Internet, startInternet } from '../sandbox/internet.ts'
import type { World } from '../sandbox/types.ts'
import { COMPANIES_HOUSE_KEY, COMPANIES_HOUSE_STREAM_KEY } from '../sandbox/vendors/companies-house.ts'
import { vendorResponse } from '../sandbox/vendors/index.ts'
import { startService } from '../src/app/service.ts'
import { loadConfig } from '../src/config/config.ts'
import { gdelt } from '../src/providers/streams/gdelt.ts'
import { globenewswire } from '../src/providers/streams/globenewswire.ts'
import { matchStreamItems } from '../src/research/streams/match.ts'
import { readStreams } from '../src/research/streams/read.ts'
import { mostResidentOf, residentOf } from './measure.ts'
import { isQuick, report } from './results.ts'
import { createGdeltFiles, LATEST, PERIOD_MS, ROWS, stampOf } from './sources/gdelt-files.ts'
import type { Outcome, Planted, PlantedItem } from './sources/planted.ts'
import { plantGdelt } from './sources/planted-gdelt.ts'
import { plantJobBoards } from './sources/planted-job-boards.ts'
import { plantRegisters } from './sources/planted-registers.ts'
import { type BenchService, caller, databaseUrlOf, startBenchService } from './support.ts'

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
  await measurePlanted(service, internet, client, planted)
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

async function setFeed(client: pg.Client, { stream, feed, state }: Planted['feeds'][number]): Promise<void> {
  await client.query(
    `insert into stream_feeds (stream, feed, state, due_at) values ($1, $2, $3, now() - interval '1 minute')
     on conflict (stream, feed) do update set state = excluded.state, due_at = excluded.due_at`,
    [stream, feed, JSON.stringify(state)],
  )
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

/** The vendors and the sites of planted documents. */
function answerPlanted(planted: readonly Planted[], today: string): Host {
  const world: World = Object.assign(
    { today, companies: [], stories: [], filings: [] },
    ...planted.map((one) => one.world),
  )
  return async (request) => {
    for (const { hosts } of planted) {
      const found = await hosts.get(request.url.hostname)?.(request)
      if (found) return found
    }
    return vendorResponse(request, world)
  }
}

type Found = { domain: string; signal: string; url: string }

/** A finding is right if its evidence is a document about the account, with the signal that the document reports. */
async function measurePlanted(
  service: BenchService,
  internet: Internet,
  client: pg.Client,
  planted: readonly Planted[],
): Promise<void> {
  const items = planted.flatMap((one) => one.items)
  const accounts = [...new Map(items.map(({ account }) => [account.domain, account])).values()]
  const { rows: inserted } = await client.query<{ id: string; domain: string }>(
    `insert into accounts (workspace_id, id, name, domain, status, source)
     select $1, gen_random_uuid(), name, domain, 'active', 'api' from unnest($2::text[], $3::text[]) as given (name, domain)
     returning id, domain`,
    [service.workspaceId, accounts.map(({ name }) => name), accounts.map(({ domain }) => domain)],
  )
  const began = performance.now()
  await scanPlanted(service, planted, new Map(inserted.map(({ id, domain }) => [domain, id])))
  const scanned = performance.now()
  for (const feed of planted.flatMap(({ feeds }) => feeds)) await setFeed(client, feed)
  await runReader(service, internet, 'gdelt,companies-house')
  await untilDetected(client)
  const seconds = [scanned - began, performance.now() - scanned].map((ms) => (ms / 1000).toFixed(0))
  console.log(`planted items: scanned in ${seconds[0]} s, read from streams and searched in ${seconds[1]} s`)
  const { rows: found } = await client.query<Found>(
    `select * from (
       select account.domain, found.signal_id as signal, proof ->> 'source_url' as url
       from signal_detections found join accounts account on account.workspace_id = found.workspace_id and account.id = found.account_id
       cross join lateral jsonb_array_elements(found.evidence) as proof
       where found.signal_present
       union
       select account.domain, 'hiring', opening.url
       from openings opening join accounts account on account.workspace_id = opening.workspace_id and account.id = opening.account_id
     ) as stored where url = any($1)`,
    [items.map(({ url }) => url)],
  )
  for (const { source, items } of planted) reportPlanted(`planted at ${source}`, items, found)
  reportPlanted('planted items', items, found, { precision: 0.98, recall: 0.9 })
}

/** Counts what was found at any account. */
function countFound(kind: string, items: readonly PlantedItem[], stored: readonly Found[]): Outcome {
  const urls = new Set(items.map(({ url }) => url))
  const expected = items.filter(({ signal }) => signal !== null)
  const wanted = new Set(expected.map(({ account, signal, url }) => `${account.domain} ${signal} ${url}`))
  const found = stored.filter(({ url }) => urls.has(url))
  const right = found.filter(({ domain, signal, url }) => wanted.has(`${domain} ${signal} ${url}`))
  return { kind, planted: items.length, expected: expected.length, found: found.length, right: right.length }
}

function reportPlanted(
  what: string,
  items: readonly PlantedItem[],
  stored: readonly Found[],
  aims?: { precision: number; recall: number },
): void {
  const kinds = aims ? [] : [...Map.groupBy(items, ({ kind }) => kind)]
  for (const [kind, of] of kinds) {
    const { planted, expected, found, right } = countFound(kind, of, stored)
    console.log(`${kind.padEnd(50)} ${planted} planted, ${expected} expected, ${found} found, ${right} right`)
  }
  const { planted, expected, found, right } = countFound(what, items, stored)
  const path = `${what} (${planted})`
  report({ path: `${path}, precision`, ours: right / found, unit: '', limit: 1, aim: aims?.precision ?? null })
  report({ path: `${path}, recall`, ours: right / expected, unit: '', limit: 1, aim: aims?.recall ?? null })
}

type Run = { status: string; stats: { sources?: { name: string; outcome: string; reason?: string }[] } }

/** Scans the accounts of sources that are read by scans, and reports whether disallowed sources are reported as failed. */
async function scanPlanted(
  service: BenchService,
  planted: readonly Planted[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const call = caller(service)
  const scanned = planted.filter(({ isScanned }) => isScanned).flatMap(({ items }) => items)
  const runs = new Map<string, string>()
  for (const domain of new Set(scanned.map(({ account }) => account.domain))) {
    const { run_id } = await call<{ run_id: string }>('POST', `/v1/accounts/${ids.get(domain)}/scan`)
    runs.set(domain, run_id)
  }
  const disallowed = new Set(planted.flatMap((one) => [...one.disallowed]))
  let reported = 0
  for (const [domain, id] of runs) {
    let run = await call<Run>('GET', `/v1/runs/${id}`)
    for (; run.status === 'running'; run = await call<Run>('GET', `/v1/runs/${id}`)) await wait(100)
    if (run.status !== 'done') throw new Error(`the scan of ${domain}: ${JSON.stringify(run)}`)
    const failed = (run.stats.sources ?? []).filter(({ outcome }) => outcome === 'failed')
    const isReported = failed.some(({ reason }) => reason?.includes('robots.txt'))
    if (isReported && disallowed.has(domain)) reported += 1
    else if (failed.length > 0) throw new Error(`the scan of ${domain}: ${JSON.stringify(failed)}`)
  }
  report({
    path: 'boards disallowed by robots.txt, reported as failed',
    ...{ ours: reported, unit: 'boards', limit: disallowed.size, aim: 1 },
  })
}

async function untilDetected(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      "select from pgboss.job where name = 'look-at-stream-items' and state in ('created', 'retry', 'active') limit 1",
    )
    if (rows.length === 0) return
    await wait(200)
  }
}

if (process.env.BENCH_PART === 'reader') await readAndMatch()
else if (process.env.BENCH_PART === 'splitter') split()
else await measure()
