import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { saveMcpUse } from '../resources/integrations/mcp-use-store.ts'

const EVERY_MS = 60_000
/** Then all are forgotten, and each is written once more. */
const MAX_REMEMBERED = 10_000

/** Keeps when agents last called for each workspace, and writes it once a minute at most. No call waits or fails for it. */
export class LastUseRecorder {
  readonly #db: Db
  readonly #log: Logger
  readonly #written = new Map<string, number>()

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  record(workspaceId: string, now = performance.now()): void {
    const last = this.#written.get(workspaceId)
    if (last !== undefined && now - last < EVERY_MS) return
    if (this.#written.size >= MAX_REMEMBERED) this.#written.clear()
    this.#written.set(workspaceId, now)
    saveMcpUse(this.#db, workspaceId).catch((err) => {
      this.#written.delete(workspaceId)
      this.#log.warn({ err }, 'when agents last called could not be kept')
    })
  }
}
