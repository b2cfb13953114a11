import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { clientClass } from './client.ts'
import { connectionOptions, type Db } from './connect.ts'
import type { ServerConnection } from './embedded.ts'

/** Told by the transaction that stored findings of an account, as `workspace account`. */
const CHANNEL = 'bellwether_findings'

const ANSWER_MS = 5_000
/** A connection that leads nowhere is noticed after so long, and what it ought to have brought comes with the next. */
const LOOK_MS = 30_000
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [500, 30_000]

type Finding = { workspace_id: string; account_id: string }
/** Null: something may have been missed, so whatever it is, it may have changed. */
type Hear = (finding: Finding | null) => void

/** Whether the engine carries notifications from one connection to another. */
export function canNotify(engine: string): boolean {
  return engine === 'postgres' || engine === 'citus'
}

/** Tells every process that listens, once the transaction is committed. */
export async function tellFindings(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`${workspaceId} ${accountId}`})`.execute(db)
}

/**
 * Hears which accounts have new findings, from whichever process stored them. One connection of its own, while somebody wants
 * to hear; one that breaks is replaced, and then everybody is told that they may have missed something.
 */
export class FindingsHeard {
  readonly #connection: string | ServerConnection
  readonly #log: Logger
  readonly #hearers = new Set<Hear>()
  #stop: AbortController | null = null
  #listening = Promise.withResolvers<void>()

  constructor(connection: string | ServerConnection, log: Logger) {
    this.#connection = connection
    this.#log = log
  }

  /** Answers how to stop hearing. */
  subscribe(hear: Hear): () => void {
    this.#hearers.add(hear)
    if (!this.#stop) {
      this.#stop = new AbortController()
      this.#listening = Promise.withResolvers()
      void this.#keepListening(this.#stop.signal)
    }
    return () => {
      if (this.#hearers.delete(hear) && this.#hearers.size === 0) this.close()
    }
  }

  /** Resolves once nothing is missed any more, or after a moment: whoever waits is told later that they may have missed something. */
  async ready(): Promise<void> {
    if (!this.#stop) return
    const late = new AbortController()
    await Promise.race([
      this.#listening.promise,
      sleep(ANSWER_MS, undefined, { signal: late.signal, ref: false }).catch(() => {}),
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
          if (!isFirst) this.#tell(null)
          isFirst = false
          this.#listening.resolve()
        })
      } catch (err) {
        this.#log.warn({ err, retry_ms: wait }, 'new findings are not heard of at the moment; agents are told later')
      }
      isFirst = false
      await sleep(wait, undefined, { signal: stop, ref: false }).catch(() => {})
    }
  }

  /** Until the connection breaks, which throws, or it is to stop. */
  async #listen(stop: AbortSignal, begun: () => void): Promise<void> {
    const Client = clientClass({ prepare: false, limitMs: ANSWER_MS })
    const client = new Client({
      ...connectionOptions(this.#connection, { usualMs: ANSWER_MS }),
      application_name: 'bellwether findings',
    })
    const over = Promise.withResolvers<void>()
    client.on('error', over.reject).on('end', over.resolve)
    client.on('notification', ({ payload = '' }) => {
      const [workspace_id = '', account_id = ''] = payload.split(' ')
      this.#tell({ workspace_id, account_id })
    })
    stop.addEventListener('abort', () => over.resolve(), { once: true })
    // Whoever comes too late to wait for it hears of it all the same, as a rejection would be nobody's.
    over.promise.catch(() => {})
    let look: NodeJS.Timeout | undefined
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (stop.aborted) return
      begun()
      look = setInterval(() => client.query('select 1').catch(over.reject), LOOK_MS).unref()
      await over.promise
    } finally {
      clearInterval(look)
      await client.end().catch(() => {})
    }
  }

  #tell(finding: Finding | null): void {
    for (const hear of [...this.#hearers]) hear(finding)
  }
}
