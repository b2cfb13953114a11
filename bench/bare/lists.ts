import { createServer } from 'node:http'
import pg from 'pg'

/**
 * The limit of bench/lists.ts, in a process of its own like the service: node:http and pg running the page query alone as a
 * prepared statement, without count and key. Which query is told by message, and answered when it is the one.
 */

export type BareQuery = { name: string; text: string; values: unknown[] }

const pool = new pg.Pool({
  ...(JSON.parse(process.env.BARE as string) as pg.PoolConfig),
  max: 10,
  types: { getTypeParser: ((oid: number) => (oid === 1184 ? String : pg.types.getTypeParser(oid))) as never },
})
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
