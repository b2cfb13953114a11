import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import Cursor from 'pg-cursor'

/** Prefix of a query whose best plan depends on its values: it is not prepared, so that PostgreSQL plans it with them. */
export const UNPREPARED = '/* planned each time */ '

/** Further query texts are sent unprepared: a prepared statement uses server memory in every connection. */
const MAX_PREPARED = 300

/** Code of the error of a query that timed out: the SQLSTATE connection_failure. */
export const QUERY_TIMEOUT_CODE = '08006'

const limits = new AsyncLocalStorage<number | undefined>()

/** Sets the query timeout for all queries of an operation, such as a job, instead of the default. */
export function withQueryTimeout<T>(ms: number | undefined, work: () => T): T {
  return limits.run(ms, work)
}

/** The query timeout of the current async context, if one is set. */
export const getQueryTimeout = (): number | undefined => limits.getStore()

type Callback = (error: Error | null, result?: pg.QueryResult) => void

/** Avoids pg's copying of a query configuration property by property, which takes longer than sending the query. */
class NamedQuery extends pg.Query {
  constructor(name: string | undefined, text: string, values: unknown, callback: Callback) {
    super(text, values as unknown[])
    Object.assign(this, { name, callback })
  }
}

/** The part of pg's connection that is observed: it sends requests with these methods and reports responses by events. */
type Wire = Record<'query' | 'flush' | 'sync' | 'end', (...values: unknown[]) => unknown> & {
  on: (event: string, listener: () => void) => void
  stream: { destroy: (error: Error) => void; destroyed: boolean }
}

type Options = { prepare: boolean; limitMs: number | null }

/**
 * A client that prepares every query with parameters under a name, so that the server parses and plans it once per
 * connection, which is a third of the cost of a short query. `prepare: false` is for poolers without prepared statements.
 *
 * Every request, whether a query, a cursor fetch or a COPY, has a timeout, after which the connection is destroyed and not
 * reused: pg would only drop the query, and the next query would wait on the same connection.
 */
export function createClientClass({ prepare, limitMs }: Options): typeof pg.Client {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    if (!prepare) return undefined
    const known = names.get(text)
    if (known || names.size >= MAX_PREPARED || text.startsWith(UNPREPARED)) return known
    const name = `q${names.size}`
    names.set(text, name)
    return name
  }

  return class extends pg.Client {
    readonly #wire = (this as unknown as { connection: Wire }).connection
    #limitMs = limitMs
    /** When the response to the current request must have arrived; null while no request is pending. */
    #deadline: number | null = null
    #timer: NodeJS.Timeout | undefined
    #checksAt = 0

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      for (const request of ['query', 'flush', 'sync', 'end'] as const) {
        const send = this.#wire[request].bind(this.#wire)
        this.#wire[request] = (...values) => {
          this.#startTimeout()
          return send(...values)
        }
      }
      for (const response of ['readyForQuery', 'portalSuspended']) {
        this.#wire.on(response, () => {
          this.#deadline = null
        })
      }
      this.#wire.on('end', () => {
        this.#deadline = null
        clearTimeout(this.#timer)
      })
    }

    /** One timer serves many queries: when it fires early, it is set again for the current deadline. */
    #startTimeout(): void {
      if (this.#limitMs === null || this.#wire.stream.destroyed) return
      this.#deadline = performance.now() + this.#limitMs
      if (this.#timer && this.#checksAt <= this.#deadline) return
      clearTimeout(this.#timer)
      this.#checkIn(this.#limitMs)
    }

    #checkIn(ms: number): void {
      this.#checksAt = performance.now() + ms
      this.#timer = setTimeout(() => this.#checkDeadline(), ms).unref()
    }

    #checkDeadline(): void {
      this.#timer = undefined
      if (this.#deadline === null) return
      const left = this.#deadline - performance.now()
      if (left > 0) this.#checkIn(left)
      // Responses that arrived while this process was busy are read before an immediate.
      else setImmediate(() => this.#endIfOverdue())
    }

    #endIfOverdue(): void {
      if (this.#deadline === null) return
      if (this.#deadline > performance.now()) {
        if (!this.#timer) this.#checkIn(this.#deadline - performance.now())
        return
      }
      const error = new Error(`The database did not respond within ${this.#limitMs} ms.`)
      this.#wire.stream.destroy(Object.assign(error, { code: QUERY_TIMEOUT_CODE }))
    }

    // The overloads of pg cannot be declared here; the callers are Kysely, pg-pool and pool-query.ts, with (text, values).
    // biome-ignore lint/suspicious/noExplicitAny: see above
    override query(text: any, values?: any, callback?: any): any {
      this.#limitMs = getQueryTimeout() ?? limitMs
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

/** A cursor that closes at once when its connection is destroyed: pg's cursor would wait for a message of the server. */
export class DisconnectSafeCursor extends Cursor {
  // The overload of pg with a callback cannot be declared here; the only caller, Kysely, passes none.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  override close(callback?: any): any {
    const { connection } = this as unknown as { connection?: Wire }
    return connection?.stream.destroyed ? Promise.resolve() : super.close(callback)
  }
}
