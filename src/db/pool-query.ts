import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type pg from 'pg'
import { queryLimit, withQueryLimit } from './client.ts'
import type { Database } from './schema.ts'

const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/**
 * Sends single statements straight to the pool: by Kysely's own way, through its driver, executor and providers, a short query
 * passes a dozen promises, which cost as much as the query itself. Transactions and streams go its way.
 */
export function queryingPool(db: Kysely<Database>, pool: pg.Pool): Kysely<Database> {
  const executor = db.getExecutor()
  const usual = executor.executeQuery.bind(executor)
  let isInitialised = false
  const executeQuery: typeof executor.executeQuery = async <R>(
    query: CompiledQuery<R>,
    options?: Parameters<typeof usual>[1],
  ) => {
    if (isInitialised && !options?.signal) return ask<R>(pool, query)
    // The first brings the driver into being: otherwise `db.destroy` would take the pool for unused, and leave it open.
    const result = await usual<R>(query, options)
    isInitialised = true
    return result
  }
  Object.assign(executor, { executeQuery })
  return db
}

async function ask<R>(pool: pg.Pool, { sql, parameters }: CompiledQuery<R>): Promise<QueryResult<R>> {
  try {
    const { command, rowCount, rows } = await send(pool, sql, parameters as unknown[])
    return COUNTED.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  } catch (error) {
    // Its own trace ends at the socket; this one leads to whoever asked.
    const { stack } = new Error()
    if (error instanceof Error) error.stack += stack?.slice(stack.indexOf('\n')) ?? ''
    throw error
  }
}

function send(pool: pg.Pool, sql: string, values: unknown[]): Promise<pg.QueryResult> {
  const limit = queryLimit()
  return new Promise((resolve, reject) => {
    pool.connect((failure, client, release) => {
      if (failure || !client) return reject(failure)
      const query = () =>
        client.query(sql, values, (error, result) => {
          // One that is broken is replaced by the pool itself.
          release()
          if (error) reject(error)
          else resolve(result)
        })
      // Whoever gave the connection back may be at other work, with a limit of its own.
      if (queryLimit() === limit) query()
      else withQueryLimit(limit, query)
    })
  })
}
