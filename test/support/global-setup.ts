import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startService } from '../../src/app/service.ts'
import { loadConfig } from '../../src/config/config.ts'
import { type EmbeddedPostgres, type ServerConnection, startEmbedded } from '../../src/db/embedded.ts'
import { createDatabase, TEMPLATE, urlOf, withConnection } from './databases.ts'

let server: EmbeddedPostgres | undefined
let dataDir: string | undefined

const MEMORY = '/dev/shm'
/** The databases of a run take less than half of it. */
const ROOM_BYTES = 8 * 1024 ** 3

/** A folder in memory, if there is enough: cloning a database there takes a fifth of the time. */
function inMemory(): string | null {
  if (!existsSync(MEMORY) || process.availableMemory() < ROOM_BYTES) return null
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES ? MEMORY : null
}

/** One PostgreSQL for the whole run, with a template database that each test file clones: that in TEST_POSTGRES, or the embedded one. */
export async function globalSetup(): Promise<void> {
  dataDir = mkdtempSync(join(inMemory() ?? tmpdir(), 'bellwether-test-'))
  chmodSync(dataDir, 0o711)
  // Nothing outlives the run, so nothing needs to be flushed to disk.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_connections: '400',
    // It would visit each of the many databases once a minute.
    autovacuum: 'off',
  }
  const log = pino({ level: 'silent' })
  if (!process.env.TEST_POSTGRES) {
    server = await startEmbedded({ dataDir, log, settings })
    process.env.TEST_POSTGRES = JSON.stringify(server.connection)
    await trustLocalConnections(server.connection)
  }
  process.env.TEST_SECRETS_KEY = '11'.repeat(32)
  await createDatabase(TEMPLATE, 'template0')
  const env = {
    DATABASE_URL: urlOf(TEMPLATE),
    SECRETS_KEY: process.env.TEST_SECRETS_KEY,
    BELLWETHER_API_KEY: 'admin-key-of-the-tests',
    // That of the services of the tests, which then need not change the queues.
    WORKER_LOST_SECONDS: '10',
  }
  // Without a worker, so that the template contains no jobs.
  const roles = { api: true, worker: false }
  await using service = await startService({
    config: loadConfig({ ...env, PORT: '0', DATA_DIR: dataDir }),
    log,
    roles,
  })
  // Every response in a test is validated against it (contract.ts). Generated once, because that is slow.
  const openapi = join(dataDir, 'openapi.json')
  writeFileSync(openapi, await (await fetch(`${service.address}/openapi.json`)).text())
  process.env.TEST_OPENAPI = openapi
}

/** Does not ask for a password: the tests open thousands of connections, and the folder of the socket has one user. */
async function trustLocalConnections(server: ServerConnection): Promise<void> {
  await withConnection(server, async (client) => {
    const { rows } = await client.query<{ hba_file: string }>('show hba_file')
    writeFileSync(rows[0]?.hba_file as string, 'local all all trust\n')
    await client.query('select pg_reload_conf()')
  })
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  if (dataDir) rmSync(dataDir, { recursive: true, force: true })
}
