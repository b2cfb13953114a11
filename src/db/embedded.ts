import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { SetupError } from '../shared/errors.ts'
import { findDataDirOwner, lockDataDir } from './data-dir.ts'
import { findBinaries, installBinaries, isAccessibleToAll, serverUser } from './embedded-binaries.ts'
import { commandLine, readOrNull, readStartTime, stopProcess } from './processes.ts'

export type ServerConnection = Pick<PoolConfig, 'host' | 'port' | 'user' | 'password' | 'database'>

export type EmbeddedPostgres = {
  connection: ServerConnection
  /** Stops the server cleanly and unlocks the data folder. */
  stop: () => Promise<void>
}

type Options = {
  dataDir: string
  log: Logger
  /** Server settings that override the defaults (tests disable fsync). */
  settings?: Record<string, string>
}

const USER = 'bellwether'
const SOCKET_PREFIX = 'bellwether-pg-'
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000

/**
 * Starts the embedded PostgreSQL on the data folder and creates its cluster at the first start. It listens on a Unix socket
 * only. Throws SetupError when the folder is in use or the server cannot run on this machine.
 */
export async function startEmbedded({ dataDir, log, settings = {} }: Options): Promise<EmbeddedPostgres> {
  const binaries = findBinaries()
  const unlock = lockDataDir(dataDir)
  try {
    const user = serverUser()
    const home = serverHome(dataDir, user)
    const bin = join(installBinaries(binaries, home), 'bin')
    const cluster = join(home, 'cluster')
    await endOrphan(cluster, log)
    if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(bin, cluster, passwordFile(dataDir), user)
    const server = new Server({ bin, cluster, user, log, settings })
    await server.start().catch(async (error) => {
      await server.stop()
      throw error
    })
    return {
      connection: connectionTo(server.socketDir, dataDir),
      stop: async () => {
        await server.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The connection to the embedded server that another process runs on this folder; null when none runs. */
export function findRunningServer(dataDir: string): ServerConnection | null {
  if (!findDataDirOwner(dataDir)) return null
  const socketDir = readPostmaster(join(findServerHome(dataDir), 'cluster'))?.socketDir
  return socketDir ? connectionTo(socketDir, dataDir) : null
}

/** Whether the data folder has a database, running or not. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(findServerHome(dataDir), 'cluster', 'PG_VERSION'))
}

/** Removes a data folder, and its cluster elsewhere if there is one. Its server must not run. */
export function removeEmbedded(dataDir: string): void {
  rmSync(findServerHome(dataDir), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

/** The folder that has the database of a data folder, or will have it. */
export function findServerHome(dataDir: string): string {
  return readOrNull(join(dataDir, 'postgres.location')) ?? join(dataDir, 'postgres')
}

function connectionTo(socketDir: string, dataDir: string): ServerConnection {
  return {
    host: socketDir,
    port: 5432,
    user: USER,
    password: readOrNull(passwordFile(dataDir)) ?? '',
    database: 'postgres',
  }
}

const passwordFile = (dataDir: string) => join(dataDir, 'postgres.password')

/**
 * The folder of the PostgreSQL cluster: inside the data folder, or, when running as root with a data folder that the
 * server's user cannot access, a folder under /var/lib whose path is stored in the data folder.
 */
function serverHome(dataDir: string, user: ReturnType<typeof serverUser>): string {
  const pointer = join(dataDir, 'postgres.location')
  const remembered = readOrNull(pointer)
  let home = remembered ?? join(dataDir, 'postgres')
  if (!remembered && user && !isAccessibleToAll(dataDir)) {
    const id = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12)
    home = join('/var/lib/bellwether', id)
    writeFileSync(pointer, home)
  }
  // With chmod, because the umask applies to mkdir.
  for (const folder of remembered || home.startsWith('/var/lib') ? ['/var/lib/bellwether', home] : [home]) {
    mkdirSync(folder, { recursive: true })
    if (user) chmodSync(folder, 0o711)
  }
  if (user) chownSync(home, user.uid, user.gid)
  return home
}

/** Stops a server whose parent process was killed, so that only one server uses the data folder. */
async function endOrphan(cluster: string, log: Logger): Promise<void> {
  const left = readPostmaster(cluster)
  if (!left) return
  if (readStartTime(left.pid) !== null) {
    if (commandLine(left.pid).includes(cluster)) {
      log.warn({ pid: left.pid }, 'stopping the PostgreSQL that an earlier process left running')
      const gone =
        (await stopProcess(left.pid, 'SIGINT', STOP_TIMEOUT_MS)) || (await stopProcess(left.pid, 'SIGQUIT', 5_000))
      if (!gone)
        throw new SetupError(
          `A PostgreSQL left running (process ${left.pid}) does not stop. Stop it, then start again.`,
        )
    } else {
      // An unrelated process has this pid now, and PostgreSQL would mistake it for its own server. The file of a dead
      // process stays: PostgreSQL uses it to check whether children of that process still use the data.
      rmSync(join(cluster, 'postmaster.pid'), { force: true })
    }
  }
  if (basename(left.socketDir).startsWith(SOCKET_PREFIX)) rmSync(left.socketDir, { recursive: true, force: true })
}

function readPostmaster(cluster: string): { pid: number; socketDir: string; ready: boolean } | null {
  const lines = readOrNull(join(cluster, 'postmaster.pid'))?.split('\n')
  if (!lines) return null
  return { pid: Number(lines[0]), socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
}

/** Creates the cluster under a temporary name and renames it: a killed first start leaves no partial cluster. */
async function initialise(bin: string, cluster: string, secret: string, user: ReturnType<typeof serverUser>) {
  const draft = `${cluster}.new`
  const passwordCopy = `${cluster}.password`
  rmSync(draft, { recursive: true, force: true })
  const password = readOrNull(secret) ?? randomBytes(24).toString('base64url')
  writeFileSync(secret, password, { mode: 0o600 })
  writeFileSync(passwordCopy, password, { mode: 0o600 })
  if (user) chownSync(passwordCopy, user.uid, user.gid)
  const args = [
    ...['-D', draft, '-U', USER, `--pwfile=${passwordCopy}`, '--auth=scram-sha-256', '--encoding=UTF8'],
    // Code-point order with Unicode case rules: the same on every machine, independent of its locales.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    // One call instead of one per file, of which there are a thousand.
    ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
  ]
  const child = spawn(join(bin, 'initdb'), args, {
    ...user,
    cwd: '/',
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const tail = keepTail(child)
  const code = await exitOf(child)
  rmSync(passwordCopy, { force: true })
  if (code !== 0) throw new SetupError(`PostgreSQL could not create its data folder: ${tail()}`)
  renameSync(draft, cluster)
}

type ServerOptions = {
  bin: string
  cluster: string
  user: ReturnType<typeof serverUser>
  log: Logger
  settings: Record<string, string>
}

/** The running server process. It is restarted when it exits unexpectedly. */
class Server {
  // In a temporary folder because the path of a Unix socket is limited to 107 bytes.
  readonly socketDir = mkdtempSync(join(reachableTmp(), SOCKET_PREFIX))
  readonly #options: ServerOptions
  #child: ChildProcess | undefined
  #stopping = false

  constructor(options: ServerOptions) {
    this.#options = options
    chmodSync(this.socketDir, 0o700)
    if (options.user) chownSync(this.socketDir, options.user.uid, options.user.gid)
  }

  async start(): Promise<void> {
    const { bin, cluster, user, log, settings } = this.#options
    const all: Record<string, string> = {
      listen_addresses: '',
      unix_socket_directories: this.socketDir,
      unix_socket_permissions: '0700',
      shared_buffers: '256MB',
      max_connections: '200',
      ...settings,
    }
    const args = ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    // Detached: Ctrl-C signals the whole process group, and the server must run until requests and jobs have finished.
    const child = spawn(join(bin, 'postgres'), args, {
      ...user,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    const tail = keepTail(child, (line) => log.debug({ line }, 'postgres'))
    const exited = exitOf(child)
    for (const until = performance.now() + START_TIMEOUT_MS; ; await sleep(10)) {
      const postmaster = readPostmaster(cluster)
      if (postmaster?.pid === child.pid && postmaster?.ready) break
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > until) {
        child.kill('SIGQUIT')
        await exited
        throw new SetupError(`The embedded PostgreSQL did not start: ${tail()}`)
      }
    }
    void exited.then((code) => this.#restart(code))
  }

  async #restart(code: number | null): Promise<void> {
    const { log } = this.#options
    while (!this.#stopping) {
      log.error({ code }, 'the embedded PostgreSQL exited unexpectedly; restarting it')
      await sleep(500)
      if (this.#stopping) return
      try {
        return await this.start()
      } catch (error) {
        log.error(error, 'the embedded PostgreSQL could not be restarted')
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const child = this.#child
    if (child?.pid && child.exitCode === null && child.signalCode === null) {
      const exited = exitOf(child)
      child.kill('SIGINT')
      const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    }
    rmSync(this.socketDir, { recursive: true, force: true })
  }
}

/** The temporary folder, or /tmp when the server's user cannot access the temporary folder of root. */
function reachableTmp(): string {
  return process.getuid?.() === 0 && !isAccessibleToAll(tmpdir()) ? '/tmp' : tmpdir()
}

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject))
}

/** Reads the stderr of a child process and keeps its last lines for an error message. */
function keepTail(child: ChildProcess, onLine: (line: string) => void = () => {}): () => string {
  const lines: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of chunk.split('\n').filter(Boolean)) {
      onLine(line)
      lines.push(line)
    }
    lines.splice(0, lines.length - 5)
  })
  return () => lines.join(' | ') || 'it printed no error'
}
