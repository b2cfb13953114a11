import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { stopProcess } from '../../src/db/processes.ts'
import { eventually } from './eventually.ts'

const FOLLOW = new URL('../../deploy/pgbouncer/follow-primary.sh', import.meta.url)
const BIN = '/usr/lib/postgresql/15/bin'
const PROGRAMS = { pg_autoctl: '/usr/bin/pg_autoctl', pgbouncer: '/usr/sbin/pgbouncer', postgres: `${BIN}/postgres` }
const PACKAGES = 'postgresql-15, postgresql-15-auto-failover, pg-auto-failover-cli and pgbouncer'
const NAME = 'bellwether'

/** The reason why the cluster cannot be started on this machine, or false. */
export const missingPrograms = (): string | false => {
  const missing = Object.entries(PROGRAMS).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))
  return missing.length > 0 && `${missing.join(', ')} not found: install the Debian packages ${PACKAGES}`
}

/** Seconds until a node counts as failed; the defaults of pg_auto_failover are several times as long. */
const MONITOR_SETTINGS = `
pgautofailover.health_check_period = '1s'
pgautofailover.health_check_timeout = '1s'
pgautofailover.health_check_max_retries = 1
pgautofailover.health_check_retry_delay = '500ms'
pgautofailover.node_considered_unhealthy_timeout = '3s'
pgautofailover.primary_demote_timeout = '2s'
pgautofailover.startup_grace_period = '2s'
`
// A killed process loses nothing that it has written to a file; fsync matters only for a machine failure.
const NODE_SETTINGS = `
fsync = off
max_connections = 100
shared_buffers = '64MB'
wal_keep_size = '512MB'
`
/** A keeper reports to the monitor every second. */
const SILENT_SECONDS = 20
/** What the service sets on direct connections in their startup packet, which PgBouncer does not pass. */
const SESSION_SETTINGS = {
  timezone: `'UTC'`,
  datestyle: `'ISO'`,
  statement_timeout: `'60s'`,
  idle_in_transaction_session_timeout: `'60s'`,
  client_connection_check_interval: `'2s'`,
}

type Node = {
  name: string
  port: number
  folder: string
  child: ChildProcessWithoutNullStreams | null
  startedAt: number
}

/** PostgreSQL does not run as root. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Below those of outgoing connections, one of which could have the port of a node while that is stopped. */
async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let port = randomInt(20_000, 30_000); ports.length < count; port++) {
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    ports.push(port)
    server.close()
    await once(server, 'close')
  }
  return ports
}

/** The id of the semaphore of pg_autoctl: the fifth line of its pidfile. */
const readSemaphore = (pidfile: string) => readFileSync(pidfile, 'utf8').split('\n')[4] ?? ''

/** A process and its descendants. */
function processTree(pid: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const found = [pid]
  for (const parent of found) for (const [child, of] of pairs) if (of === parent) found.push(child)
  return found
}

/**
 * Two PostgreSQL with synchronous replication and automatic failover by pg_auto_failover, and PgBouncer in transaction mode,
 * which follows the primary, in front of them. All in one temporary folder.
 */
export async function startCluster() {
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-cluster-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const log: string[] = []
  /** A killed keeper leaves its semaphore. */
  const leftSemaphores: string[] = []
  const env = { PATH: `${BIN}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8', HOME: folder, TMPDIR: folder, XDG_RUNTIME_DIR: folder }

  function start(program: string, args: string[], more: Record<string, string> = {}): ChildProcessWithoutNullStreams {
    const child = spawn(program, args, { cwd: folder, env: { ...env, ...more }, ...user })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log.push(text)
        log.splice(0, log.length - 200)
      })
    }
    return child
  }
  async function toEnd(program: string, args: string[]): Promise<void> {
    const [code] = await once(start(program, args), 'close')
    assert.equal(code, 0, `${program} ${args.join(' ')}: ${log.join('')}`)
  }
  const write = (path: string, text: string) => {
    writeFileSync(path, text)
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }

  const [monitorPort, bouncerPort, ...nodePorts] = await freePorts(4)
  const monitorUrl = `postgresql://autoctl_node@127.0.0.1:${monitorPort}/pg_auto_failover`
  const own = ['--hostname', '127.0.0.1', '--auth', 'trust', '--no-ssl']
  const at = (node: { folder: string; port: number }) => ['--pgdata', node.folder, '--pgport', String(node.port)]
  const run = (node: Node) => {
    node.child = start(PROGRAMS.pg_autoctl, ['run', '--pgdata', node.folder])
    node.startedAt = performance.now()
  }

  const monitor: Node = {
    name: 'monitor',
    port: monitorPort as number,
    folder: join(folder, 'monitor'),
    child: null,
    startedAt: 0,
  }
  const nodes: Node[] = nodePorts.map((port, n) => ({
    name: `node${n + 1}`,
    port,
    folder: join(folder, `node${n + 1}`),
    child: null,
    startedAt: 0,
  }))
  const bouncerFiles = join(folder, 'pgbouncer')
  let bouncer: ChildProcessWithoutNullStreams | null = null
  let follower: ChildProcessWithoutNullStreams | null = null

  async function end(): Promise<void> {
    for (const child of [follower, bouncer, ...nodes.map(({ child }) => child), monitor.child]) {
      const pids = child?.pid ? processTree(child.pid) : []
      // Gracefully first: pg_autoctl and PostgreSQL then remove their semaphores and shared memory.
      if (child?.pid) await stopProcess(child.pid, 'SIGTERM', 20_000)
      for (const pid of pids) await stopProcess(pid, 'SIGKILL', 5_000)
    }
    for (const id of leftSemaphores) spawnSync('ipcrm', ['-s', id])
    rmSync(folder, { recursive: true, force: true })
  }

  /** Queries the monitor. */
  const ask = async <T extends pg.QueryResultRow>(query: string): Promise<T[]> => withClient(monitorUrl, query)
  const primaryNode = async () => {
    const [row] = await ask<{ primary_port: number }>('select primary_port from pgautofailover.get_primary()')
    return nodes.find(({ port }) => port === row?.primary_port)
  }
  /** Kills a keeper with its PostgreSQL and its connections. */
  async function kill({ child, folder: pgdata }: Node): Promise<void> {
    if (!child?.pid) return
    leftSemaphores.push(readSemaphore(join(folder, 'pg_autoctl', pgdata, 'pg_autoctl.pid')))
    for (const pid of processTree(child.pid)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended with its parent.
      }
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  }

  /**
   * Waits until one node is the primary and the other one a synchronous standby. A keeper that hangs while its node rejoins is
   * restarted, as an operator would. Returns how many were.
   */
  async function synchronous(): Promise<number> {
    let restarts = 0
    await eventually('a primary with a synchronous standby', async () => {
      const rows = await ask<{ port: number; state: string; replication: string; is_silent: boolean }>(
        `select nodeport as port, reportedstate::text as state, reportedrepstate as replication,
          reporttime < now() - make_interval(secs => ${SILENT_SECONDS}) as is_silent from pgautofailover.node`,
      )
      for (const { port } of rows.filter(({ is_silent }) => is_silent)) {
        const node = nodes.find((one) => one.port === port) as Node
        if (performance.now() - node.startedAt < SILENT_SECONDS * 1000) continue
        log.push(`the keeper of ${node.name} is restarted`)
        await kill(node)
        run(node)
        restarts++
      }
      const states = rows.map(({ state }) => state).sort()
      return states.join() === 'primary,secondary' && rows.every(({ replication }) => replication !== 'async')
    })
    return restarts
  }

  try {
    await toEnd(PROGRAMS.pg_autoctl, ['create', 'monitor', ...at(monitor), ...own])
    appendFileSync(join(monitor.folder, 'postgresql.conf'), MONITOR_SETTINGS)
    run(monitor)
    await eventually('the monitor responds', () => ask('select 1').catch(() => null))
    for (const node of nodes) {
      const names = ['--name', node.name, '--dbname', NAME, '--monitor', monitorUrl]
      await toEnd(PROGRAMS.pg_autoctl, ['create', 'postgres', ...at(node), ...own, ...names])
      // The standby is a copy of the first node, with its settings.
      if (node === nodes[0]) appendFileSync(join(node.folder, 'postgresql.conf'), NODE_SETTINGS)
      run(node)
      await eventually('the node is in the cluster', async () => (await primaryNode()) !== undefined)
    }
    await synchronous()
    const superuser = user ? 'postgres' : userInfo().username
    const admin = `postgresql://${superuser}@127.0.0.1:${(await primaryNode())?.port}/${NAME}`
    const settings = Object.entries(SESSION_SETTINGS).map(
      ([name, value]) => `alter database ${NAME} set ${name} to ${value}`,
    )
    await withClient(
      admin,
      [`create role ${NAME} login`, `alter database ${NAME} owner to ${NAME}`, ...settings].join('; '),
    )

    mkdirSync(bouncerFiles)
    if (user) chownSync(bouncerFiles, user.uid, user.gid)
    const file = (name: string) => join(bouncerFiles, name)
    write(file('users'), `"${NAME}" ""\n`)
    write(file('databases.ini'), '')
    write(
      file('pgbouncer.ini'),
      `[databases]
%include ${file('databases.ini')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${bouncerPort}
unix_socket_dir =
pidfile = ${file('pid')}
auth_type = trust
auth_file = ${file('users')}
pool_mode = transaction
default_pool_size = 40
max_client_conn = 500
ignore_startup_parameters = options, extra_float_digits
server_login_retry = 1
server_connect_timeout = 5
query_wait_timeout = 15
tcp_user_timeout = 10000
log_connections = 0
log_disconnections = 0
`,
    )
    const followed = {
      MONITOR: monitorUrl,
      DATABASES: file('databases.ini'),
      PIDFILE: file('pid'),
      NAME,
      INTERVAL: '0.5',
    }
    // The user of the database may not read the folder of the repository.
    follower = start('/bin/sh', [write(file('follow-primary.sh'), readFileSync(FOLLOW, 'utf8'))], followed)
    bouncer = start(PROGRAMS.pgbouncer, [file('pgbouncer.ini')])
    const url = `postgresql://${NAME}@127.0.0.1:${bouncerPort}/${NAME}`
    await eventually('PgBouncer leads to the primary', () => withClient(url, 'select 1').catch(() => null))
    return {
      url,
      /** The last lines of all logs. */
      log,
      end,
      synchronous,
      /** Kills the primary with its keeper and connections. Returns the function that starts it again. */
      async killPrimary(): Promise<() => void> {
        const node = (await primaryNode()) ?? assert.fail('there is no primary')
        await kill(node)
        return () => run(node)
      },
    }
  } catch (error) {
    await end()
    throw new Error(`The cluster did not start: ${error}\n${log.slice(-40).join('')}`)
  }
}

async function withClient<T extends pg.QueryResultRow>(url: string, query: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<T>(query)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
