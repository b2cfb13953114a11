import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { ServerConnection } from '../../src/db/embedded.ts'
import { stop } from '../support.ts'

/**
 * Directus over a table with the columns, rows and indexes of ours, in a separate schema on the same PostgreSQL, called
 * with its static token. Tuned: its schema cache is frozen, and revisions and activity records are off.
 */

const VERSION = '12.4.0'
const TOKEN = 'token-of-the-benchmark'
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/peers/directus', import.meta.url))
const PACKAGES = join(FOLDER, 'node_modules')

export type Directus = { address: string; headers: Record<string, string>; child: ChildProcess } & AsyncDisposable

/** Downloaded once, into a folder that git ignores; 630 MB. */
export function installDirectus(): void {
  if (existsSync(join(PACKAGES, 'directus/cli.js'))) return
  console.log(`installing Directus ${VERSION} …`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }')
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', `directus@${VERSION}`, ...options], { cwd: FOLDER, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm install directus@${VERSION} ended with ${status}`)
  // The sandbox for scripts in flows is not built without install scripts; no flow here has a script.
  const sandbox = join(PACKAGES, 'isolated-vm/out')
  mkdirSync(sandbox, { recursive: true })
  writeFileSync(join(sandbox, 'isolated_vm.js'), 'module.exports = {}\n')
}

/** On a copy of the accounts as they are now. */
export async function startDirectus(client: pg.Client, connection: ServerConnection, port: number): Promise<Directus> {
  const env = {
    PATH: process.env.PATH,
    DB_CLIENT: 'pg',
    DB_HOST: connection.host,
    DB_PORT: String(connection.port),
    DB_USER: connection.user,
    DB_PASSWORD: connection.password as string,
    DB_DATABASE: connection.database,
    DB_SEARCH_PATH: 'array:directus',
    SECRET: 'secret-of-the-benchmark-which-is-long',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'password-of-the-benchmark',
    ADMIN_TOKEN: TOKEN,
    HOST: '127.0.0.1',
    PORT: String(port),
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CACHE_SCHEMA_FREEZE_ENABLED: 'true',
    PRESSURE_LIMITER_ENABLED: 'false',
    // By default it rejects requests to the local machine, where the receiver of the benchmark is.
    IMPORT_IP_DENY_LIST: '169.254.169.254',
  }
  const cli = join(PACKAGES, 'directus/cli.js')
  await client.query('create schema directus')
  const { status } = spawnSync(process.execPath, [cli, 'bootstrap'], {
    env,
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`directus bootstrap ended with ${status}`)
  await client.query('create table directus.accounts (like accounts including all)')
  // It requires a single-column key.
  await client.query(`alter table directus.accounts drop constraint accounts_pkey, add primary key (id),
    add unique (workspace_id, id), alter id set default gen_random_uuid()`)
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(column_name, ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'accounts' and is_generated = 'NEVER'`,
  )
  const columns = rows[0]?.columns
  await client.query(`insert into directus.accounts (${columns}) select ${columns} from accounts`)
  await client.query(`insert into directus.directus_collections (collection, accountability) values ('accounts', null)`)
  await client.query('vacuum analyze directus.accounts')
  const child = spawn(process.execPath, [cli, 'start'], { env, cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] })
  const address = `http://127.0.0.1:${port}`
  while (!(await isReady(`${address}/server/ping`))) {
    if (child.exitCode !== null) throw new Error(`directus start ended with ${child.exitCode}`)
    await sleep(100)
  }
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  return {
    address,
    headers,
    child,
    [Symbol.asyncDispose]: () => stop(child),
  }
}

const isReady = async (url: string): Promise<boolean> => {
  const answer = await fetch(url).catch(() => null)
  return answer?.ok ?? false
}

/** A flow that POSTs every created account to a URL; its runs are not recorded. */
export async function addFlow({ address, headers }: Directus, url: string): Promise<void> {
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(address + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string } }).data.id
  }
  const trigger = { type: 'action', scope: ['items.create'], collections: ['accounts'] }
  const flow = await call('POST', '/flows', {
    name: 'Push',
    status: 'active',
    trigger: 'event',
    accountability: null,
    options: trigger,
  })
  const operation = await call('POST', '/operations', {
    flow,
    name: 'Send',
    key: 'send',
    type: 'request',
    position_x: 20,
    position_y: 1,
    options: { method: 'POST', url, body: '{{$trigger.payload}}' },
  })
  await call('PATCH', `/flows/${flow}`, { operation })
}
