import { heartbeatInterval, purgeWorkerHeartbeats, removeWorker, writeHeartbeat } from '../db/worker-heartbeats.ts'
import type { Deps } from '../deps/deps.ts'
import { newId } from '../shared/ids.ts'

/** Job heartbeats are written four times per WORKER_LOST_SECONDS, so a freeze of this part of it can lose the job. */
const FROZEN_PART = 3 / 4

/**
 * Writes the heartbeat of this process and the jobs it holds, until it is disposed. Measures pauses of the process on the
 * monotonic clock, to distinguish a freeze from a database outage.
 */
export class WorkerHeartbeat implements AsyncDisposable {
  readonly #deps: Pick<Deps, 'db' | 'log'>
  readonly #id = newId()
  readonly #lostSeconds: number
  readonly #claims = new Set<{ id: string }>()
  readonly #timer: NodeJS.Timeout
  #ranAt = performance.now()
  #longestPauseMs = 0
  #writing: Promise<void> | null = null
  #next: Promise<void> | null = null

  private constructor({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>) {
    this.#deps = { db, log }
    this.#lostSeconds = config.WORKER_LOST_SECONDS
    this.#timer = setInterval(() => this.#tick(), heartbeatInterval(this.#lostSeconds) * 1000)
  }

  static async announce(deps: Pick<Deps, 'db' | 'log' | 'config'>): Promise<WorkerHeartbeat> {
    await purgeWorkerHeartbeats(deps.db)
    const heartbeat = new WorkerHeartbeat(deps)
    await heartbeat.#write()
    return heartbeat
  }

  /** Runs a job after writing to the database that this process holds it. */
  async hold<T>(id: string, work: () => Promise<T>): Promise<T> {
    const claim = { id }
    this.#claims.add(claim)
    try {
      await this.#write()
      return await work()
    } finally {
      this.#claims.delete(claim)
    }
  }

  #tick(): void {
    this.#measure()
    // A pending write reports the same.
    if (this.#writing) return
    this.#write().catch((err) => this.#deps.log.debug({ err }, 'the heartbeat of this worker could not be written'))
  }

  #measure(): void {
    const now = performance.now()
    this.#longestPauseMs = Math.max(this.#longestPauseMs, now - this.#ranAt)
    this.#ranAt = now
  }

  /** One write at a time; changes during a write go into the next one, which later callers share. */
  #write(): Promise<void> {
    if (!this.#writing) {
      this.#writing = this.#send().finally(() => {
        this.#writing = null
      })
      return this.#writing
    }
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = null
        return this.#write()
      })
    return this.#next
  }

  async #send(): Promise<void> {
    this.#measure()
    const pauseMs = this.#longestPauseMs
    // A pause during this write belongs to the next one.
    this.#longestPauseMs = 0
    const jobs = [...new Set([...this.#claims].map(({ id }) => id))]
    const froze = pauseMs >= this.#lostSeconds * 1000 * FROZEN_PART
    try {
      await writeHeartbeat(this.#deps.db, { id: this.#id, jobs, froze }, this.#lostSeconds)
    } catch (error) {
      this.#longestPauseMs = Math.max(this.#longestPauseMs, pauseMs)
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing?.catch(() => {})
    await removeWorker(this.#deps.db, this.#id).catch((err) =>
      this.#deps.log.warn({ err }, 'the row of this worker could not be deleted'),
    )
  }
}
