import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { KnownLists } from '../db/known-lists.ts'
import { FindingsHeard } from '../db/notifications.ts'
import type { Deps } from '../deps/deps.ts'
import { Classifier, classifierUnavailableMessage } from '../engine/classifier/index.ts'
import { WeightsError } from '../engine/classifier/weights.ts'
import { ParserPool } from '../engine/threads/pool.ts'
import { buildServer } from '../http/server.ts'
import { buildWorkerServer } from '../http/worker-server.ts'
import { Background } from '../jobs/background.ts'
import { type AnyJob, Queue } from '../jobs/queue.ts'
import { createMcpMount } from '../mcp/http.ts'
import type { CreateMcpServer } from '../mcp/protocol-handler.ts'
import { createOutbound, type Outbound } from '../outbound/client.ts'
import { CrmClients } from '../providers/crm/clients.ts'
import { RobotsCache } from '../providers/robots-cache.ts'
import { StoredRobots } from '../research/stored-robots.ts'
import { KeyCache } from '../resources/api-keys/authenticate.ts'
import { confirmConsent, takeConsent } from '../resources/connections/consent.ts'
import { StoredHealth } from '../resources/integrations/provider-health.ts'
import { install, isKnownKey } from '../setup/install.ts'
import { SetupError } from '../shared/errors.ts'
import { loadSecrets } from '../shared/secrets.ts'
import { VERSION } from '../shared/version.ts'
import { JOBS } from './jobs.ts'
import { openDatabase } from './open-database.ts'
import { API_ROUTES } from './routes.ts'
import { WEBHOOKS } from './webhooks.ts'

export type Roles = { api: boolean; worker: boolean }

export type Service = {
  /** Where the API listens; null for a worker. */
  address: string | null
  /** The first API key, when this start set the database up. */
  firstKey: string | null
  deps: Deps
} & AsyncDisposable

type StartOptions = {
  config: Config
  log: Logger
  roles?: Roles
  jobs?: AnyJob[]
  /** What agents are served. */
  mcp?: CreateMcpServer
  /** What reads texts, where several services of one process share it: it stays open. */
  engine?: Pick<Deps, 'classifier' | 'parserPool'>
  /** Called as soon as the database is set up: the key is kept nowhere. */
  onFirstKey?: (key: string) => void
}

/** Starts the service: database, queue, worker, API. Whatever was started is stopped again when a later part fails. */
export async function startService(options: StartOptions): Promise<Service> {
  const { config, log, roles = { api: true, worker: true }, jobs: declared = JOBS, mcp } = options
  await using stack = new AsyncDisposableStack()
  const { db, pool, connection } = stack.use(await openDatabase(config, log))
  const secrets = loadSecrets(config.SECRETS_KEY, config.DATA_DIR)
  const outbound = openOutbound(config, log)
  stack.defer(() => outbound.close())
  const secondsLeft = countdown(config.SHUTDOWN_TIMEOUT_SECONDS)
  // Before the queue, so that jobs that finish while it stops still have them.
  const { classifier, parserPool } = options.engine ?? openEngine(config, stack)
  const queue = new Queue({ connection, config, log, jobs: declared, works: roles.worker })
  stack.defer(() => queue.stop(secondsLeft()))
  const background = new Background()
  stack.defer(() => background.stop(secondsLeft()))
  const now = () => new Date()
  const keys = new KeyCache(db, now, config)
  const deps: Deps = {
    config,
    db,
    pool,
    jobs: queue,
    log,
    secrets,
    outbound,
    crmClients: new CrmClients(),
    keys,
    robots: new RobotsCache(stack.use(new StoredRobots(db, log))),
    health: new StoredHealth(db, log),
    classifier,
    parserPool,
    lists: new KnownLists(db, config.LIST_PAGES_MB * 2 ** 20),
    background,
    now,
  }

  const firstKey = await install(db, secrets, config)
  if (firstKey) options.onFirstKey?.(firstKey)
  await queue.start()
  if (config.BELLWETHER_API_KEY && !firstKey && !(await isKnownKey(db, config.BELLWETHER_API_KEY))) {
    log.warn('BELLWETHER_API_KEY is not a key of this database: it is used only when a database is set up')
  }
  if (roles.worker) {
    await queue.work(deps)
    // Beside the first jobs; the network itself is loaded when there is something to judge.
    reportClassifier(classifier, log).catch((error) =>
      log.debug({ err: error }, 'the reader was closed before it was ready'),
    )
  }

  const parts = { deps, queue, pool, version: VERSION }
  let address: string | null = null
  if (roles.api) {
    const findings = new FindingsHeard(connection, log)
    stack.defer(() => findings.close())
    address = await listen(
      buildServer({
        ...parts,
        consents: {
          take: (answer, nonces) => takeConsent(deps, answer, nonces),
          confirm: (member, confirmation) => confirmConsent(deps, member, confirmation),
        },
        mountMcp: createMcpMount(deps, findings, mcp),
        routes: API_ROUTES,
        webhooks: WEBHOOKS,
      }),
    )
  } else if (config.WORKER_HEALTH) {
    log.info({ address: await listen(buildWorkerServer(parts)) }, 'health and metrics of this worker are served')
  }
  const running = stack.move()
  return { address, firstKey, deps, [Symbol.asyncDispose]: () => running.disposeAsync() }

  async function listen(server: FastifyInstance): Promise<string> {
    stack.defer(() => closeServer(server, secondsLeft()))
    return server.listen({ port: config.PORT, host: config.HOST }).catch((error: NodeJS.ErrnoException) => {
      throw new SetupError(`Cannot listen on HOST ${config.HOST}, PORT ${config.PORT}: ${error.code ?? error.message}.`)
    })
  }
}

function openEngine(config: Config, stack: AsyncDisposableStack): Pick<Deps, 'classifier' | 'parserPool'> {
  const classifier = openClassifier(config)
  stack.defer(() => classifier.close())
  return { classifier, parserPool: stack.use(openParserPool(config)) }
}

/** The threads that read documents, as configured; each is started when it is needed. */
export function openParserPool({ READING_THREADS, READING_TIMEOUT_MS }: Config): ParserPool {
  return new ParserPool({ threads: READING_THREADS, timeoutMs: READING_TIMEOUT_MS })
}

/** The reader as configured; weights that are damaged stop the start. */
export function openClassifier({ READER_THREADS }: Pick<Config, 'READER_THREADS'>): Classifier {
  try {
    return new Classifier({ threads: READER_THREADS })
  } catch (error) {
    if (error instanceof WeightsError) throw new SetupError(`The reader cannot start: ${error.message}`)
    throw error
  }
}

async function reportClassifier(classifier: Classifier, log: Logger): Promise<void> {
  const status = await classifier.checkRuntime()
  if (status.ready) log.debug({ version: status.version }, 'the reader can run')
  else log.error(classifierUnavailableMessage(status.reason))
}

/** The guarded client as configured. */
export function openOutbound(config: Config, log: Logger): Outbound {
  return createOutbound({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.OUTBOUND_CONNECT_TO,
    dnsServer: config.DNS_SERVER,
    ca: config.OUTBOUND_CA && readCertificates(config.OUTBOUND_CA),
    log,
    contact: config.OUTBOUND_CONTACT ?? config.PUBLIC_URL,
  })
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SetupError(`OUTBOUND_CA names a file that cannot be read: ${(error as Error).message}.`)
  }
}

/** The time for a stop, which its parts share: it runs from the first call. Answers the seconds left, one at least. */
function countdown(seconds: number): () => number {
  let end: number | null = null
  return () => {
    end ??= Date.now() + seconds * 1000
    return Math.max(1, (end - Date.now()) / 1000)
  }
}

/** Lets running requests finish within the time; whoever still holds a connection then is cut off. */
async function closeServer(server: FastifyInstance, timeoutSeconds: number): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), timeoutSeconds * 1000)
  await server.close()
  clearTimeout(timer)
}
