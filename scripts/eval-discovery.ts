/**
 * Discovery without a universe: a fresh service on the whole sandbox, no imported companies, three runs over all
 * signals: `node scripts/eval-discovery.ts`. Counts the companies of which a planted event was found with its evidence, the
 * hits with a wrong domain or without a planted event, and the further detections that the manifest does not contain; and
 * names what was missed.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Json, type RunningService, startService } from '../sandbox/demo/service.ts'
import type { CompanyTruth } from '../sandbox/manifest.ts'
import { startSandbox } from '../sandbox/start.ts'
import { companyKey } from '../src/engine/companies/company-names.ts'
import { SIGNAL_IDS } from '../src/engine/signals/index.ts'

const RUNS = 3
const AIM = 25

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'bellwether-eval-'))
// The embedded database may run as another user.
chmodSync(folder, 0o755)
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const sandbox = stack.use(await startSandbox({ keep: false }))
const port = await freePort()
const address = `http://127.0.0.1:${port}`
const key = randomBytes(16).toString('hex')
const env = {
  ...{ PATH: process.env.PATH, ...sandbox.env, PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: address },
  ...{ DATA_DIR: folder, BELLWETHER_API_KEY: key, LOG_LEVEL: 'warn' },
}
const service = stack.use(await startService(env, address, key))

let lastRun = ''
for (let run = 1; run <= RUNS; run++) {
  const began = performance.now()
  const { status, data } = await service.call('POST', '/runs', { signals: { any_of: SIGNAL_IDS } })
  if (status !== 202) throw new Error(`The run was not started: ${status} ${JSON.stringify(data)}`)
  lastRun = data.run_id
  const ended = await endOf(service, data.run_id)
  const { candidates, matched, existing, unresolved, failed, lead_sources = [] } = ended.stats
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `run ${run}: ${ended.status}, ${seconds} s; ${candidates} candidates, ${matched} matched, ${existing} existing, ${failed} failed, ${unresolved} without a website`,
  )
  for (const { name, outcome, items, reason } of lead_sources) {
    console.log(`  ${name}: ${outcome}, ${items}${reason ? ` (${reason})` : ''}`)
  }
}

const { data: unresolved } = await service.call('GET', `/runs/${lastRun}/unresolved?per_page=100`)
const manifest = sandbox.manifest()
const found = await readFound(service)
const wrongHits: string[] = []
const wrongDetections: string[] = []
const hits = new Set<string>()
let right = 0
for (const { domain, name, detections } of found) {
  const truth = manifest.companies.find((company) => company.domain === domain)
  if (!truth) {
    wrongHits.push(`${domain} (${name}): no company of the sandbox`)
    continue
  }
  const verdicts = detections.map((detection) => judge(truth, detection))
  right += verdicts.filter((verdict) => verdict === 'right').length
  if (verdicts.includes('right')) hits.add(domain)
  else if (!verdicts.includes('open')) wrongHits.push(`${domain}: none of its events is planted`)
  for (const [at, { signal_id, evidence }] of detections.entries()) {
    const urls = evidence.map(({ source_url }: Json) => source_url)
    if (verdicts[at] === 'wrong') wrongDetections.push(`${domain}: ${signal_id}: ${urls}`)
  }
}

for (const { name, signal_id, source, url, attempts } of unresolved) {
  console.log(`  no website: ${name} (${signal_id}, ${source}, ${url})`)
  for (const attempt of attempts) console.log(`    ${attempt}`)
}
const planted = manifest.companies.filter((company) => plantedEvents(company).length > 0)
console.log(`\n${hits.size} of ${manifest.companies.length} companies found with a planted event (aim ${AIM}).`)
console.log(`${found.length} hits, ${wrongHits.length} of them wrong (aim 0).`)
for (const one of wrongHits) console.log(`  wrong hit: ${one}`)
console.log(`${right} planted events found, ${wrongDetections.length} further detections not in the manifest.`)
for (const one of wrongDetections) console.log(`  wrong detection: ${one}`)
console.log(`${planted.length} companies have a planted event:`)
for (const company of planted.filter(({ domain }) => !hits.has(domain))) {
  const account = found.find(({ domain }) => domain === company.domain)
  console.log(`  missed: ${company.domain}: ${account ? 'an account without a planted event' : whyMissed(company)}`)
}
if (hits.size < AIM || wrongHits.length > 0) process.exitCode = 1

function plantedEvents({ signals, foreign, streamed }: CompanyTruth) {
  return [...signals, ...foreign, ...streamed]
}

/** A detection is right when one of its pages, or the same text on a wire, is planted evidence of its signal. */
function judge(truth: CompanyTruth, { signal_id, evidence }: Json): 'right' | 'wrong' | 'open' {
  const planted = plantedEvents(truth).filter((event) => event.signal_id === signal_id)
  const titles = new Set(planted.flatMap((event) => event.reports.map(({ says }) => says)))
  const urls = new Set(planted.flatMap((event) => event.urls))
  const releases = sandbox.world.releases.filter(({ site, title }) => site === truth.domain && titles.has(title))
  const sources: string[] = evidence.map(({ source_url }: Json) => source_url)
  if (sources.some((url) => urls.has(url) || releases.some(({ id }) => url.includes(`/${id}/`)))) return 'right'
  const open = new Set(truth.arguable.filter((one) => one.signal_id === signal_id).map(({ url }) => url))
  return sources.some((url) => open.has(url)) ? 'open' : 'wrong'
}

/** What the sandbox publishes about a company outside its own site, and whether its website was searched for. */
function whyMissed({ domain, name }: CompanyTruth): string {
  const { releases, stories, filings, awards, notices, today } = sandbox.world
  const days = (day: string) => `${Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000)} days old`
  const published = [
    ...releases.filter(({ site }) => site === domain).map((one) => `on the wires (${days(one.published)})`),
    ...stories.filter(({ about }) => about === domain).map((one) => `in the news (${days(one.published)})`),
    ...filings.filter((one) => one.domain === domain).map((one) => `in a filing (${days(one.filed)})`),
    ...awards.filter((one) => one.domain === domain).map((one) => `in ${one.by} (${days(one.day)})`),
    ...notices.filter((one) => one.domain === domain).map((one) => `in a layoff notice (${days(one.noticed)})`),
  ]
  if (published.length === 0) return 'only its own site reports its events'
  const isUnresolved = unresolved.some((one: Json) => companyKey(one.name) === companyKey(name))
  return `${isUnresolved ? 'its website was not found' : 'no lead'}; ${published.join(', ')}`
}

type FoundAccount = { domain: string; name: string; status: string; detections: Json[] }

async function readFound({ call }: RunningService): Promise<FoundAccount[]> {
  const accounts: FoundAccount[] = []
  for (let page = 1; ; page++) {
    const { data } = await call('GET', `/accounts?per_page=100&page=${page}`)
    for (const { id, domain, name, status } of data) {
      const { data: detections } = await call('GET', `/accounts/${id}/signals?per_page=100`)
      accounts.push({ domain, name, status, detections: detections.filter((one: Json) => one.signal_present) })
    }
    if (data.length < 100) return accounts
  }
}

async function endOf({ call }: RunningService, id: string): Promise<Json> {
  for (;;) {
    const { data } = await call('GET', `/runs/${id}`)
    if (data.status !== 'running') return data
    await wait(500)
  }
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const place = server.address()
      server.close(() => (place && typeof place === 'object' ? resolve(place.port) : reject(new Error('no port'))))
    })
  })
}
