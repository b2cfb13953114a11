import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { load, watchMemory } from './measure.ts'
import { isQuick, report } from './results.ts'
import { BIN, makeFolder, startBenchService } from './support.ts'

/**
 * Backup, verification and restore of an installation with 1,000,000 companies: time, size, memory, and the 99th percentile of a list
 * with and without a running backup. Where PostgreSQL 15 is installed, the backup is also restored there and compared with
 * pg_dump, which cannot read the embedded PostgreSQL 18.
 */

const COMPANIES = isQuick ? 50_000 : 1_000_000
const POSTGRES_15 = '/usr/lib/postgresql/15/bin'
/** An unprivileged user: PostgreSQL does not run as root. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const BACKUP_KEY = 'ab'.repeat(32)
const folder = makeFolder()
const file = join(folder, 'bench.backup')

/** Runs a command of the service and measures its time and memory. */
async function command(env: Record<string, string>, ...args: string[]) {
  const began = performance.now()
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH, BACKUP_KEY, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const peak = watchMemory(child.pid)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, megabytes: peak() }
}

async function writeCompanies(path: string): Promise<void> {
  const out = createWriteStream(path)
  out.write('name,domain,industry,country,employees,description\n')
  for (let n = 1; n <= COMPANIES; n++) {
    const about = `Company ${n} makes parts for ${['railways', 'hospitals', 'ports', 'farms'][n % 4]} in ${n % 977} towns`
    const line = `Company ${n},c${n}.example,${['Logistics', 'Software', 'Retail'][n % 3]},Germany,${n % 5000},${about}\n`
    if (!out.write(line)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

try {
  await using service = await startBenchService({ LIST_PAGES_MB: '0' })
  const { address, key, dataDir: DATA_DIR } = service
  const csv = join(folder, 'companies.csv')
  await writeCompanies(csv)
  await command({ DATA_DIR }, 'import', 'companies', csv)
  const body = JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ name: `A ${n}`, domain: `a${n}.example` })))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  await fetch(`${address}/v1/accounts`, { method: 'POST', headers, body })

  const list = (duration: number) => load({ url: `${address}/v1/accounts`, headers, connections: 4, duration })
  await list(2)
  const alone = await list(isQuick ? 5 : 20)
  const first = await command({ DATA_DIR }, 'backup', file)
  const [during, made] = await Promise.all([
    list(Math.max(1, Math.floor(first.seconds))),
    command({ DATA_DIR }, 'backup', file),
  ])
  const megabytes = statSync(file).size / 2 ** 20
  const verified = await command({}, 'backup', 'verify', file)
  const restored = await command({ DATA_DIR: join(folder, 'restored') }, 'restore', file)
  report({ path: `backup: ${COMPANIES} companies`, ours: first.seconds, unit: 's', atMost: null })
  report({ path: 'backup: the same while lists are requested', ours: made.seconds, unit: 's', atMost: null })
  report({ path: 'backup: size', ours: megabytes, unit: 'MB', atMost: null })
  report({ path: 'backup: peak memory', ours: first.megabytes, unit: 'MB', atMost: 300 })
  report({ path: 'backup: p99 of a list alone', ours: alone.p99, unit: 'ms', atMost: null })
  report({ path: 'backup: p99 of a list meanwhile', ours: during.p99 / alone.p99, unit: 'times', atMost: 1.5 })
  report({ path: 'backup: verification', ours: verified.seconds, unit: 's', atMost: null })
  report({ path: 'backup: restore', ours: restored.seconds, unit: 's', atMost: null })
  report({ path: 'backup: restore, peak memory', ours: restored.megabytes, unit: 'MB', atMost: 300 })
  if (existsSync(join(POSTGRES_15, 'initdb'))) await comparePgDump()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** On a PostgreSQL 15 of its own, because pg_dump reads no server that is newer than itself. */
async function comparePgDump(): Promise<void> {
  const home = makeFolder()
  chmodSync(home, 0o777)
  const tool = (name: string, ...args: string[]) => {
    const began = performance.now()
    const { status, stderr } = spawnSync(join(POSTGRES_15, name), args, { ...USER, cwd: '/', encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
    return (performance.now() - began) / 1000
  }
  const cluster = join(home, 'cluster')
  tool('initdb', '-D', cluster, '-U', 'bellwether', '--auth=trust', '--encoding=UTF8', '--locale=C')
  const settings = `-c listen_addresses= -c unix_socket_directories=${home} -c shared_buffers=256MB`
  tool('pg_ctl', 'start', '-w', '-D', cluster, '-l', join(home, 'log'), '-o', settings)
  try {
    const DATABASE_URL = `postgres://bellwether@/postgres?host=${encodeURIComponent(home)}&port=5432`
    // The backup contains the key of its data folder.
    const env = { DATABASE_URL, DATA_DIR: join(folder, 'external') }
    const restored = await command(env, 'restore', file)
    const made = await command(env, 'backup', join(folder, 'external.backup'))
    const dump = join(home, 'dump')
    const dumped = tool('pg_dump', '--format=custom', `--file=${dump}`, DATABASE_URL)
    tool('createdb', '-h', home, '-U', 'bellwether', 'again')
    const again = `postgres://bellwether@/again?host=${encodeURIComponent(home)}&port=5432`
    const loaded = tool('pg_restore', '--no-owner', `--dbname=${again}`, dump)
    report({ path: 'backup: PostgreSQL 15, pg_dump as limit', ours: made.seconds, unit: 's', limit: dumped, aim: null })
    const size = statSync(dump).size / 2 ** 20
    const own = statSync(join(folder, 'external.backup')).size / 2 ** 20
    report({ path: 'backup: size, pg_dump as limit', ours: own, unit: 'MB', limit: size, aim: null })
    report({
      path: 'backup: restore, pg_restore as limit',
      ours: restored.seconds,
      unit: 's',
      limit: loaded,
      aim: null,
    })
  } finally {
    tool('pg_ctl', 'stop', '-w', '-m', 'fast', '-D', cluster)
    rmSync(home, { recursive: true, force: true })
  }
}
