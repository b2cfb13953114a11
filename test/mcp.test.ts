import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { ConcurrencyQuota } from '../src/mcp/concurrency-quota.ts'
import { readContext } from '../src/research/context.ts'
import type { Finding } from '../src/research/detector.ts'
import { redactAndIngest } from '../src/research/ingest.ts'
import { eventually } from './support/eventually.ts'
import { connectMcp, serverWithProbes } from './support/mcp-client.ts'
import { run } from './support/process.ts'
import { type Scene, scene } from './support/scene.ts'
import { ADMIN_KEY, type TestService, testService } from './support/service.ts'

const BIN = fileURLToPath(new URL('../bin/bellwether.js', import.meta.url))
const waits = new EventEmitter<{ begun: []; given_up: [] }>()
const service = await testService({ mcp: serverWithProbes(waits) })
const { address } = service

type Content = { content: unknown }
const textOf = ({ content }: Content) => (content as { text: string }[])[0]?.text ?? ''
const call = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args })
const uriOf = (id: string | undefined) => `bellwether://accounts/${id}`

const today = new Date().toISOString().slice(0, 10)
const round = (path: string, quote: string): Finding => ({
  ...{ signal_id: 'funding', quote, claim: quote, confidence: 0.9, details: null, judged_by: 'f3a91c2b7d04' },
  ...{ source_url: `https://acme.example/${path}`, published_date: today, date: today },
})

/** Stores a finding as a scan does. */
async function find(
  { deps }: TestService,
  { workspaceId }: Pick<Scene, 'workspaceId'>,
  account_id: string | undefined,
  quote: string,
) {
  const target = { workspace_id: workspaceId, account_id: account_id as string, run_id: null }
  const context = await readContext(deps, workspaceId)
  const discovered = { findings: [round(quote.slice(-5), quote)] }
  await redactAndIngest(deps, context, target, discovered, 'detections')
}

/** The updates that a client receives, in order. */
function updatesOf(client: Client) {
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
  return heard
}

for (const era of ['modern', 'legacy'] as const) {
  test(`the official client lists and calls tools with the rights and limits of its key (${era})`, async () => {
    const { client: api, accounts } = await scene(service, { accounts: ['acme.example', 'globex.example'] })
    const client = await connectMcp(address, api.key as string, era)
    assert.equal(client.getServerVersion()?.name, 'bellwether')
    const { tools } = await client.listTools()
    assert.ok(tools.some(({ name }) => name === 'probe_accounts'))
    assert.deepEqual(JSON.parse(textOf(await call(client, 'probe_accounts', { search: 'glob' }))), {
      names: ['globex'],
      total: 1,
    })
    assert.equal(
      textOf(await call(client, 'probe_rename', { account_id: accounts[0]?.id, name: 'Acme AS' })),
      'Acme AS',
    )

    // Errors reach the model as tool errors, so that it can correct the call.
    const wrong = await call(client, 'probe_accounts', { per_page: 'many' })
    assert.ok(wrong.isError)
    assert.match(textOf(wrong), /per_page/)
    const unstorable = await call(client, 'probe_rename', { account_id: accounts[0]?.id, name: 'a\0b' })
    assert.ok(unstorable.isError)
    assert.match(textOf(unstorable), /name/)
    const reader = await connectMcp(address, (await service.member({}, { read_only: true })).key, era)
    const refused = await call(reader, 'probe_rename', { account_id: accounts[0]?.id, name: 'Mine' })
    assert.ok(refused.isError)
    assert.match(textOf(refused), /may only read/)
    await Promise.all([client.close(), reader.close()])
  })
}

const DISCOVER = {
  ...{ jsonrpc: '2.0', id: 1, method: 'server/discover' },
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}
const MCP = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'server/discover',
}

test('a caller without a valid key gets the resource metadata, and a session cookie is not accepted', async () => {
  const metadata = `${address}/.well-known/oauth-protected-resource/mcp`
  const none = await service.as(null).post('/mcp', DISCOVER, { headers: MCP })
  assert.equal(none.status, 401)
  assert.equal(none.headers.get('www-authenticate'), `Bearer resource_metadata="${metadata}"`)
  const wrong = await service.as('bw_wrong').post('/mcp', DISCOVER, { headers: MCP })
  assert.equal(wrong.status, 401)
  assert.equal(wrong.headers.get('www-authenticate'), `Bearer error="invalid_token", resource_metadata="${metadata}"`)
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    assert.deepEqual((await service.as(null).get(path)).body, {
      resource: `${address}/mcp`,
      resource_name: 'Bellwether',
      bearer_methods_supported: ['header'],
      resource_documentation: `${address}/docs`,
    })
  }
  const signedIn = await service.as(null).post('/v1/sessions', { key: ADMIN_KEY })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  assert.equal((await service.as(null).get('/v1/me', { headers: { cookie } })).status, 200)
  assert.equal((await service.as(null).post('/mcp', DISCOVER, { headers: { ...MCP, cookie } })).status, 401)
  // A page of another origin is rejected even with a valid key.
  const elsewhere = await service.admin.post('/mcp', DISCOVER, {
    headers: { ...MCP, origin: 'https://elsewhere.example' },
  })
  assert.deepEqual([elsewhere.status, elsewhere.error.code], [403, 'forbidden'])
  const here = await service.admin.post('/mcp', DISCOVER, { headers: { ...MCP, origin: address } })
  assert.equal(here.status, 200)
  assert.equal(here.headers.get('x-content-type-options'), 'nosniff')
})

test('a call counts as many requests as it makes API calls, for the key and the address of the caller', async () => {
  const limited = await testService({ env: { RATE_LIMIT_PER_MINUTE: '4' }, mcp: serverWithProbes() })
  const client = await connectMcp(limited.address, ADMIN_KEY)
  assert.equal((await call(client, 'probe_accounts')).isError, undefined)
  assert.equal((await call(client, 'probe_accounts')).isError, undefined)
  // Discovery and two calls leave one request for this key.
  const last = await limited.admin.get('/v1/me')
  assert.match(last.headers.get('ratelimit') ?? '', /r=0/)
  await assert.rejects(call(client, 'probe_accounts'), /429|More than 4 requests/)
  // Wrong keys count for the address, not for the process.
  for (let guess = 0; guess < 5; guess++) await limited.as(`bw_guess-${guess}`).post('/mcp', DISCOVER, { headers: MCP })
  const { status } = await limited.as(null).get('/v1/me')
  assert.equal(status, 429)
})

test('every call is rate limited, also one that the API rejects before authentication, and each one of a batch', async () => {
  const limited = await testService({ env: { RATE_LIMIT_PER_MINUTE: '20' }, mcp: serverWithProbes() })
  const rpc = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params })
  const send = (body: object) =>
    limited.admin.post('/mcp', body, { headers: { ...MCP, 'mcp-protocol-version': '2025-03-26' } })
  const left = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  const tooLong = { name: 'probe_accounts', arguments: { search: 'x'.repeat(9_000) } }
  for (const expected of [19, 18, 17]) assert.equal(left(await send(rpc(1, 'tools/call', tooLong))), expected)
  const ping = (count: number) => Array.from({ length: count }, (_, id) => rpc(id, 'ping', {}))
  const several = await send(ping(10))
  assert.deepEqual([several.status, left(several)], [200, 7])
  assert.equal((await send(ping(10))).status, 429)
  const { status } = await service.admin.post('/mcp', ping(51), { headers: MCP })
  assert.equal(status, 429)
})

test('GET /v1/integrations reports whether MCP is enabled, its URL and its last use', async () => {
  const { client: api } = await service.stranger()
  const before = await api.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(before.mcp, { enabled: true, url: `${address}/mcp`, last_used_at: null })
  const client = await connectMcp(address, api.key as string)
  await eventually('the use was recorded', async () => {
    const { mcp } = await api.expect(200, 'GET', '/v1/integrations')
    return Date.now() - Date.parse(mcp.last_used_at) < 60_000
  })
  await client.close()

  const off = await testService({ env: { MCP_ENABLED: 'false' } })
  const { mcp } = await off.admin.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(mcp, { enabled: false, url: null, last_used_at: null })
  const { status, error } = await off.admin.post('/mcp', DISCOVER, { headers: MCP })
  assert.deepEqual([status, error.code], [404, 'not_found'])
  assert.match(error.message, /MCP_ENABLED/)
  assert.equal((await off.admin.get('/.well-known/oauth-protected-resource/mcp')).status, 404)
})

test('a client that disconnects during a scan ends the wait, and the scan continues', async () => {
  const { client: api, ids } = await scene(service, { accounts: ['midway.example'] })
  const client = await connectMcp(address, api.key as string)
  const seen = Promise.withResolvers<string>()
  const gone = new AbortController()
  const waiting = client.callTool(
    { name: 'probe_scan', arguments: { account_id: ids[0] } },
    { signal: gone.signal, onprogress: ({ message = '' }) => seen.resolve(message) },
  )
  const runId = await seen.promise
  const givenUp = once(waits, 'given_up')
  gone.abort()
  await assert.rejects(waiting)
  await givenUp

  // The same before the first response.
  const [begun, givenUpAgain] = [once(waits, 'begun'), once(waits, 'given_up')]
  const goneAgain = new AbortController()
  const silent = client.callTool(
    { name: 'probe_scan', arguments: { account_id: ids[0] } },
    { signal: goneAgain.signal },
  )
  await begun
  goneAgain.abort()
  await assert.rejects(silent)
  await givenUpAgain
  assert.equal((await api.expect(200, 'GET', `/v1/runs/${runId}`)).status, 'running')
  await client.close()
})

test('subscribers in the workspace of a finding are notified, whichever process stored it, and no others', async () => {
  const other = await testService({ databaseUrl: service.databaseUrl, api: false })
  const mine = await scene(service, { accounts: ['heard.example', 'silent.example'] })
  const theirs = await service.stranger()
  const [heardOf, silent] = mine.ids
  const client = await connectMcp(address, mine.client.key as string)
  const stranger = await connectMcp(address, theirs.key)
  const [heard, overheard] = [updatesOf(client), updatesOf(stranger)]
  const filter = { resourceSubscriptions: [uriOf(heardOf)] }
  const listening = await client.listen(filter)
  assert.deepEqual(listening.honoredFilter, filter)
  await stranger.listen(filter)
  // By domain or name, as in resource URIs and their completions.
  const byName = await connectMcp(address, mine.client.key as string)
  const [heardByName, names] = [updatesOf(byName), [uriOf('HEARD.example'), uriOf('Heard')]]
  await byName.listen({ resourceSubscriptions: [...names, uriOf('silence.example'), uriOf('%')] })
  await find(other, mine, silent, 'Silent raised $10 million.')
  await find(other, mine, heardOf, 'Heard raised $40 million.')
  await eventually('the update', () => heard.length > 0)
  assert.deepEqual(heard, [uriOf(heardOf)])
  assert.deepEqual(overheard, [])
  await eventually('the updates by name', () => heardByName.length > 1)
  assert.deepEqual(heardByName.sort(), names)
  await byName.close()

  // After a lost connection everything may have changed.
  await service.deps.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bellwether findings' and datname = current_database()`,
  )
  await eventually('the notification that updates may have been missed', () => heard.length > 1)
  await find(other, mine, heardOf, 'Heard appointed Ada Lovelace as chief executive.')
  await eventually('the next update', () => heard.length > 2)
  assert.deepEqual(new Set(heard), new Set([uriOf(heardOf)]))

  // A revoked key receives no more updates.
  const { data: keys } = (await mine.client.get('/v1/api-keys')) as { data: { id: string }[] }
  await mine.client.expect(200, 'DELETE', `/v1/api-keys/${keys[0]?.id}`)
  await find(other, mine, heardOf, 'Heard acquired Globex for $5 million.')
  assert.equal(await listening.closed, 'graceful')
  assert.equal(heard.length, 3)
  await Promise.all([client.close(), stranger.close()])
})

test('subscription streams are limited per key and end after MCP_LISTEN_SECONDS', async () => {
  const filter = { resourceSubscriptions: [uriOf(crypto.randomUUID())] }
  const client = await connectMcp(address, (await service.member()).key)
  const opened = await Promise.allSettled(Array.from({ length: 21 }, () => client.listen(filter)))
  assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 20)
  const refused = opened.find((one) => one.status === 'rejected')
  assert.match(String(refused?.reason), /limit/i)
  await client.close()

  // With another service, because some of these may end before others begin.
  const brief = await testService({ env: { MCP_LISTEN_SECONDS: '1' }, mcp: serverWithProbes() })
  const shortly = await connectMcp(brief.address, ADMIN_KEY)
  const streams = await Promise.all(Array.from({ length: 20 }, () => shortly.listen(filter)))
  assert.deepEqual(new Set(await Promise.all(streams.map(({ closed }) => closed))), new Set(['graceful']))
  // Their slots are free now.
  await (await shortly.listen(filter)).close()
  await shortly.close()
  const body = Buffer.alloc(2 ** 20 + 1, ' ')
  const large = await brief.admin.post('/mcp', undefined, { body, headers: { 'content-type': 'application/json' } })
  assert.deepEqual([large.status, large.error.code], [413, 'payload_too_large'])
})

test('a quota limits slots per caller and in total, and a slot is released once', () => {
  const quota = new ConcurrencyQuota({ perCaller: 2, total: 3 })
  const first = quota.acquire('a')
  assert.ok(first && quota.acquire('a'))
  assert.equal(quota.acquire('a'), null)
  assert.ok(quota.acquire('b'))
  assert.equal(quota.acquire('c'), null)
  first()
  first()
  assert.equal(quota.acquire('c', 2), null)
  const last = quota.acquire('c')
  assert.ok(last)
  assert.equal(quota.acquire('c'), null)
  last()
  assert.equal(quota.acquire('d', 3), null)
})

test('a restart ends subscriptions as the protocol describes, and the next call and subscription work', async () => {
  const probes = serverWithProbes()
  const first = await testService({ mcp: probes })
  const world = await scene(first, {
    accounts: ['lasting.example'],
    owner: { client: first.admin, workspaceId: first.workspaceId },
  })
  const client = await connectMcp(first.address, ADMIN_KEY)
  const old = await connectMcp(first.address, ADMIN_KEY, 'legacy')
  const heard = updatesOf(client)
  const filter = { resourceSubscriptions: [uriOf(world.ids[0])] }
  const listening = await client.listen(filter)
  // A call that waits receives an error and does not delay the shutdown.
  const seen = Promise.withResolvers<void>()
  const waiting = client.callTool(
    { name: 'probe_scan', arguments: { account_id: world.ids[0] } },
    { onprogress: () => seen.resolve() },
  )
  await seen.promise
  const stopped = first.stop()
  assert.equal(await listening.closed, 'graceful')
  const interrupted = await waiting
  assert.ok(interrupted.isError)
  assert.match(textOf(interrupted), /stopping/)
  await stopped

  const { port } = new URL(first.address)
  const second = await testService({ mcp: probes, databaseUrl: first.databaseUrl, env: { PORT: port } })
  assert.equal(second.address, first.address)
  assert.deepEqual(JSON.parse(textOf(await call(client, 'probe_accounts'))).names, ['lasting'])
  assert.deepEqual(JSON.parse(textOf(await call(old, 'probe_accounts'))).names, ['lasting'])
  await client.listen(filter)
  await find(second, world, world.ids[0], 'Lasting raised $40 million.')
  await eventually('the update', () => heard.length > 0)
  await Promise.all([client.close(), old.close()])
})

test('an in-process API call is not subject to SLOW_CLIENT_SECONDS', async () => {
  const strict = await testService({ env: { SLOW_CLIENT_SECONDS: '1' }, mcp: serverWithProbes() })
  const { ids, workspaceId } = await scene(strict, {
    accounts: ['locked.example'],
    owner: { client: strict.admin, workspaceId: strict.workspaceId },
  })
  const client = await connectMcp(strict.address, ADMIN_KEY)
  const holder = await strict.deps.pool.connect()
  await holder.query('begin')
  await holder.query('select from accounts where workspace_id = $1 and id = $2 for update', [workspaceId, ids[0]])
  const renamed = call(client, 'probe_rename', { account_id: ids[0], name: 'Unlocked' })
  // Three checks for slow clients, of which the second would have ended the request.
  await new Promise((resolve) => setTimeout(resolve, 3_200))
  await holder.query('commit')
  holder.release()
  assert.equal(textOf(await renamed), 'Unlocked')
  await client.close()
})

test('bellwether mcp serves an agent over stdio and reports errors on stderr', async () => {
  const { client: api } = await scene(service, { accounts: ['stdio.example'] })
  const { member } = await api.expect(200, 'GET', '/v1/me')
  await api.expect(200, 'PATCH', `/v1/members/${member.id}`, { name: 'Mo\u001b[2J' })
  const environment = { BELLWETHER_URL: address, BELLWETHER_KEY: api.key as string }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...environment },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  await client.connect(transport)
  assert.equal(client.getServerVersion()?.name, 'bellwether')
  await eventually('the greeting', () => stderr.includes('\n'))
  await client.close()
  assert.match(stderr, / as Mo\[2J of /)

  const refused = run(['mcp'], { env: { ...environment, BELLWETHER_KEY: 'bw_wrong' } })
  assert.equal(await refused.exited, 1)
  assert.match(refused.output(), /rejects the key: This API key is unknown/)
})
