import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { requireDistributed } from '../db/distribution.ts'
import { ListCache } from '../db/list-cache.ts'
import { FindingsListener } from '../db/notifications.ts'
import type { Deps } from '../deps/deps.ts'
import { Classifier, classifierUnavailableMessage } from '../engine/classifier/index.ts'
import { WeightsError } from '../engine/classifier/weights.ts'
import { ParserPool } from '../engine/threads/pool.ts'
import { BackgroundTasks } from '../jobs/background.ts'
import { type AnyJob, Queue } from '../jobs/queue.ts'
import type { CreateMcpServer } from '../mcp/protocol-handler.ts'
import { createOutbound, type Outbound } from '../outbound/client.ts'
import { createMailer, type Mailer } from '../outbound/mail.ts'
import { CrmClients } from '../providers/crm/clients.ts'
import { RobotsCache } from '../providers/robots-cache.ts'
import { StoredRobots } from '../research/stored-robots.ts'
import { KeyCache } from '../resources/api-keys/authenticate.ts'
import { ProviderHealthRecorder } from '../resources/integrations/provider-health.ts'
import { refreshSession } from '../resources/sessions/refresh.ts'
import { install, isKnownKey } from '../setup/install.ts'
import { refreshKeyRing } from '../setup/key-ring.ts'
import { SetupError } from '../shared/errors.ts'
import { loadSecrets } from '../shared/secrets.ts'
import { VERSION } from '../shared/version.ts'
import { JOBS } from './jobs.ts'
import { openDatabase } from './open-database.ts'

export type Roles = { api: boolean; worker: boolean }

export type Service = {
  /** The address the API listens on; null for a worker. */
  address: string | null
  /** The first API key, when this start created the workspace. */
  firstKey: string | null
  deps: Deps
} & AsyncDisposable

type StartOptions = {
  config: Config
  log: Logger
  roles?: Roles
  jobs?: AnyJob[]
  /** Creates the MCP server for agents. */
  mcp?: CreateMcpServer
  /** An engine that several services of one process share; it is not closed when this service stops. */
  engine?: Pick<Deps, 'classifier' | 'parserPool'>
  /** How often the keys of stored secrets are read; shorter in tests. */
  keyRefreshMs?: number
  /** Called as soon as the first key exists: it is stored only as a hash. */
  onFirstKey?: (key: string) => void
}

/** Starts the service: database, queue, worker, API. When a part fails to start, the parts before it are stopped. */
export async function startService(options: StartOptions): Promise<Service> {
  const { config, log, roles = { api: true, worker: true }, jobs: declared = JOBS, mcp } = options
  await using stack = new AsyncDisposableStack()
  // Servers are loaded by the processes that have them, because a worker has no routes, and while the database starts.
  const api = roles.api ? import('./api.ts') : null
  // Avoids an unhandled rejection when the database cannot be opened.
  api?.catch(() => {})
  const { db, pool, connection } = stack.use(await openDatabase(config, log))
  await requireDistributed(db)
  const secrets = loadSecrets(config.SECRETS_KEY, config.DATA_DIR)
  const outbound = openOutbound(config, log)
  stack.defer(() => outbound.close())
  const mailer = openMailer(config)
  stack.defer(() => mailer?.close())
  const secondsLeft = countdown(config.SHUTDOWN_TIMEOUT_SECONDS)
  // Opened before the queue, so that they close after it and running jobs can finish.
  const { classifier, parserPool } = options.engine ?? openEngine(config, stack)
  const queue = new Queue({ connection, config, log, jobs: declared, works: roles.worker })
  stack.defer(() => queue.stop(secondsLeft()))
  const background = new BackgroundTasks()
  stack.defer(() => background.stop(secondsLeft()))
  const now = () => new Date()
  const keys = new KeyCache(db, now, config, (member) => refreshSession(deps, member))
  const deps: Deps = {
    config,
    db,
    pool,
    jobs: queue,
    log,
    secrets,
    outbound,
    mailer,
    crmClients: new CrmClients(),
    keys,
    robots: new RobotsCache(stack.use(new StoredRobots(db, log))),
    health: new ProviderHealthRecorder(db, log),
    classifier,
    parserPool,
    lists: new ListCache(db, config.LIST_PAGES_MB * 2 ** 20),
    background,
    now,
  }

  const firstKey = await install(db, secrets, config)
  if (firstKey) options.onFirstKey?.(firstKey)
  const reloadKey = () => (config.SECRETS_KEY ? null : loadSecrets(null, config.DATA_DIR).master)
  stack.use(refreshKeyRing(db, secrets, log, reloadKey, options.keyRefreshMs))
  await queue.start()
  if (config.BELLWETHER_API_KEY && !firstKey && !(await isKnownKey(db, config.BELLWETHER_API_KEY))) {
    log.warn('BELLWETHER_API_KEY is not a key of this database; it is used only when the database is created')
  }
  if (roles.worker) {
    await queue.work(deps)
    // Not awaited: jobs can start, and the model is loaded at the first classification.
    reportClassifier(classifier, log).catch((error) =>
      log.debug({ err: error }, 'the classifier was closed before it was ready'),
    )
  }

  const parts = { deps, queue, pool, version: VERSION }
  let address: string | null = null
  if (api) {
    const { buildApi } = await api
    const findings = new FindingsListener(connection, log)
    stack.defer(() => findings.close())
    address = await listen(buildApi(parts, findings, mcp))
  } else if (config.WORKER_HEALTH) {
    const { buildWorkerServer } = await import('../http/worker-server.ts')
    log.info({ address: await listen(buildWorkerServer(parts)) }, 'serving health and metrics of this worker')
  }
  const running = stack.move()
  return { address, firstKey, deps, [Symbol.asyncDispose]: () => running.disposeAsync() }

  async function listen(server: FastifyInstance): Promise<string> {
    stack.defer(() => closeServer(server, secondsLeft()))
    return server.listen({ port: config.PORT, host: config.HOST }).catch((error: NodeJS.ErrnoException) => {
      throw new SetupError(listenProblem(config, error))
    })
  }
}

function listenProblem({ HOST, PORT }: Config, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') {
    return `Port ${PORT} is already in use: stop the other program, or choose another port, such as PORT=${PORT + 1}.`
  }
  if (code === 'EACCES') return `Port ${PORT} needs more rights: choose a port above 1023, such as PORT=3000.`
  return `Cannot listen on HOST ${HOST}, PORT ${PORT}: ${code ?? message}.`
}

function openEngine(config: Config, stack: AsyncDisposableStack): Pick<Deps, 'classifier' | 'parserPool'> {
  const classifier = openClassifier(config)
  stack.defer(() => classifier.close())
  return { classifier, parserPool: stack.use(openParserPool(config)) }
}

/** The configured pool of parser threads; each thread starts on first use. */
export function openParserPool({ READING_THREADS, READING_TIMEOUT_MS }: Config): ParserPool {
  return new ParserPool({ threads: READING_THREADS, timeoutMs: READING_TIMEOUT_MS })
}

/** The configured classifier. Throws SetupError when its weights are damaged. */
export function openClassifier({ READER_THREADS }: Pick<Config, 'READER_THREADS'>): Classifier {
  try {
    return new Classifier({ threads: READER_THREADS })
  } catch (error) {
    if (error instanceof WeightsError) throw new SetupError(`The classifier cannot start: ${error.message}`)
    throw error
  }
}

async function reportClassifier(classifier: Classifier, log: Logger): Promise<void> {
  const status = await classifier.checkRuntime()
  if (status.ready) log.debug({ version: status.version }, 'the classifier can run')
  else log.error(classifierUnavailableMessage(status.reason))
}

/** The configured client for outbound requests. */
export function openOutbound(config: Config, log: Logger): Outbound {
  return createOutbound({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.OUTBOUND_CONNECT_TO,
    dnsServer: config.DNS_SERVER,
    ca: readCertificates(config),
    log,
    contact: config.OUTBOUND_CONTACT ?? config.PUBLIC_URL,
  })
}

/** The configured mail transport, or null. It connects when the first mail is sent. */
export function openMailer(config: Config): Mailer | null {
  if (!config.SMTP_URL || !config.MAIL_FROM) return null
  return createMailer({
    url: config.SMTP_URL,
    from: config.MAIL_FROM,
    tls: config.SMTP_TLS,
    perMinute: config.MAIL_PER_MINUTE,
    connectTo: config.OUTBOUND_CONNECT_TO,
    ca: readCertificates(config),
  })
}

/** The content of OUTBOUND_CA, or null. Throws SetupError if the file cannot be read. */
export function readCertificates({ OUTBOUND_CA }: Config): string | null {
  if (!OUTBOUND_CA) return null
  try {
    return readFileSync(OUTBOUND_CA, 'utf8')
  } catch (error) {
    throw new SetupError(`OUTBOUND_CA names a file that cannot be read: ${(error as Error).message}.`)
  }
}

/** Measures the shutdown timeout from the first call. Returns the seconds left, at least one. */
function countdown(seconds: number): () => number {
  let end: number | null = null
  return () => {
    end ??= Date.now() + seconds * 1000
    return Math.max(1, (end - Date.now()) / 1000)
  }
}

/** Waits for running requests until the timeout, then closes the remaining connections. */
async function closeServer(server: FastifyInstance, timeoutSeconds: number): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), timeoutSeconds * 1000)
  await server.close()
  clearTimeout(timer)
}
