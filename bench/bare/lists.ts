import { createServer } from 'node:http'
import type pg from 'pg'
import { barePool } from './pool.ts'

/**
 * The limit of bench/lists.ts, in a separate process like the service: node:http and pg running only the page query as a
 * prepared statement, without count and key. A message sets the query, and is acknowledged.
 */

export type BareQuery = { name: string; text: string; values: unknown[] }

const pool = barePool(JSON.parse(process.env.BARE as string) as pg.PoolConfig)
let query: BareQuery
process.on('message', (next: BareQuery) => {
  query = next
  process.send?.('taken')
})
const server = createServer(async (_request, response) => {
  const { rows } = await pool.query(query)
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ data: rows }))
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
process.once('disconnect', () => process.exit())
