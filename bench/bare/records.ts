import { createServer, type IncomingMessage } from 'node:http'
import type pg from 'pg'
import { FULL_COLUMNS, INSERT_ACCOUNTS } from '../../src/resources/accounts/store.ts'
import { PERSON_COLUMNS, PERSON_COMPUTED_SQL } from '../../src/resources/people/store.ts'
import { barePool } from './pool.ts'

/** The limit of bench/records.ts, in a separate process like the service: node:http, pg, and the statements of the service. */

const { connection, workspaceId } = JSON.parse(process.env.BARE as string) as {
  connection: pg.PoolConfig
  workspaceId: string
}
const pool = barePool(connection)

const ACCOUNT = {
  name: 'account',
  text: `select ${FULL_COLUMNS.join(', ')} from accounts where workspace_id = $1 and id = $2`,
}
const COMPUTED = Object.entries(PERSON_COMPUTED_SQL).map(([name, sql]) => `${sql} as ${name}`)
const PERSON = {
  name: 'person',
  text: `select ${[...PERSON_COLUMNS, ...COMPUTED].join(', ')}, email_source, title_history, found_source, found_url,
    array(select list_id::text from people_list_members as saved
      where saved.workspace_id = people.workspace_id and saved.person_id = people.id order by list_id) as list_ids
    from people where workspace_id = $1 and id = $2`,
}
const INSERT = { name: 'insert', text: INSERT_ACCOUNTS }
async function create(request: IncomingMessage): Promise<object> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const row = { id: crypto.randomUUID(), tags: [], ...JSON.parse(text) }
  const { rows } = await pool.query({ ...INSERT, values: [workspaceId, 'suggested', 'api', JSON.stringify([row])] })
  return { ...rows[0], created: true }
}

async function read(url: string): Promise<object> {
  const [, , resource, id] = url.split('/')
  const { rows } = await pool.query({ ...(resource === 'accounts' ? ACCOUNT : PERSON), values: [workspaceId, id] })
  return rows[0]
}

const server = createServer(async (request, response) => {
  const data = await (request.method === 'POST' ? create(request) : read(request.url ?? ''))
  response.statusCode = request.method === 'POST' ? 201 : 200
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ data }))
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
process.once('disconnect', () => process.exit())
