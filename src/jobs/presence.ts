import { purgeLostWorkers, removeWorker, seenEvery, seeWorker } from '../db/lost-workers.ts'
import type { Deps } from '../deps/deps.ts'
import { newId } from '../shared/ids.ts'

/** Heartbeats of a job are written four times in WORKER_LOST_SECONDS, so a freeze of this part of it can lose the job. */
const FROZEN_PART = 3 / 4

/**
 * Lets other workers see that this process is alive and which jobs it holds, until it is disposed of. Measures on the
 * monotonic clock whether the process itself stood still, so that a freeze is told apart from a database that is away.
 */
export class Presence implements AsyncDisposable {
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
    this.#timer = setInterval(() => this.#tick(), seenEvery(this.#lostSeconds) * 1000)
  }

  static async announce(deps: Pick<Deps, 'db' | 'log' | 'config'>): Promise<Presence> {
    await purgeLostWorkers(deps.db)
    const presence = new Presence(deps)
    await presence.#write()
    return presence
  }

  /** Runs work of a job once the database knows that this process holds the job. */
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
    // A write under way reports the same.
    if (this.#writing) return
    this.#write().catch((err) => this.#deps.log.debug({ err }, 'this worker could not write that it is alive'))
  }

  #measure(): void {
    const now = performance.now()
    this.#longestPauseMs = Math.max(this.#longestPauseMs, now - this.#ranAt)
    this.#ranAt = now
  }

  /** One write at a time; what changes during one is in the next, for which all later callers wait. */
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
      await seeWorker(this.#deps.db, { id: this.#id, jobs, froze }, this.#lostSeconds)
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
