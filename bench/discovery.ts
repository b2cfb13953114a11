import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { connect } from '../src/db/connect.ts'
import { countryCodesOf, REGIONS } from '../src/engine/countries.ts'
import { industryFilter } from '../src/engine/industries.ts'
import { type CompanyFilter, findCompanies } from '../src/research/discovery/universe-store.ts'
import { startBenchService } from './support.ts'

/**
 * `bellwether import companies` of 1,000,000 companies against PostgreSQL's COPY of the same rows from a file of its own
 * format, into a table with the same keys and indexes and into one without any; then filters over them.
 */

const COMPANIES = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 40
const LIMIT = 200
const BIN = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'bellwether-discovery-'))
chmodSync(folder, 0o777)
const csv = join(folder, 'companies.csv')

const COUNTRIES = [
  ...Array.from({ length: 300 }, () => 'United States'),
  ...['Germany', 'United Kingdom', 'India', 'France', 'Canada', 'Brazil'].flatMap((name) =>
    Array<string>(50).fill(name),
  ),
  ...['NL', 'ES', 'IT', 'AU', 'SE', 'CH', 'AT', 'PL', 'JP', 'SG'].flatMap((code) => Array<string>(20).fill(code)),
  ...(REGIONS.EMEA ?? []),
  ...(REGIONS.APAC ?? []),
]
const INDUSTRIES =
  'Computer Software;Information Technology & Services;Financial Services;Hospital & Health Care;Retail;Construction;Marketing & Advertising;Management Consulting;Automotive;Real Estate;Logistics & Supply Chain;Machinery;Insurance;Banking;Food & Beverages;Biotechnology;Pharmaceuticals;Education Management;Telecommunications;Oil & Energy;Renewables & Environment;Chemicals;Aviation & Aerospace;Semiconductors;Computer & Network Security;SaaS;FinTech;E-Learning;Computer Games;Law Practice;Staffing & Recruiting;Mining & Metals;Farming;Hospitality;Candle Making'.split(
    ';',
  )

/** The same companies every time, in no order. */
async function generate(): Promise<void> {
  let state = 42
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(from: T[], skew = 1) => from[Math.floor(from.length * random() ** skew)] as T
  const out = createWriteStream(csv)
  out.write('name,domain,country,industry,employees,city,description,linkedin url,year founded\n')
  let lines = ''
  for (let n = 0; n < COMPANIES; n++) {
    const name = `${Math.floor(random() * 1e9).toString(36)} ${pick(['Labs', 'Systems', 'Foods', 'Bank', 'Group'])}`
    const employees = random() < 0.1 ? '' : Math.ceil(Math.exp(11 * random() * random()))
    lines += `${name} Inc.,${Math.floor(random() * 1e9).toString(36)}-${n.toString(36)}.com,${pick(COUNTRIES)},${pick(INDUSTRIES, 2)},${employees},"City ${n % 997}, District","We make ${name} things for people who need ${n} of them, and their friends",https://network.example/company/${n},${1950 + (n % 75)}\n`
    if (lines.length < 1_000_000) continue
    if (!out.write(lines)) await once(out, 'drain')
    lines = ''
  }
  out.end(lines)
  await once(out, 'finish')
}

await using service = await startBenchService()
const { connection, workspaceId } = service
const client = new pg.Client(connection)
await client.connect()

async function runImport(): Promise<{ seconds: number; peak: number; report: string }> {
  const began = performance.now()
  const child = spawn(process.execPath, [BIN, 'import', 'companies', csv, '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: service.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let report = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    report += chunk
  })
  let peak = 0
  const watch = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    peak = Math.max(peak, Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024)
  }, 200)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, peak, report: report.trim() }
}

async function seconds(statement: string): Promise<number> {
  await client.query('checkpoint')
  const began = performance.now()
  await client.query(statement)
  return (performance.now() - began) / 1000
}

console.log(`writing ${COMPANIES} companies …`)
await generate()
console.log(`${(statSync(csv).size / 1e6).toFixed(0)} MB of CSV`)
await client.query('checkpoint')
const first = await runImport()
console.log(first.report)

const columns = `workspace_id, domain, name, name_key, country_code, country, industry, industry_key, industry_words, employees, location,
  short_description, network_url, founded_year, facet_id`
const file = join(folder, 'companies.copy')
await client.query(`copy (select ${columns} from companies order by position) to '${file}'`)
await client.query('create table same (like companies including all)')
await client.query('create table bare (like companies)')
await client.query(
  'alter table bare alter position drop not null, alter researched_at drop not null, alter imported_at drop not null',
)
const same = await seconds(`copy same (${columns}) from '${file}'`)
const bare = await seconds(`copy bare (${columns}) from '${file}'`)
const line = (name: string, took: number, rest = '') =>
  console.log(
    `${name.padEnd(38)} ${took.toFixed(1).padStart(6)} s ${(COMPANIES / took).toFixed(0).padStart(8)} rows/s${rest}`,
  )
line('COPY, no keys and indexes', bare)
line('COPY, the same keys and indexes', same)
line(
  'import companies',
  first.seconds,
  `   ratio ${(same / first.seconds).toFixed(2)}   aim 0.30   process at most ${first.peak.toFixed(0)} MB`,
)
await client.query('drop table same, bare')
const again = await runImport()
line('import of the same file again', again.seconds, `   process at most ${again.peak.toFixed(0)} MB`)

const { db } = connect(connection, { size: 1, prepare: true, log: pino({ level: 'silent' }) })
const filter = (fields: Partial<CompanyFilter>): CompanyFilter => ({
  country_codes: null,
  industries: null,
  employee_min: null,
  employee_max: null,
  ...fields,
})
const FILTERS: Record<string, CompanyFilter> = {
  'no filter': filter({}),
  'United States': filter({ country_codes: ['US'] }),
  DACH: filter({ country_codes: countryCodesOf('DACH') }),
  EMEA: filter({ country_codes: countryCodesOf('EMEA') }),
  Malta: filter({ country_codes: ['MT'] }),
  software: filter({ industries: industryFilter(['Software']) }),
  semiconductors: filter({ industries: industryFilter(['Semiconductors']) }),
  'outside the taxonomy': filter({ industries: industryFilter(['Candle making']) }),
  '50 to 500 employees': filter({ employee_min: 50, employee_max: 500 }),
  'over 20,000 employees': filter({ employee_min: 20_000 }),
  'DACH, software': filter({ country_codes: countryCodesOf('DACH'), industries: industryFilter(['Software']) }),
  'EMEA, software, 50 to 500': filter({
    country_codes: countryCodesOf('EMEA'),
    industries: industryFilter(['Software']),
    employee_min: 50,
    employee_max: 500,
  }),
  'EMEA, over 20,000': filter({ country_codes: countryCodesOf('EMEA'), employee_min: 20_000 }),
  'US, farming, 300 to 310': filter({
    country_codes: ['US'],
    industries: industryFilter(['Farming']),
    employee_min: 300,
    employee_max: 310,
  }),
}
console.log(`\nfilters, the first ${LIMIT} candidates, ${ROUNDS} times each   aim p99 50 ms`)
for (const [name, asked] of Object.entries(FILTERS)) {
  const found = (await findCompanies(db, workspaceId, asked, LIMIT)).length
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await findCompanies(db, workspaceId, asked, LIMIT)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.min(ROUNDS - 1, Math.floor(ROUNDS * share))] as number).toFixed(1)
  console.log(
    `${name.padEnd(28)} ${String(found).padStart(4)} found   p50 ${at(0.5).padStart(6)} ms   p99 ${at(0.99).padStart(6)} ms`,
  )
}

await db.destroy()
await client.end()
rmSync(folder, { recursive: true, force: true })
