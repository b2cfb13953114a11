import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { saveMcpUse } from '../resources/integrations/mcp-use-store.ts'

const EVERY_MS = 60_000
/** At this size the map is cleared, and every workspace is written once more. */
const MAX_REMEMBERED = 10_000

/** Records when an agent last called for each workspace, at most once a minute. A failed write does not fail the call. */
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
      this.#log.warn({ err }, 'could not record the last use of MCP')
    })
  }
}
