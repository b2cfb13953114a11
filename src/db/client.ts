import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import Cursor from 'pg-cursor'

/** Begins a query whose best plan depends on its values: it is not prepared, so that it is planned with them. */
export const PLANNED_EACH_TIME = '/* planned each time */ '

/** Texts beyond this number are sent unprepared: a prepared statement holds memory in the server for each connection. */
const MAX_PREPARED = 300

/** Of the error a query ends with whose answer did not come in time; the SQLSTATE of a connection that failed. */
export const NO_ANSWER = '08006'

const limits = new AsyncLocalStorage<number | undefined>()

/** Lets each query of some work, such as a job's, take so many milliseconds instead of what is usual. */
export function withQueryLimit<T>(ms: number | undefined, work: () => T): T {
  return limits.run(ms, work)
}

/** What the work at hand has set, or nothing. */
export const queryLimit = (): number | undefined => limits.getStore()

type Callback = (error: Error | null, result?: pg.QueryResult) => void

/** Made as a whole: pg copies a configuration property by property, which takes longer than to send it. */
class NamedQuery extends pg.Query {
  constructor(name: string | undefined, text: string, values: unknown, callback: Callback) {
    super(text, values as unknown[])
    Object.assign(this, { name, callback })
  }
}

/** What of pg's connection is watched: it writes a request with one of these, and tells of the answer by events. */
type Wire = Record<'query' | 'flush' | 'sync' | 'end', (...values: unknown[]) => unknown> & {
  on: (event: string, listener: () => void) => void
  stream: { destroy: (error: Error) => void; destroyed: boolean }
}

type Options = { prepare: boolean; limitMs: number | null }

/**
 * A client that prepares every query with parameters under a name, so that the server parses and plans it once for each
 * connection: on a short query that is a third of the whole cost. Not so behind a pooler that does not carry prepared
 * statements from one connection to the next.
 *
 * Whatever it asks, be it a query, the next rows of a cursor or a COPY, must be answered in time. A connection on which
 * nothing comes is destroyed and never given out again: pg would only forget the query, and the next one would wait too.
 */
export function clientClass({ prepare, limitMs }: Options): typeof pg.Client {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    if (!prepare) return undefined
    const known = names.get(text)
    if (known || names.size >= MAX_PREPARED || text.startsWith(PLANNED_EACH_TIME)) return known
    const name = `q${names.size}`
    names.set(text, name)
    return name
  }

  return class extends pg.Client {
    readonly #wire = (this as unknown as { connection: Wire }).connection
    #limitMs = limitMs
    /** By when the answer that is waited for must have begun; null while none is. */
    #deadline: number | null = null
    #timer: NodeJS.Timeout | undefined
    #looksAt = 0

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      for (const request of ['query', 'flush', 'sync', 'end'] as const) {
        const send = this.#wire[request].bind(this.#wire)
        this.#wire[request] = (...values) => {
          this.#expectAnswer()
          return send(...values)
        }
      }
      for (const answer of ['readyForQuery', 'portalSuspended']) {
        this.#wire.on(answer, () => {
          this.#deadline = null
        })
      }
      this.#wire.on('end', () => {
        this.#deadline = null
        clearTimeout(this.#timer)
      })
    }

    /** One timer for many queries: it looks when the first of them would be late, and then when the last one would. */
    #expectAnswer(): void {
      if (this.#limitMs === null || this.#wire.stream.destroyed) return
      this.#deadline = performance.now() + this.#limitMs
      if (this.#timer && this.#looksAt <= this.#deadline) return
      clearTimeout(this.#timer)
      this.#lookIn(this.#limitMs)
    }

    #lookIn(ms: number): void {
      this.#looksAt = performance.now() + ms
      this.#timer = setTimeout(() => this.#look(), ms).unref()
    }

    #look(): void {
      this.#timer = undefined
      if (this.#deadline === null) return
      const left = this.#deadline - performance.now()
      if (left > 0) this.#lookIn(left)
      else {
        const error = new Error(`The database gave no answer within ${this.#limitMs} ms.`)
        this.#wire.stream.destroy(Object.assign(error, { code: NO_ANSWER }))
      }
    }

    // pg's own overloads cannot be restated here; the callers are Kysely, pg-pool and pool-query.ts, with (text, values).
    // biome-ignore lint/suspicious/noExplicitAny: see above
    override query(text: any, values?: any, callback?: any): any {
      this.#limitMs = queryLimit() ?? limitMs
      if (typeof text !== 'string') return super.query(text, values, callback)
      const name = Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      if (callback) return super.query(new NamedQuery(name, text, values, callback))
      return new Promise((resolve, reject) => {
        const settle: Callback = (error, result) => (error ? reject(error) : resolve(result as pg.QueryResult))
        super.query(new NamedQuery(name, text, values, settle))
      })
    }
  }
}

/** A cursor whose connection is gone is closed: pg's would wait for the server to say so. */
export class EndingCursor extends Cursor {
  // pg's own overload with a callback cannot be restated here; the caller is Kysely, without one.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  override close(callback?: any): any {
    const { connection } = this as unknown as { connection?: Wire }
    return connection?.stream.destroyed ? Promise.resolve() : super.close(callback)
  }
}
