import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import type { RobotsRecord, RobotsStore } from '../providers/robots-cache.ts'
import { findRobotsFiles, type RobotsRow, saveRobotsFiles } from './robots-store.ts'

const FLUSH_MS = 500
const FLUSH_ORIGINS = 200
/** Longer files are cached in memory only: they would take up most of the table. */
const MAX_CHARS = 20_000
const MAX_ORIGIN = 300

/** Shares the cache of robots.txt files between processes. A file that cannot be stored or loaded is fetched again. */
export class StoredRobots implements RobotsStore, AsyncDisposable {
  readonly #db: Db
  readonly #log: Logger
  #waiting = new Map<string, RobotsRow>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  async find(origins: readonly string[]): Promise<Map<string, RobotsRecord>> {
    try {
      const rows = await findRobotsFiles(this.#db, origins)
      return new Map(rows.map(({ origin, ...found }) => [origin, found]))
    } catch (err) {
      this.#log.warn({ err }, 'failed to load cached robots.txt files')
      return new Map()
    }
  }

  save(origin: string, { file, etag, last_modified, fresh_until }: RobotsRecord): void {
    if (origin.length > MAX_ORIGIN || (file?.chars ?? 0) + (file?.sitemaps.join('').length ?? 0) > MAX_CHARS) return
    this.#waiting.set(origin, { origin, file, etag, last_modified, fresh_until })
    if (this.#waiting.size >= FLUSH_ORIGINS) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Writes the pending files. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const rows = [...this.#waiting.values()]
    this.#waiting = new Map()
    if (rows.length === 0) return this.#writing
    this.#writing = this.#writing
      .then(() => saveRobotsFiles(this.#db, rows))
      .catch((err) => this.#log.warn({ err }, 'failed to store robots.txt files'))
    return this.#writing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flush()
  }
}
