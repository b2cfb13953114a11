import { fromKysely, type JobWithMetadata, PgBoss, type QueueResult, type UpdateQueueOptions } from 'pg-boss'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { withQueryTimeout } from '../db/client.ts'
import { connect, connectionOptions, type Db } from '../db/connect.ts'
import { queueSchemaVersion } from '../db/diagnostics.ts'
import { longestWaits, queuesWithDueJobs, type Waiting } from '../db/due-jobs.ts'
import type { ServerConnection } from '../db/embedded.ts'
import { withSchemaLock } from '../db/migrate.ts'
import type { Deps, Enqueueable, EnqueueOptions, Jobs } from '../deps/deps.ts'
import { SetupError } from '../shared/errors.ts'
import { type JobAttempt, runAttempt } from './attempt.ts'
import type { Job } from './define.ts'
import { FairPriorities } from './fair-priorities.ts'
import { WorkerHeartbeat } from './worker-heartbeat.ts'

/** The dead letter queue: jobs that failed at every attempt, with their payload and last error. */
export const DEAD_LETTERS = 'dead-letters'

/** The queue through which pg-boss sends the jobs of its schedules. */
const SCHEDULED_SENDS = '__pgboss__send-it'

/** Interval of the maintenance by pg-boss, a dozen statements: it detects lost workers and deletes finished jobs. */
const SUPERVISE_SECONDS = 10
/** Interval of the query for due jobs. New jobs are announced with NOTIFY; retries and delayed jobs are not. */
const DUE_CHECK_SECONDS = 1
/** Fallback polling interval of pg-boss. Long, because each of a hundred workers sends a query. */
const POLL_SECONDS = 600
/** Attempts in addition to the retries of a job: for lost workers, and for workers that stop during a job. */
const SPARE_ATTEMPTS = 20

/** `deadletter`: abandoned, or failed at every attempt. */
type Outcome = 'completed' | 'retried' | 'deadletter'

export type QueueDepth = { name: string; ready: number; active: number; failed: number }

// A job list contains jobs with different payload types, each checked where it was declared.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyJob = Job<any>

/** Messages that pg-boss stores on a job whose worker was lost. */
const LOSSES = new Set(['job heartbeat timeout', 'job timed out'])

/** The attempt of a claimed job, with the outcome of the previous attempt. */
function attemptOf({ id, data, signal, retryCount, output }: JobWithMetadata<object>): JobAttempt {
  const { value, lost } = (output ?? {}) as { value?: { message?: string }; lost?: boolean }
  return {
    id,
    payload: data ?? {},
    signal,
    number: retryCount,
    before: lost ? 'abandoned' : LOSSES.has(value?.message ?? '') ? 'lost' : 'ended',
  }
}

type QueueOptions = {
  connection: string | ServerConnection
  config: Config
  log: Logger
  jobs: AnyJob[]
  works: boolean
}

/** Creates the schema of pg-boss, or migrates it to this version. */
export async function migrateQueue(options: Pick<QueueOptions, 'connection' | 'config' | 'log'>): Promise<void> {
  const queue = new Queue({ ...options, jobs: [], works: false })
  try {
    await queue.start()
  } finally {
    // Its timers would keep the process running.
    await queue.stop(1)
  }
}

/** The schema of pg-boss that `migrateQueue` would create or migrate to; none when the database has it, or a later one. */
export async function listPendingQueueMigrations(db: Db): Promise<string[]> {
  const { schema } = manifest.pgboss
  return ((await queueSchemaVersion(db)) ?? 0) < schema ? [`pgboss-${schema}`] : []
}

/** The job queue. The only file that imports pg-boss. */
export class Queue implements Jobs {
  readonly #boss: PgBoss
  readonly #connection: string | ServerConnection
  readonly #jobs: Map<string, AnyJob>
  readonly #log: Logger
  readonly #concurrency: number
  /** Seconds without a heartbeat after which a worker counts as lost and its jobs are given to others. */
  readonly #heartbeatSeconds: number
  readonly #queryMs: number
  readonly #priorities = new FairPriorities()
  /** Outcomes of the attempts in this process, by job. */
  readonly attempts: ReadonlyMap<string, Record<Outcome, number>>
  #lastError: Error | null = null
  #started = false
  #heartbeat: WorkerHeartbeat | null = null
  #dueCheck: AsyncDisposable | null = null

  constructor(options: QueueOptions) {
    const { connection, config, log, jobs, works } = options
    this.#log = log
    this.#connection = connection
    this.#concurrency = config.WORKER_CONCURRENCY
    this.#heartbeatSeconds = config.WORKER_LOST_SECONDS
    this.#queryMs = config.DATABASE_JOB_TIMEOUT_SECONDS * 1000
    // A dead connection must time out before its worker counts as lost.
    const usualMs = Math.min(config.DATABASE_TIMEOUT_SECONDS, config.WORKER_LOST_SECONDS / 2) * 1000
    // The pool of pg-boss closes a connection whose query timed out.
    const connecting = { ...connectionOptions(connection, { usualMs }), query_timeout: usualMs }
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    if (this.#jobs.size < jobs.length) {
      const twice = jobs.find((job, at) => jobs.findIndex(({ name }) => name === job.name) !== at)
      throw new SetupError(`Two jobs are declared under the name "${twice?.name}".`)
    }
    this.attempts = new Map(jobs.map(({ name }) => [name, { completed: 0, retried: 0, deadletter: 0 }]))
    const superviseSeconds = Math.min(SUPERVISE_SECONDS, config.WORKER_LOST_SECONDS / 2)
    this.#boss = new PgBoss({
      ...connecting,
      application_name: 'bellwether-jobs',
      backend: config.DATABASE_ENGINE,
      max: works ? 4 : 2,
      supervise: works,
      schedule: works,
      // A pooler in transaction mode does not support LISTEN: the query for due jobs starts them within a second.
      useListenNotify: works && config.DATABASE_PREPARE && config.DATABASE_ENGINE !== 'cockroachdb',
      superviseIntervalSeconds: superviseSeconds,
      monitorIntervalSeconds: superviseSeconds,
    })
    this.#boss.on('error', (error) => {
      this.#lastError = error
      log.warn({ err: error }, 'job queue error')
    })
    this.#boss.on('warning', (warning) => log.debug({ warning }, 'job queue warning'))
  }

  /** Creates the schema of pg-boss and one queue per declared job. Jobs can be enqueued afterwards. */
  async start(): Promise<void> {
    await this.#startBoss()
    const known = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]))
    const update = async (name: string, options: UpdateQueueOptions) => {
      const stored = known.get(name)
      const isStored = ([option, value]: [string, unknown]) => stored?.[option as keyof QueueResult] === value
      if (!Object.entries(options).every(isStored)) await this.#boss.updateQueue(name, options)
    }
    if (!known.has(DEAD_LETTERS)) await this.#boss.createQueue(DEAD_LETTERS, { retentionSeconds: 60 * 86_400 })
    for (const job of this.#jobs.values()) {
      const options = {
        // attempt.ts decides which attempt is the last: pg-boss would dead-letter a lost job without calling onLost.
        retryLimit: job.retries + SPARE_ATTEMPTS,
        retryDelay: job.retryDelay,
        retryBackoff: true,
        retryDelayMax: 3600,
        expireInSeconds: job.timeout,
        heartbeatSeconds: this.#heartbeatSeconds,
        deadLetter: DEAD_LETTERS,
        notify: true,
        deleteAfterSeconds: 86_400,
      }
      if (known.has(job.name)) await update(job.name, options)
      else await this.#boss.createQueue(job.name, options)
    }
    // Without a heartbeat, a scheduled job that a killed worker had claimed would be sent 15 minutes late.
    if (known.has(SCHEDULED_SENDS)) await update(SCHEDULED_SENDS, { heartbeatSeconds: this.#heartbeatSeconds })
    this.#started = true
  }

  /** Starts pg-boss. A migration of its schema and a backup exclude each other. */
  async #startBoss(): Promise<void> {
    const { db } = connect(this.#connection, { size: 1, prepare: false, log: this.#log })
    try {
      if ((await listPendingQueueMigrations(db)).length === 0) return void (await this.#boss.start())
      await withSchemaLock(
        db,
        () =>
          this.#log.warn(
            'a backup of the database is running; the migration of the job queue begins when it has ended',
          ),
        () => this.#boss.start(),
      )
    } finally {
      await db.destroy()
    }
  }

  /** Starts the workers. Throws SetupError when jobs are queued under a name that this version does not handle. */
  async work(deps: Deps): Promise<void> {
    for (const { name } of await this.#boss.getSchedules()) {
      if (this.#jobs.get(name)?.schedule) continue
      await this.#boss.unschedule(name)
      // Jobs of a schedule repeat, so those of a retired one can be dropped with its queue.
      if (!this.#jobs.has(name)) await this.#boss.deleteQueue(name)
    }
    for (const { name } of await this.#boss.getQueues()) {
      if (this.#jobs.has(name) || name === DEAD_LETTERS || name.startsWith('__pgboss__')) continue
      const [stats] = await this.#boss.getQueueStats(name, { force: true })
      if ((stats?.queuedCount ?? 0) + (stats?.activeCount ?? 0) > 0) {
        throw new SetupError(`Jobs named "${name}" are waiting, but this version does not handle them.`)
      }
    }
    const heartbeat = await WorkerHeartbeat.announce(deps)
    this.#heartbeat = heartbeat
    const workers = new Map<string, string[]>()
    for (const job of this.#jobs.values()) {
      const ids: string[] = []
      for (let n = job.concurrency ?? this.#concurrency; n > 0; n--)
        ids.push(await this.#startWorker(deps, job, heartbeat))
      workers.set(job.name, ids)
      if (job.schedule) await this.#boss.schedule(job.name, job.schedule)
      if (job.atStart) await this.#boss.send(job.name, {})
    }
    let succeeded = true
    this.#dueCheck = every(DUE_CHECK_SECONDS, async () => {
      try {
        const due = await queuesWithDueJobs(this.#boss.getDb(), [...workers.keys()])
        for (const id of due.flatMap((name) => workers.get(name) ?? [])) this.#boss.notifyWorker(id)
        succeeded = true
      } catch (err) {
        if (succeeded && this.#started) this.#log.warn({ err }, 'the query for due jobs failed')
        succeeded = false
      }
    })
  }

  /** Starts a worker that runs one job at a time. Returns the id to notify it with. */
  async #startWorker(deps: Deps, job: AnyJob, heartbeat: WorkerHeartbeat): Promise<string> {
    const options = {
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
      heartbeatRefreshSeconds: this.#heartbeatSeconds / 4,
      includeMetadata: true as const,
      perJobResults: true as const,
    }
    const id = await this.#boss.work(job.name, options, async ([claimed]: JobWithMetadata<object>[]) => {
      if (!claimed) return []
      // The worker fetches again after this job, because more may be queued.
      this.#boss.notifyWorker(id)
      const attempt = () => heartbeat.hold(claimed.id, () => runAttempt(deps, job, attemptOf(claimed)))
      const settled = await withQueryTimeout(this.#queryMs, attempt).catch((error) => {
        this.#count(job.name, 'retried')
        throw error
      })
      this.#count(job.name, settled.status === 'failed' ? 'retried' : settled.status)
      return [{ id: claimed.id, ...settled }]
    })
    return id
  }

  /** Adds a job in the caller's transaction: it exists exactly when the transaction commits. */
  async enqueue<P extends object>(
    db: Db,
    job: Enqueueable<P>,
    payload: P,
    { startAfter }: EnqueueOptions = {},
  ): Promise<void> {
    this.#requireListed(job)
    const [priority] = this.#prioritiesOf(job, [payload], startAfter)
    await this.#boss.send(job.name, payload, {
      db: fromKysely(db),
      priority: priority as number,
      ...(startAfter ? { startAfter } : {}),
    })
  }

  /** Adds many jobs of one kind in one statement. */
  async enqueueAll<P extends object>(db: Db, job: Enqueueable<P>, payloads: P[]): Promise<void> {
    this.#requireListed(job)
    if (payloads.length === 0) return
    const priorities = this.#prioritiesOf(job, payloads)
    await this.#boss.insert(
      job.name,
      payloads.map((data, at) => ({ data, priority: priorities[at] as number })),
      { db: fromKysely(db) },
    )
  }

  /** Fair priorities per workspace; jobs without a workspace run first. */
  #prioritiesOf(job: { name: string }, payloads: object[], startAfter?: number): number[] {
    const ids = payloads.map((payload) => ('workspace_id' in payload ? String(payload.workspace_id) : null))
    const counts = Map.groupBy(ids, (id) => id)
    const priorities = new Map(
      [...counts].map(([id, { length }]) => [id, id ? this.#priorities.take(job.name, id, length, startAfter) : null]),
    )
    return ids.map((id) => priorities.get(id)?.shift() ?? 0)
  }

  #requireListed(job: { name: string }): void {
    if (this.#jobs.get(job.name) !== job) throw new Error(`The job "${job.name}" is not listed in src/app/jobs.ts.`)
  }

  /** The number of queued, running and dead-lettered jobs, by queue. */
  async depth(): Promise<QueueDepth[]> {
    const queues = await this.#boss.getQueues()
    return queues
      .filter(({ name }) => this.#jobs.has(name) || name === DEAD_LETTERS)
      .map(({ name, readyCount, activeCount, failedCount }) => ({
        name,
        ready: readyCount,
        active: activeCount,
        failed: failedCount,
      }))
  }

  /** The time since the oldest due job of each queue could have started; without the dead letter queue. */
  waits(): Promise<Waiting[]> {
    return longestWaits(this.#boss.getDb(), [...this.#jobs.keys()])
  }

  #count(name: string, outcome: Outcome): void {
    const counts = this.attempts.get(name)
    if (counts) counts[outcome]++
  }

  /** Throws when the queue cannot be reached. */
  async ping(): Promise<void> {
    if (!this.#started) throw this.#lastError ?? new Error('the job queue has not started')
    await this.#boss.schemaVersion()
  }

  /** Waits for running jobs until the timeout, then aborts the rest and returns them to the queue. */
  async stop(timeoutSeconds: number): Promise<void> {
    this.#started = false
    const dueCheckEnded = this.#dueCheck?.[Symbol.asyncDispose]()
    await this.#boss.stop({ graceful: true, timeout: timeoutSeconds * 1000 })
    await dueCheckEnded
    await this.#heartbeat?.[Symbol.asyncDispose]()
    this.#log.debug('the job queue has stopped')
  }
}

/** Calls a function at an interval, never concurrently, until it is disposed. The function handles its errors. */
function every(seconds: number, act: () => Promise<void>): AsyncDisposable {
  let acting: Promise<void> | null = null
  const timer = setInterval(() => {
    acting ??= act().finally(() => {
      acting = null
    })
  }, seconds * 1000)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await acting
    },
  }
}
