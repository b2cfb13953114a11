import { createServer } from 'node:http'
import pg from 'pg'
import { isoTimestamp } from '../src/db/columns.ts'
import { load } from './measure.ts'
import { isQuick, median, report } from './results.ts'
import { startBenchService } from './support.ts'

/** `GET /v1/knowledge-base` with 20 sections, compared with a bare node:http + pg handler that sends the same bytes. */

const SECONDS = isQuick ? 1 : 6
const CONNECTIONS = 32
const ROUNDS = 3

await using service = await startBenchService()
const { address, key, connection, workspaceId } = service
for (let n = 0; n < 20; n++) {
  await fetch(`${address}/v1/knowledge-base`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: `Section ${n}`, content_md: `- point\n`.repeat(20), type: 'product' }),
  })
}

const pool = new pg.Pool({ ...connection, max: 10, types: { getTypeParser: (() => String) as never } })
const SQL =
  'select id, type, title, content_md, source_url, is_ai_generated, drawn_from, position, created_at from knowledge_sections where workspace_id = $1 order by position, id'
const expected = await (
  await fetch(`${address}/v1/knowledge-base`, { headers: { authorization: `Bearer ${key}` } })
).text()
const bare = createServer(async (_request, response) => {
  const { rows } = await pool.query(SQL, [workspaceId])
  const data = rows.map((row) => ({
    ...row,
    is_ai_generated: row.is_ai_generated === 't',
    drawn_from: JSON.parse(row.drawn_from),
    position: Number(row.position),
    created_at: isoTimestamp(row.created_at),
  }))
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ data }))
}).listen(0, '127.0.0.1')
await new Promise((resolve) => bare.once('listening', resolve))
const bareUrl = `http://127.0.0.1:${(bare.address() as { port: number }).port}/`
if ((await (await fetch(bareUrl)).text()) !== expected) throw new Error('the two handlers do not send the same bytes')

async function rate(url: string, headers: Record<string, string>): Promise<number> {
  return (await load({ url, headers, connections: CONNECTIONS, duration: SECONDS })).rate
}

const rates: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
// Alternating, so that a slow moment of the machine affects both; the first of each is a warm-up.
for (let round = 0; round <= ROUNDS; round++) {
  rates.limit.push(await rate(bareUrl, {}))
  rates.ours.push(await rate(`${address}/v1/knowledge-base`, { authorization: `Bearer ${key}` }))
}
rates.limit.shift()
rates.ours.shift()
report({
  path: 'knowledge base of 20 sections',
  ours: median(rates.ours),
  unit: 'req/s',
  limit: median(rates.limit),
  aim: 0.7,
})
bare.close()
await pool.end()
