import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { withQueryLimit } from '../db/client.ts'
import { connectionOptions, type Db } from '../db/connect.ts'
import { longestWaits, queuesWithDueJobs, type Waiting } from '../db/due-jobs.ts'
import type { ServerConnection } from '../db/embedded.ts'
import type { Deps, Enqueueable, EnqueueOptions, Jobs } from '../deps/deps.ts'
import { SetupError } from '../shared/errors.ts'
import { type JobAttempt, runAttempt } from './attempt.ts'
import type { Job } from './define.ts'
import { every } from './every.ts'
import { FairPriorities } from './fair-priorities.ts'
import { Presence } from './presence.ts'

/** Where a job ends that failed at every attempt, with its payload and last error. */
export const DEAD_LETTERS = 'dead-letters'

/** The queue through which pg-boss sends the jobs of its schedules. */
const SCHEDULED_SENDS = '__pgboss__send-it'

/** The queue looks after itself so often, in a dozen statements: lost workers are noticed, finished jobs deleted. */
const SUPERVISE_SECONDS = 10
/** How often one query looks for jobs that may begin now. New ones are announced; retries and delayed jobs are not. */
const LOOK_SECONDS = 1
/** What is neither announced nor seen is found after so long. Seldom, because each of a hundred workers asks for itself. */
const POLL_SECONDS = 600
/** More attempts than a job may fail: those that lost their worker, and stops of a worker that came in between. */
const SPARE_ATTEMPTS = 20

/** `deadletter`: it was given up, or failed at every attempt. */
type Outcome = 'completed' | 'retried' | 'deadletter'

export type QueueDepth = { name: string; ready: number; active: number; failed: number }

// A job list holds jobs of unlike payloads; each was checked where it was declared.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyJob = Job<any>

/** What the queue writes on a job whose worker gave no sign any more. */
const LOSSES = new Set(['job heartbeat timeout', 'job timed out'])

/** A job as it was claimed, and how the attempt before ended. */
function attemptOf({ id, data, signal, retryCount, output }: JobWithMetadata<object>): JobAttempt {
  const { value, lost } = (output ?? {}) as { value?: { message?: string }; lost?: boolean }
  return {
    id,
    payload: data ?? {},
    signal,
    number: retryCount,
    before: lost ? 'given up' : LOSSES.has(value?.message ?? '') ? 'lost' : 'ended',
  }
}

/** The job queue. The only file that knows pg-boss. */
export class Queue implements Jobs {
  readonly #boss: PgBoss
  readonly #jobs: Map<string, AnyJob>
  readonly #log: Logger
  readonly #concurrency: number
  /** A worker that gives no sign for so many seconds is taken for dead, and its jobs go to others. */
  readonly #heartbeatSeconds: number
  readonly #queryMs: number
  readonly #places = new FairPriorities()
  /** What became of the attempts that this process has made, by job. */
  readonly attempts: ReadonlyMap<string, Record<Outcome, number>>
  #lastError: Error | null = null
  #started = false
  #presence: Presence | null = null
  #looking: AsyncDisposable | null = null

  constructor(options: {
    connection: string | ServerConnection
    config: Config
    log: Logger
    jobs: AnyJob[]
    works: boolean
  }) {
    const { connection, config, log, jobs, works } = options
    this.#log = log
    this.#concurrency = config.WORKER_CONCURRENCY
    this.#heartbeatSeconds = config.WORKER_LOST_SECONDS
    this.#queryMs = config.DATABASE_JOB_TIMEOUT_SECONDS * 1000
    // A connection that leads nowhere must be given up before its worker counts as lost.
    const usualMs = Math.min(config.DATABASE_TIMEOUT_SECONDS, config.WORKER_LOST_SECONDS / 2) * 1000
    // Its pool throws a connection away whose query timed out.
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
      useListenNotify: works && config.DATABASE_ENGINE !== 'cockroachdb',
      superviseIntervalSeconds: superviseSeconds,
      monitorIntervalSeconds: superviseSeconds,
    })
    this.#boss.on('error', (error) => {
      this.#lastError = error
      log.warn({ err: error }, 'the job queue met an error')
    })
    this.#boss.on('warning', (warning) => log.debug({ warning }, 'the job queue warns'))
  }

  /** Creates the queue's schema and one queue for each declared job. Enqueueing works from here on. */
  async start(): Promise<void> {
    await this.#boss.start()
    const known = new Set((await this.#boss.getQueues()).map(({ name }) => name))
    if (!known.has(DEAD_LETTERS)) await this.#boss.createQueue(DEAD_LETTERS, { retentionSeconds: 60 * 86_400 })
    for (const job of this.#jobs.values()) {
      const options = {
        // The last attempt is ours to tell (attempt.ts): the queue would bury a job that lost its worker without a word.
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
      if (known.has(job.name)) await this.#boss.updateQueue(job.name, options)
      else await this.#boss.createQueue(job.name, options)
    }
    // Without a heartbeat, an occurrence that was claimed by a killed worker would be sent 15 minutes late.
    if (known.has(SCHEDULED_SENDS)) {
      await this.#boss.updateQueue(SCHEDULED_SENDS, { heartbeatSeconds: this.#heartbeatSeconds })
    }
    this.#started = true
  }

  /** Begins to run jobs. Throws SetupError when jobs wait under a name this version does not handle. */
  async work(deps: Deps): Promise<void> {
    for (const { name } of await this.#boss.getQueues()) {
      if (this.#jobs.has(name) || name === DEAD_LETTERS || name.startsWith('__pgboss__')) continue
      const [stats] = await this.#boss.getQueueStats(name, { force: true })
      if ((stats?.queuedCount ?? 0) + (stats?.activeCount ?? 0) > 0) {
        throw new SetupError(`Jobs named "${name}" are waiting, but this version does not handle them.`)
      }
    }
    for (const schedule of await this.#boss.getSchedules()) {
      if (!this.#jobs.get(schedule.name)?.schedule) await this.#boss.unschedule(schedule.name)
    }
    const presence = await Presence.announce(deps)
    this.#presence = presence
    const workers = new Map<string, string[]>()
    for (const job of this.#jobs.values()) {
      const ids: string[] = []
      for (let n = job.concurrency ?? this.#concurrency; n > 0; n--)
        ids.push(await this.#startWorker(deps, job, presence))
      workers.set(job.name, ids)
      if (job.schedule) await this.#boss.schedule(job.name, job.schedule)
      if (job.atStart) await this.#boss.send(job.name, {})
    }
    let couldLook = true
    this.#looking = every(LOOK_SECONDS, async () => {
      try {
        const due = await queuesWithDueJobs(this.#boss.getDb(), [...workers.keys()])
        for (const id of due.flatMap((name) => workers.get(name) ?? [])) this.#boss.notifyWorker(id)
        couldLook = true
      } catch (err) {
        if (couldLook && this.#started) this.#log.warn({ err }, 'nobody can look for jobs that may begin')
        couldLook = false
      }
    })
  }

  /** One that runs a job at a time. Answers how to wake it. */
  async #startWorker(deps: Deps, job: AnyJob, presence: Presence): Promise<string> {
    const options = {
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
      heartbeatRefreshSeconds: this.#heartbeatSeconds / 4,
      includeMetadata: true as const,
      perJobResults: true as const,
    }
    const id = await this.#boss.work(job.name, options, async ([claimed]: JobWithMetadata<object>[]) => {
      if (!claimed) return []
      // Where there is one there may be more: it looks again before it rests.
      this.#boss.notifyWorker(id)
      const attempt = () => presence.hold(claimed.id, () => runAttempt(deps, job, attemptOf(claimed)))
      const settled = await withQueryLimit(this.#queryMs, attempt).catch((error) => {
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

  /** The same for many jobs of one kind, in one statement. */
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

  /** Workspaces take turns; what belongs to none goes first. */
  #prioritiesOf(job: { name: string }, payloads: object[], startAfter?: number): number[] {
    const ids = payloads.map((payload) => ('workspace_id' in payload ? String(payload.workspace_id) : null))
    const counts = Map.groupBy(ids, (id) => id)
    const places = new Map(
      [...counts].map(([id, { length }]) => [id, id ? this.#places.take(job.name, id, length, startAfter) : null]),
    )
    return ids.map((id) => places.get(id)?.shift() ?? 0)
  }

  #requireListed(job: { name: string }): void {
    if (this.#jobs.get(job.name) !== job) throw new Error(`The job "${job.name}" is not listed in all-jobs.ts.`)
  }

  /** How many jobs wait, run and have failed for good, by queue. */
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

  /** How long the longest waiting job of each queue could have begun already. A job that was given up waits for nobody. */
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

  /** Lets running jobs finish within the time; what still runs then is aborted and given back for another worker. */
  async stop(timeoutSeconds: number): Promise<void> {
    this.#started = false
    const looked = this.#looking?.[Symbol.asyncDispose]()
    await this.#boss.stop({ graceful: true, timeout: timeoutSeconds * 1000 })
    await looked
    await this.#presence?.[Symbol.asyncDispose]()
    this.#log.debug('the job queue has stopped')
  }
}
