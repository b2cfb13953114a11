import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type pg from 'pg'
import { getQueryTimeout, withQueryTimeout } from './client.ts'
import type { Database } from './schema.ts'

const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/**
 * Sends single statements directly to the pool: Kysely's driver, executor and providers add a dozen promises to a short
 * query, which cost as much as the query. Transactions and streams still use Kysely's driver.
 */
export function sendQueriesToPool(db: Kysely<Database>, pool: pg.Pool): Kysely<Database> {
  const executor = db.getExecutor()
  const original = executor.executeQuery.bind(executor)
  let isInitialised = false
  const executeQuery: typeof executor.executeQuery = async <R>(
    query: CompiledQuery<R>,
    options?: Parameters<typeof original>[1],
  ) => {
    if (isInitialised && !options?.signal) return runQuery<R>(pool, query)
    // The first query initializes the driver: otherwise `db.destroy` would leave the pool open.
    const result = await original<R>(query, options)
    isInitialised = true
    return result
  }
  Object.assign(executor, { executeQuery })
  return db
}

async function runQuery<R>(pool: pg.Pool, { sql, parameters }: CompiledQuery<R>): Promise<QueryResult<R>> {
  try {
    const { command, rowCount, rows } = await send(pool, sql, parameters as unknown[])
    return COUNTED.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  } catch (error) {
    // The stack trace of the error ends at the socket; this one contains the caller.
    const { stack } = new Error()
    if (error instanceof Error) error.stack += stack?.slice(stack.indexOf('\n')) ?? ''
    throw error
  }
}

function send(pool: pg.Pool, sql: string, values: unknown[]): Promise<pg.QueryResult> {
  const limit = getQueryTimeout()
  return new Promise((resolve, reject) => {
    pool.connect((failure, client, release) => {
      if (failure || !client) return reject(failure)
      const query = () =>
        client.query(sql, values, (error, result) => {
          // The pool replaces a broken connection.
          release()
          if (error) reject(error)
          else resolve(result)
        })
      // The callback may run in the async context of the request that released the connection, with another timeout.
      if (getQueryTimeout() === limit) query()
      else withQueryTimeout(limit, query)
    })
  })
}
