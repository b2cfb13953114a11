// Every operation with valid and invalid input, in any order: the service responds as its OpenAPI
// document states, never with an internal error, and never with data of another workspace.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import { sql } from 'kysely'
import { inUrl, type Schema, valuesOf } from '../support/arbitrary.ts'
import { furnish, namedBy, readDocument } from '../support/furnished.ts'
import { testService } from '../support/service.ts'
import { fuzz } from './support.ts'
import { damaged, edits, PROSE } from './wild-texts.ts'

// Outbound requests of operations fail.
const service = await testService({ env: { OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:9' } })
const { operations, resolve } = readDocument()
type Operation = (typeof operations)[number]
const byName = new Map(operations.map((operation) => [operation.operationId, operation]))

/** Part of everything in the other workspace, and of nothing that is sent. */
const MARK = 'quagga'
const others = await furnish(service, { mark: MARK })
const unchanged = await rowsOf(others.workspaceId)

/** Operations that call third parties may return unavailable, which does not depend on the input. */
const CALLS_OUT = ['enrichAccount', 'syncPeople', 'connect']

// Records are referenced by index, not by id, so that a seed gives the same inputs in every run.
let world = await furnish(service)
const mine = Object.fromEntries(
  Object.entries(world.records).map(([path, ids]) => [path, ids.map((_, n) => nameOf('my', path, n))]),
)
const theirs = Object.entries(others.records).flatMap(([path, ids]) => ids.map((_, n) => nameOf('other', path, n)))
const known = [...Object.values(mine).flat(), ...theirs]

function nameOf(whose: 'my' | 'other', path: string, n: number): string {
  return `ref_${whose}_${path.replaceAll('/', '.')}_${n}_fer`
}

function withIds(text: string): string {
  return text.replaceAll(/ref_(my|other)_([\w.-]+?)_(\d+)_fer/g, (_, whose, path, n) => {
    const { records } = whose === 'my' ? world : others
    return records[path.replaceAll('.', '/')]?.[Number(n)] ?? 'none'
  })
}

type Payload = { text: string; type: string } | undefined
type Sent = { name: string; id: string; query: unknown; payload: Payload; headers: Record<string, string> }

const TYPES = fc.constantFrom(
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ],
  ...[
    'application/xml',
    'APPLICATION/JSON',
    'application/json, text/csv',
    ';',
    'application/',
    'text/csv',
    'application/x-ndjson',
  ],
)
const HUGE = [
  `"${'x'.repeat(1_200_000)}"`,
  '['.repeat(100_000),
  `{"a":${'{"a":'.repeat(20_000)}`,
  `[${'0,'.repeat(300_000)}0]`,
]

/** Mostly a JSON body; also broken JSON, another type than declared, or more than the limit. */
function payloadOf({ requestBody, method }: Operation): Arbitrary<Payload> {
  const content = requestBody?.content as Record<string, { schema: Schema; example?: unknown }> | undefined
  const json = content?.['application/json']
  const type = 'application/json'
  const foreign = fc.record({ text: fc.oneof(PROSE, fc.constantFrom('{}', '[]', '')), type: TYPES })
  const nothing = fc.constant(undefined)
  if (method === 'GET') return nothing
  if (!content) return fc.oneof({ arbitrary: nothing, weight: 6 }, foreign, fc.constant({ text: '{"a":1}', type }))
  if (!json) {
    const types = fc.constantFrom(...Object.keys(content))
    return fc.oneof(fc.record({ text: PROSE.map((text) => `domain\n${text}`), type: types }), foreign, nothing)
  }
  const value = valuesOf(json.schema, resolve, known).map((sent) => JSON.stringify(sent) ?? 'null')
  const broken = fc.tuple(value, edits()).map(([text, all]) => damaged(text, all).toWellFormed())
  const like = fc
    .tuple(fc.constant(JSON.stringify(json.example ?? {})), edits())
    .map(([text, all]) => damaged(text, all).toWellFormed())
  return fc.oneof(
    { arbitrary: value.map((text) => ({ text, type })), weight: 30 },
    { arbitrary: broken.map((text) => ({ text, type })), weight: 4 },
    { arbitrary: like.map((text) => ({ text, type })), weight: 4 },
    { arbitrary: foreign, weight: 2 },
    { arbitrary: fc.record({ text: value, type: TYPES }), weight: 2 },
    { arbitrary: nothing, weight: 1 },
    { arbitrary: fc.constantFrom(...HUGE).map((text) => ({ text, type })), weight: 1 },
  )
}

const HEADERS = fc.oneof(
  { arbitrary: fc.constantFrom({ accept: 'application/json' }, { accept: 'text/csv' }), weight: 8 },
  {
    arbitrary: fc.constantFrom<Record<string, string>>(
      { accept: ';;,,' },
      { accept: 'text/csv;q=0' },
      { 'idempotency-key': 'k' },
      { 'idempotency-key': 'x'.repeat(300) },
      { 'idempotency-key': '\xe9\xff' },
      { 'x-request-id': 'x'.repeat(5_000) },
      { 'x-forwarded-for': '::::, 1.2.3.4, \xff' },
      { 'content-encoding': 'gzip' },
      { 'if-none-match': '*', range: 'bytes=0-1', te: 'trailers' },
      { cookie: '='.repeat(4_000), origin: 'null', 'x-http-method-override': 'DELETE' },
    ),
    weight: 2,
  },
)

function requestOf(operation: Operation): Arbitrary<Sent> {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const fields = Object.fromEntries(query.map(({ name, schema }) => [name, schema]))
  const there = namedBy(operation.path, mine)
  return fc.record({
    name: fc.constant(operation.operationId),
    id: fc.oneof(
      { arbitrary: fc.constantFrom(...(there.length > 0 ? there : known)), weight: 6 },
      { arbitrary: fc.constantFrom(...theirs), weight: 2 },
      {
        arbitrary: valuesOf({ type: 'string' }, resolve, known).map((id) =>
          typeof id === 'string' ? id : JSON.stringify(id),
        ),
        weight: 1,
      },
    ),
    query: valuesOf({ type: 'object', properties: fields }, resolve, known),
    payload: payloadOf(operation),
    headers: HEADERS,
  })
}

const REQUESTS = fc.oneof(
  ...operations.map((operation) => ({
    arbitrary: requestOf(operation),
    weight: CALLS_OUT.includes(operation.operationId) ? 1 : 6,
  })),
)

const RENEWED_EVERY = 150
let sentSoFar = 0
const statuses = new Map<number, number>()
const walked = new Set<string>()

async function send({ name: operationId, id, query, payload, headers }: Sent): Promise<void> {
  const { method, path } = byName.get(operationId) as Operation
  // Deletions leave fewer and fewer records.
  if (++sentSoFar % RENEWED_EVERY === 0) world = await furnish(service)
  const given = Object.entries(query ?? {}).map(([name, value]) => `${inUrl(name)}=${inUrl(value)}`)
  const search = given.length > 0 ? `?${given.join('&')}` : ''
  const named = path.replace('{detection_id}', world.detection)
  const url = withIds(`${named.replace(/\{\w+\}/, () => inUrl(id).replace(/^\.+$/, '-'))}${search}`)
  const body = payload && { body: withIds(payload.text), headers: { 'content-type': payload.type, ...headers } }
  const { status, error, text } = await world.client.send(method, url, undefined, body ?? { headers })
  const said = () => `${method} ${url} ${status}: ${text.slice(0, 2_000)}`
  if (status >= 500) assert.ok(error?.code === 'unavailable' && CALLS_OUT.includes(operationId), said())
  if (status >= 400) assert.ok(error?.code && error.message && error.request_id, said())
  assert.ok(!text.toLowerCase().includes(MARK), `of another workspace: ${said()}`)
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  walked.add(operationId)
}

fuzz(
  'no input makes the service fail, every answer is as documented, nothing of others is in it',
  { share: 0.6, least: 500 },
  fc.asyncProperty(REQUESTS, send),
  () =>
    `; ${walked.size} of ${operations.length} operations; ${[...statuses]
      .sort()
      .map(([status, n]) => `${n} × ${status}`)
      .join(', ')}`,
)

test('the other workspace is unchanged, and the service is up', async () => {
  assert.deepEqual(await rowsOf(others.workspaceId), unchanged)
  assert.equal((await service.as(null).get('/readyz')).status, 200)
})

/** A digest of every row of a workspace, by table. */
async function rowsOf(workspaceId: string): Promise<Record<string, string>> {
  const { db } = service.deps
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'workspace_id' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const digests: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      digest: string
    }>`select coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as digest
      from ${sql.table(name)} t where workspace_id = ${workspaceId}`.execute(db)
    digests[name] = rows[0]?.digest ?? ''
  }
  return digests
}
