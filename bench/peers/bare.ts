import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { Pool } from 'undici'
import { LIST_COLUMNS } from '../../src/resources/accounts/store.ts'

/**
 * The limit: the best a service can do that turns requests into SQL and returns the JSON of PostgreSQL. No key,
 * no validation, no log and no totals; statements are prepared. In a separate process:
 * `node bench/peers/bare.ts <port> <connection as JSON> <workspace> <receiver's port>`.
 */

const [port, connection, workspaceId, receiver] = process.argv.slice(2) as [string, string, string, string]
const pool = new pg.Pool({ ...JSON.parse(connection), max: 10 })
const hooks = new Pool(`http://127.0.0.1:${receiver}`, { connections: 64 })
const columns = LIST_COLUMNS.join(', ')

const FILTERS: Record<string, string> = {
  status: 'status = $2',
  min_score: 'score >= $2::int',
  search: "search_text like '%' || $2 || '%'",
}

async function list(query: URLSearchParams): Promise<string> {
  const [name, value] = [...query].find(([key]) => FILTERS[key]) ?? ['', '']
  const where = `workspace_id = $1 ${name && `and ${FILTERS[name]}`}`
  const text = `select json_agg(page)::text as data from
    (select ${columns} from accounts where ${where} order by score desc, id desc limit 50) as page`
  const { rows } = await pool.query({ name: `list ${name}`, text, values: [workspaceId, ...(name ? [value] : [])] })
  return `{"data":${rows[0].data}}`
}

async function one(id: string): Promise<string> {
  const text = `select row_to_json(accounts)::text as data from accounts where workspace_id = $1 and id = $2`
  const { rows } = await pool.query({ name: 'one', text, values: [workspaceId, id] })
  return `{"data":${rows[0].data}}`
}

type Given = { name: string; domain: string }

async function create(given: Given | Given[], isSent: boolean): Promise<string> {
  const text = `insert into accounts (workspace_id, id, name, domain, status, source)
    select $1, gen_random_uuid(), name, domain, 'suggested', 'api' from json_to_recordset($2::json) as given (name text, domain text)
    returning row_to_json(accounts)::text as data`
  const values = [workspaceId, JSON.stringify([given].flat())]
  const { rows } = await pool.query<{ data: string }>({ name: 'create', text, values })
  if (isSent) await Promise.all(rows.map(({ data }) => send(data)))
  return `{"data":[${rows.map(({ data }) => data)}]}`
}

async function send(body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await hooks.request({ path: '/hook', method: 'POST', headers, body })
  await answer.body.dump()
}

async function bodyOf(request: IncomingMessage): Promise<Given | Given[]> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bare')
  const answer =
    request.method === 'POST'
      ? create(await bodyOf(request), searchParams.has('send'))
      : pathname === '/accounts'
        ? list(searchParams)
        : one(pathname.slice('/accounts/'.length))
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(await answer)
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
