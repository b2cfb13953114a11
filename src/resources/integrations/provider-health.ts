import type { Logger } from 'pino'
import type { Db } from '../../db/connect.ts'
import type { ProviderHealth, ProviderProblem } from '../../providers/health.ts'
import { saveProviderHealth } from './provider-health-store.ts'

/** Minimum interval between writes of the same outcome, because a provider may be called many times a second. */
const REPEAT_MS = 10_000

/** Stores the outcome of provider requests in the database, for all processes. A failed write is logged and does not fail the request. */
export class ProviderHealthRecorder implements ProviderHealth {
  readonly #db: Db
  readonly #log: Logger
  readonly #written = new Map<string, { message: string | null; at: number }>()

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  async report(provider: string, problem: ProviderProblem | null): Promise<void> {
    const message = problem?.message ?? null
    const last = this.#written.get(provider)
    const now = performance.now()
    if (last && last.message === message && now - last.at < REPEAT_MS) return
    this.#written.set(provider, { message, at: now })
    try {
      await saveProviderHealth(this.#db, provider, problem)
    } catch (err) {
      this.#written.delete(provider)
      this.#log.warn({ err, provider }, 'the state of a provider could not be stored')
    }
  }
}
