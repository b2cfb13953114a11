import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createClientClass } from './client.ts'
import { connectionOptions, type Db } from './connect.ts'
import type { ServerConnection } from './embedded.ts'

/** Channel of NOTIFY, with the payload `workspace account`; sent by the transaction that stores findings of an account. */
const CHANNEL = 'bellwether_findings'

const TIMEOUT_MS = 5_000
/** How often the connection is checked, so that a dead one is replaced. */
const CHECK_MS = 30_000
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [500, 30_000]

type Finding = { workspace_id: string; account_id: string }
/** Null: notifications may have been missed, so any account may have new findings. */
type Listener = (finding: Finding | null) => void

/** Whether the database engine supports LISTEN and NOTIFY. */
export function canNotify(engine: string): boolean {
  return engine === 'postgres' || engine === 'citus'
}

/** Notifies every listening process when the transaction commits. */
export async function notifyFindings(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`${workspaceId} ${accountId}`})`.execute(db)
}

/**
 * Listens for accounts with new findings, stored by any process. Holds one dedicated connection while there are listeners. A
 * broken connection is replaced, and the listeners are then notified that they may have missed something.
 */
export class FindingsListener {
  readonly #connection: string | ServerConnection
  readonly #log: Logger
  readonly #listeners = new Set<Listener>()
  #stop: AbortController | null = null
  #listening = Promise.withResolvers<void>()

  constructor(connection: string | ServerConnection, log: Logger) {
    this.#connection = connection
    this.#log = log
  }

  /** Returns the function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (!this.#stop) {
      this.#stop = new AbortController()
      this.#listening = Promise.withResolvers()
      void this.#keepListening(this.#stop.signal)
    }
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.close()
    }
  }

  /** Resolves once LISTEN is active, or after a timeout: then the listeners are notified of a possible gap later. */
  async ready(): Promise<void> {
    if (!this.#stop) return
    const late = new AbortController()
    await Promise.race([
      this.#listening.promise,
      sleep(TIMEOUT_MS, undefined, { signal: late.signal, ref: false }).catch(() => {}),
    ])
    late.abort()
  }

  close(): void {
    this.#stop?.abort()
    this.#stop = null
  }

  async #keepListening(stop: AbortSignal): Promise<void> {
    let isFirst = true
    for (let wait = FIRST_WAIT_MS; !stop.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        await this.#listen(stop, () => {
          wait = FIRST_WAIT_MS
          if (!isFirst) this.#notify(null)
          isFirst = false
          this.#listening.resolve()
        })
      } catch (err) {
        this.#log.warn(
          { err, retry_ms: wait },
          'listening for new findings failed; agents are notified after the connection is restored',
        )
      }
      isFirst = false
      await sleep(wait, undefined, { signal: stop, ref: false }).catch(() => {})
    }
  }

  /** Listens until it is stopped. Throws when the connection breaks. */
  async #listen(stop: AbortSignal, begun: () => void): Promise<void> {
    const Client = createClientClass({ prepare: false, limitMs: TIMEOUT_MS })
    const client = new Client({
      ...connectionOptions(this.#connection, { usualMs: TIMEOUT_MS }),
      application_name: 'bellwether findings',
    })
    const over = Promise.withResolvers<void>()
    client.on('error', over.reject).on('end', over.resolve)
    client.on('notification', ({ payload = '' }) => {
      const [workspace_id = '', account_id = ''] = payload.split(' ')
      this.#notify({ workspace_id, account_id })
    })
    stop.addEventListener('abort', () => over.resolve(), { once: true })
    // Avoids an unhandled rejection when the connection breaks before the promise is awaited.
    over.promise.catch(() => {})
    let check: NodeJS.Timeout | undefined
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (stop.aborted) return
      begun()
      check = setInterval(() => client.query('select 1').catch(over.reject), CHECK_MS).unref()
      await over.promise
    } finally {
      clearInterval(check)
      await client.end().catch(() => {})
    }
  }

  #notify(finding: Finding | null): void {
    for (const listener of [...this.#listeners]) listener(finding)
  }
}
