// Writes test/fixtures/upgrades/<version>.backup: a backup of a data folder that the code of a released version has filled, with
// its demo and over its API. Every later version must be able to restore, start and migrate it. Run once for a release:
//   node scripts/write-upgrade-fixture.ts 0.1.0
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkOut, fixtureOf, RELEASES, UPGRADE_KEY } from '../test/support/upgrades.ts'

/** Tables that stay empty, and why. */
const EMPTY: Record<string, string> = {
  alert_rule_opt_outs: 'a receiver of mail unsubscribes',
  chat_interactions: 'a click in the chat, for a day',
  crm_activities: 'written when a work item is handed over',
  custom_signal_examples: 'verdicts on findings of custom signals',
  erasure_scopes: 'written by an erasure',
  import_chunks: 'rows of a running import',
  job_losses: 'workers that were lost',
  knowledge_drafts: 'a running interview',
  lookups: 'work in progress',
  mcp_uses: 'an agent',
  model_readings: 'a language model',
  monitor_events: 'the monitor runs later than the demo ends',
  oauth_states: 'a consent in progress',
  people_search_hits: 'a search with a paid provider',
  people_searches: 'a search with a paid provider',
  people_suppressions: 'written by an erasure',
  push_ranges: 'a push of thousands of rows in progress',
  role_lookups: 'a search of people in progress',
  second_readings: 'a language model',
  subscription_periods: 'the end of a period',
}

const version = process.argv[2] ?? ''
const commit = RELEASES[version]
if (!commit) throw new Error('Name a version of RELEASES in test/support/upgrades.ts.')
const file = fixtureOf(version)
if (existsSync(file)) throw new Error(`${file} exists: a released version does not change.`)
const folder = mkdtempSync(join(tmpdir(), 'bellwether-fixture-'))
const temporary = join(folder, 'tmp')
mkdirSync(temporary)
for (const path of [folder, temporary]) chmodSync(path, 0o755)
const tree = join(folder, 'tree')
if (!checkOut(commit, tree)) throw new Error(`This clone lacks ${commit}: fetch the history.`)

const env = { PATH: process.env.PATH, TMPDIR: temporary }
const demo = spawn(process.execPath, [join(tree, 'sandbox/demo.ts')], { env: { ...env, PORT: '3918' } })
let output = ''
for (const stream of [demo.stdout, demo.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
const ended = once(demo, 'exit')
try {
  while (!output.includes('Ctrl-C stops everything')) {
    if (demo.exitCode !== null) throw new Error(`The demo ended: ${output}`)
    await once(demo.stdout, 'data')
  }
  const [, key = '', api = ''] = /export KEY=(\S+) API=(\S+)/.exec(output) ?? []
  const receiver = /(http:\S+)\/…/.exec(output)?.[1]
  await fill(api, key, `${receiver}/fixture`)
  const [name = ''] = readdirSync(temporary).filter((name) => name.startsWith('bellwether-demo-'))
  const bin = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))
  const backup = spawn(process.execPath, [bin, 'backup', file], {
    env: { ...env, DATA_DIR: join(temporary, name), BACKUP_KEY: UPGRADE_KEY },
    stdio: 'inherit',
  })
  const [code] = await once(backup, 'exit')
  if (code !== 0) throw new Error('The backup failed.')
  await checkTables(join(temporary, name))
  process.stdout.write(`${file}: ${statSync(file).size} bytes\n`)
} catch (error) {
  rmSync(file, { force: true })
  throw error
} finally {
  demo.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

/** Writes a record of each kind that the demo lacks. */
async function fill(api: string, key: string, url: string): Promise<void> {
  // Answers of an earlier version are not typed here.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<any> => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const answer = (await response.json()) as any
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }
  const [person] = await call('GET', '/people')
  const list = await call('POST', '/people/lists', { name: 'Q4' }, { 'idempotency-key': 'fixture-list-0001' })
  await call('POST', `/people/lists/${list.id}/members`, { add: [person.id] })
  await call('POST', '/alert-rules', { name: 'Funding', events: ['signal.detected'], channel: 'email' })
  await call('POST', '/api-keys', { name: 'CRM', expires_at: '2100-01-01T00:00:00Z' })
  await call('POST', '/members', { name: 'Bo', email: 'bo@fixture.example' })
  const destination = await call('POST', '/webhook-destinations', { name: 'To the receiver', url })
  const accounts = await call('GET', '/accounts')
  const account_ids = accounts.map(({ id }: { id: string }) => id)
  await call('POST', '/accounts/webhook-push', { destination_id: destination.id, account_ids })
  const link = await call('POST', '/sign-in-links')
  await call('POST', '/sessions', { token: link.url.split('=')[1] })
  const imported = await fetch(`${api}/accounts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: 'name,domain\nImported,imported.example\n',
  })
  if (!imported.ok) throw new Error(`The import failed: ${await imported.text()}`)
}

/** Throws when other tables are empty than those of EMPTY. */
async function checkTables(dataDir: string): Promise<void> {
  const { default: pg } = await import('pg')
  const { findRunningServer } = await import('../src/db/embedded.ts')
  const client = new pg.Client(findRunningServer(dataDir) ?? {})
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition order by 1`,
    )
    const found: string[] = []
    for (const { name } of rows)
      if ((await client.query(`select from ${name} limit 1`)).rowCount === 0) found.push(name)
    const unexpected = found.filter((name) => !Object.hasOwn(EMPTY, name))
    if (unexpected.length > 0) throw new Error(`Empty tables without a reason: ${unexpected.join(', ')}`)
    process.stdout.write(`rows in ${rows.length - found.length} of ${rows.length} tables\n`)
  } finally {
    await client.end()
  }
}
