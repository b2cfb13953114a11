import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOOLS } from '../src/mcp/tools/index.ts'
import type { Answer, Client } from './support/client.ts'
import { scene } from './support/scene.ts'
import { testService } from './support/service.ts'

/** Requests that are answered without the SDK: they must get the SDK's responses, and the checks of the API. */
const service = await testService()

const PREFIX = 'io.modelcontextprotocol'
const ENVELOPE = {
  [`${PREFIX}/protocolVersion`]: '2026-07-28',
  [`${PREFIX}/clientCapabilities`]: {},
  [`${PREFIX}/clientInfo`]: { name: 'test', version: '1.0.0' },
}
type Params = { name?: string; arguments?: unknown }
type Given = {
  id?: unknown
  meta?: object
  headers?: Record<string, string>
  member?: object
  verb?: 'POST' | 'DELETE'
}

function rpc(client: Client, method: string, params: Params, given: Given = {}): Promise<Answer> {
  const { id = 1, meta = {}, headers = {}, member = {}, verb = 'POST' } = given
  const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...ENVELOPE, ...meta } }, ...member }
  return client.send(verb, '/mcp', body, {
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name ? { 'mcp-name': params.name } : {}),
      ...headers,
    },
  })
}

const call = (client: Client, name: string, args: unknown, given?: Given) =>
  rpc(client, 'tools/call', { name, arguments: args }, given)

/** What a response says, without times, which differ between two requests. */
const said = ({ status, text, headers }: Answer) => ({
  ...{ status, type: headers.get('content-type') },
  body: JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')),
})

/** A field that is not of the protocol leaves the request to the SDK, and changes nothing else. */
const BY_SDK = { meta: { 'example.org/trace': 1 } }

test('a request that is answered directly gets the response of the SDK', async () => {
  await scene(service, {
    accounts: ['direct.example'],
    owner: { client: service.admin, workspaceId: service.workspaceId },
  })
  const { admin } = service
  for (const id of [7, 'seven', '"}']) {
    const listed = await rpc(admin, 'tools/list', {}, { id })
    assert.deepEqual(said(listed), said(await rpc(admin, 'tools/list', {}, { id, ...BY_SDK })))
    assert.deepEqual([listed.body.id, listed.body.result.tools.length], [id, TOOLS.length])
  }
  for (const { name, annotations, input } of TOOLS) {
    const [field = ''] = Object.keys(input.properties)
    for (const args of [{ [field]: { wrong: true } }, ...(annotations.readOnlyHint ? [{}, undefined] : [])]) {
      const [direct, bySdk] = [await call(admin, name, args), await call(admin, name, args, BY_SDK)]
      assert.deepEqual(said(direct), said(bySdk), name)
    }
    const wrong = await call(admin, name, { [field]: { wrong: true } })
    assert.equal(wrong.body.result.isError, true, name)
  }
})

test('a request that is not valid is refused, also after a valid one with the same envelope', async () => {
  const { admin } = service
  const search = (given: Given, args: unknown = {}) => call(admin, 'search_accounts', args, given)
  assert.ok((await search({})).body.result.structuredContent)
  const refusals: [Answer, number, number][] = [
    [await search({ meta: { [`${PREFIX}/clientCapabilities`]: undefined } }), 400, -32602],
    [await search({ meta: { [`${PREFIX}/clientInfo`]: 5 } }), 400, -32602],
    [await search({ meta: { [`${PREFIX}/protocolVersion`]: '2027-01-01' } }), 400, -32020],
    [await search({ headers: { 'mcp-protocol-version': '2025-11-25' } }), 400, -32020],
    [await search({ headers: { 'mcp-method': 'tools/list' } }), 400, -32020],
    [await search({ headers: { 'mcp-name': 'push' } }), 400, -32020],
    [await search({ id: 1.5 }), 400, -32600],
    [await search({ member: { jsonrpc: '1.0' } }), 400, -32600],
    [await search({}, []), 200, -32602],
    [await search({}, 'text'), 200, -32602],
    [await call(admin, 'no_such_tool', {}), 200, -32602],
  ]
  for (const [at, [{ status, body }, wanted, code]] of refusals.entries())
    assert.deepEqual([status, body.error?.code], [wanted, code], `${at}: ${JSON.stringify(body)}`)
  assert.notEqual((await search({ verb: 'DELETE' })).body?.result?.resultType, 'complete')
})

test('a tool is refused as the API refuses its calls, and its changes are in the audit log', async () => {
  const { admin } = service
  const reader = await service.member({}, { read_only: true })
  const body = { name: 'Made by a tool', domain: 'made-by-a-tool.example' }
  const refused = await reader.client.post('/v1/accounts', body)
  const { result } = (await call(reader.client, 'add_accounts', { accounts: [body] })).body
  assert.equal(result.isError, true)
  assert.ok(result.content[0].text.startsWith(refused.error.message), result.content[0].text)
  const added = (await call(admin, 'add_accounts', { accounts: [body] })).body.result.structuredContent.accounts[0]
  const entries = await admin.expect(200, 'GET', '/v1/audit?action=createAccounts')
  assert.deepEqual(
    entries.slice(0, 3).map(({ actor, outcome, status }: Answer['data']) => [actor, outcome, status]),
    [
      ['agent', 'ok', 201],
      ['agent', 'refused', 403],
      ['key', 'refused', 403],
    ],
  )
  const { client: stranger } = await service.stranger()
  const [theirs, missing] = [await stranger.get(`/v1/accounts/${added.id}`), await read(stranger, added.id)]
  assert.equal(theirs.status, 404)
  assert.ok(missing.isError && missing.content[0].text.startsWith(theirs.error.message), missing.content[0].text)
  assert.equal((await read(admin, added.id)).structuredContent.account.id, added.id)
})

const read = async (client: Client, account: string) => (await call(client, 'read_account', { account })).body.result

test('a tool and every call that it makes are counted by the rate limit', async () => {
  const limited = await testService({ env: { RATE_LIMIT_PER_MINUTE: '8' } })
  const { client } = await limited.stranger()
  const id = crypto.randomUUID()
  // No call, one call, and four calls.
  await call(client, 'search_accounts', { limit: 'many' })
  await call(client, 'search_accounts', {})
  assert.match((await read(client, id)).content[0].text, /not_found/)
  assert.match((await client.get('/v1/me')).headers.get('ratelimit') ?? '', /r=1;/)
  const { isError, content } = await read(client, id)
  assert.equal(isError, true)
  assert.match(content[0].text, /More than 8 requests in a minute.*\(rate_limited, request/s)
  const refused = await client.get('/v1/me')
  assert.equal(refused.status, 429)
  for (const { name } of TOOLS) {
    const { status, error } = await call(client, name, {})
    assert.deepEqual([status, error?.code], [429, refused.error.code], name)
  }
})
