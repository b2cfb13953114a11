import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { AuthThrottle } from '../src/http/auth-throttle.ts'
import { clientKey } from '../src/http/client-address.ts'
import type { Answer } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { dial, readAll, sendRaw } from './support/raw.ts'
import { ADMIN_KEY, testService } from './support/service.ts'

// Malformed and hostile requests over raw connections, because client libraries would normalize them.

const service = await testService({
  env: {
    PUBLIC_URL: 'https://bellwether.example',
    ALLOWED_HOSTS: 'bellwether.cluster',
    SLOW_CLIENT_SECONDS: '1',
    DATABASE_POOL_SIZE: '3',
  },
})
const narrow = await testService({
  env: { MAX_CONNECTIONS_PER_ADDRESS: '4', METRICS_TOKEN: 'token-of-the-metrics' },
})

const HOST = 'Host: 127.0.0.1\r\n'
const KEY = `Authorization: Bearer ${ADMIN_KEY}\r\n`
const NEXT = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`
const POST = `POST /v1/knowledge-base HTTP/1.1\r\n${HOST}${KEY}Content-Type: application/json\r\n`
const get = (headers: string, path = '/healthz') => `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`
const chunked = (te: string) => `${POST}${te}\r\n\r\n0\r\n\r\n${NEXT}`

/** The statuses in a raw response. */
const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

const REFUSED: Record<string, [form: string | Buffer, status?: number]> = {
  'Content-Length and Transfer-Encoding': [chunked('Content-Length: 4\r\nTransfer-Encoding: chunked')],
  'Transfer-Encoding and Content-Length': [chunked('Transfer-Encoding: chunked\r\nContent-Length: 4')],
  'two lengths': [`${POST}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${NEXT}`],
  'the same length twice': [`${POST}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${NEXT}`],
  'a list of lengths': [`${POST}Content-Length: 0, 0\r\n\r\n${NEXT}`],
  'a length with a sign': [`${POST}Content-Length: +0\r\n\r\n${NEXT}`],
  'a negative length': [`${POST}Content-Length: -1\r\n\r\n${NEXT}`],
  'a length in hex': [`${POST}Content-Length: 0x0\r\n\r\n${NEXT}`],
  'an endless length': [`${POST}Content-Length: 99999999999999999999\r\n\r\n${NEXT}`],
  xchunked: [chunked('Transfer-Encoding: xchunked')],
  'chunked, identity': [chunked('Transfer-Encoding: chunked, identity')],
  'gzip, chunked': [chunked('Transfer-Encoding: gzip, chunked')],
  identity: [chunked('Transfer-Encoding: identity')],
  'two Transfer-Encodings': [chunked('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity')],
  'chunked after a vertical tab': [chunked('Transfer-Encoding: \x0bchunked')],
  'chunked on a folded line': [chunked('Transfer-Encoding:\r\n chunked')],
  'chunked in HTTP/1.0': [chunked('Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0')],
  'a folded header': [get(`${HOST}X-A: a\r\n b\r\n`)],
  'bare line feeds': [get(HOST).replaceAll('\r\n', '\n')],
  'a bare line feed': [get(`${HOST}X-A: a\nX-B: b\r\n`)],
  'a bare carriage return': [get(`${HOST}X-A: a\rX-B: b\r\n`)],
  'a chunk that ends in a bare line feed': [`${POST}Transfer-Encoding: chunked\r\n\r\n0\n\n${NEXT}`],
  'a space before the colon': [get(`${HOST}X-A : a\r\n`)],
  'a space before a name': [get(`${HOST} X-A: a\r\n`)],
  'megabytes of chunk extensions': [
    `${POST}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(2_000_000)}\r\nx\r\n0\r\n\r\n`,
    413,
  ],
  'a chunk of 2^68 bytes': [`${POST}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx\r\n0\r\n\r\n`],
  'a null byte in a header': [get(`${HOST}X-A: a\0b\r\n`)],
  'a null byte in the path': [get(HOST, '/healthz\0')],
  'an absolute URL': [get(HOST, 'http://127.0.0.1/healthz')],
  'an authority': [get(HOST, '127.0.0.1:80')],
  CONNECT: [`CONNECT 127.0.0.1:80 HTTP/1.1\r\n${HOST}\r\n`, 0],
  'OPTIONS *': [`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  'no Host': [get('')],
  'two Hosts': [get(`${HOST}Host: other.example\r\n`)],
  'two keys': [get(`${HOST}${KEY}Authorization: Bearer other\r\n`, '/v1/members')],
  'HTTP/0.9': ['GET /healthz\r\n\r\n'],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'HTTP/2 in the request line': [get(HOST).replace('HTTP/1.1', 'HTTP/2.0')],
  'HTTP/1.2': [get(HOST).replace('HTTP/1.1', 'HTTP/1.2')],
  'a method in small letters': [get(HOST).replace('GET', 'get')],
  TLS: [Buffer.from('16030100750100007103', 'hex')],
  'a header of 17 KB': [get(`${HOST}X-A: ${'a'.repeat(17_000)}\r\n`), 431],
  '101 headers': [get(`${HOST}${'X-A: a\r\n'.repeat(99)}`), 431],
  'a URL of 8 KB': [get(HOST, `/healthz?${'a'.repeat(8_000)}`)],
  '101 fields in a query': [get(HOST, `/healthz?${'a&'.repeat(100)}`)],
  'an expectation nobody knows': [get(`${HOST}Expect: miracles\r\n`), 417],
}

test('ambiguous requests are rejected, and nothing after them on the connection is processed', async () => {
  for (const [name, [form, status = 400]] of Object.entries(REFUSED)) {
    const answer = await sendRaw(service.address, form)
    assert.deepEqual(statuses(answer), status === 0 ? [] : [status], `${name}: ${answer}`)
    assert.ok(!answer.includes('smuggled'), name)
    if (status !== 0 && status !== 417) assert.ok(bodyOf(answer).error?.request_id, `${name}: ${answer}`)
    assert.deepEqual(statuses(await sendRaw(service.address, get(HOST))), [200], `after ${name}`)
  }
})

test('an upgrade is not performed, and its request is handled like any other', async () => {
  for (const upgrade of ['websocket', 'h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__']) {
    const asked = `GET /healthz HTTP/1.1\r\n${HOST}Connection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n\r\n`
    assert.deepEqual(statuses(await sendRaw(service.address, asked)), [200])
  }
})

test('the parser stays strict when the process is started with the flag for the lenient parser', () => {
  const lenient = (options: string) => `
    import { createServer } from 'node:http'
    import { once } from 'node:events'
    import { parserOptions } from '${new URL('../src/http/limits.ts', import.meta.url)}'
    import { sendRaw } from '${new URL('support/raw.ts', import.meta.url)}'
    const server = createServer(${options}, (_request, response) => response.end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const form = 'GET / HTTP/1.1\\r\\nHost: a\\r\\nX-A: a\\0b\\r\\nConnection: close\\r\\n\\r\\n'
    console.log(await sendRaw('http://127.0.0.1:' + server.address().port, form))
    server.close()`
  const run = (options: string) =>
    execFileSync(process.execPath, ['--insecure-http-parser', '--input-type=module', '-e', lenient(options)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()
  assert.deepEqual(statuses(run('{}')), [200], 'the flag does make it lenient')
  assert.deepEqual(statuses(run('parserOptions({ SLOW_CLIENT_SECONDS: 1 })')), [400])
})

test('a body must be JSON in UTF-8, uncompressed and not deeply nested, and cannot change a prototype', async () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    service.admin.post('/v1/knowledge-base', undefined, { body, headers })
  const depth = 300_000
  for (const [answer, status] of [
    [await send(`{"title":"a","content_md":"","x":${'['.repeat(depth)}${']'.repeat(depth)}}`), 400],
    // The escape makes every text of the body be checked.
    [await send(`{"title":"\\u0000","x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`), 400],
    [await send(`${'['.repeat(depth)}`, { 'idempotency-key': 'deep' }), 400],
    [await send('{"title":"a","content_md":"","constructor":{"prototype":{"admin":true}}}'), 400],
    [await send('{"title":"a","content_md":"","\\u005f_proto__":{"admin":true}}'), 400],
    [await send('{"title":"a","content_md":""}', { 'content-type': 'application/json; charset=utf-16' }), 415],
    [await send('{"title":"a","content_md":""}', { 'content-encoding': 'gzip' }), 415],
  ] as const) {
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.error.code, /^(invalid_request|unsupported_media_type)$/)
  }
  const quoted = `{"title":"${'[{'.repeat(100)}\\"","content_md":""}`
  const accepted = await send(quoted, { 'content-type': 'application/json; charset="UTF-8"' })
  assert.equal(accepted.status, 201)
})

test('with PUBLIC_URL only its name, allowed names and addresses are accepted; probes accept any name', async () => {
  const ask = async (host: string, path = '/v1/members', more = '') =>
    sendRaw(service.address, get(`Host: ${host}\r\n${KEY}${more}`, path))
  for (const host of [
    'bellwether.example',
    'Bellwether.Example:8443',
    'bellwether.example.',
    'bellwether.cluster',
    '127.0.0.1:3000',
    '[::1]:3000',
    'localhost',
  ]) {
    assert.deepEqual(statuses(await ask(host)), [200], host)
  }
  for (const host of ['rebound.attacker.com', 'bellwether.example.attacker.com', 'x@bellwether.example', 'a:b', '']) {
    const answer = await ask(host)
    assert.deepEqual(statuses(answer), [421], host)
    assert.equal(bodyOf(answer).error.code, 'misdirected')
    assert.deepEqual(statuses(await ask(host, '/docs')), [421], host)
    assert.deepEqual(statuses(await ask(host, '/healthz')), [200], host)
    assert.deepEqual(statuses(await ask(host, '/readyz')), [200], host)
  }
  const forwarded = await ask('rebound.attacker.com', '/v1/members', 'X-Forwarded-Host: bellwether.example\r\n')
  assert.deepEqual(statuses(forwarded), [421], 'a page can send this header')
  assert.deepEqual(statuses(await sendRaw(narrow.address, get(`Host: any.name\r\n${KEY}`, '/v1/members'))), [200])
})

test('metrics are served only to this machine, or to callers with the token', async () => {
  const ask = async (address: string, headers: string) => statuses(await sendRaw(address, get(headers, '/metrics')))[0]
  assert.equal(await ask(service.address, HOST), 200)
  for (const passed of ['X-Forwarded-For: 127.0.0.1', 'Forwarded: for=127.0.0.1', 'X-Real-IP: ::1', 'Via: 1.1 proxy']) {
    assert.equal(await ask(service.address, `${HOST}${passed}\r\n`), 403, passed)
  }
  assert.equal(await ask(service.address, 'Host: rebound.attacker.com\r\n'), 403)
  assert.equal(await ask(service.address, 'Host: bellwether.example\r\n'), 403)
  assert.equal(await ask(narrow.address, HOST), 401)
  assert.equal(await ask(narrow.address, `${HOST}Authorization: Bearer token-of-the-metric\r\n`), 401)
  assert.equal(
    await ask(narrow.address, 'Host: a.name\r\nVia: 1.1 a\r\nAuthorization: Bearer token-of-the-metrics\r\n'),
    200,
  )
})

test('connections per address are limited, and closing one allows another', async () => {
  const held: Socket[] = []
  after(() => held.forEach((socket) => void socket.destroy()))
  for (let n = 0; n < 4; n++) held.push(await dial(narrow.address))
  assert.equal(await sendRaw(narrow.address, get(HOST)), '', 'one more is closed without an answer')
  held.pop()?.destroy()
  await eventually('its place is free', async () => statuses(await sendRaw(narrow.address, get(HOST)))[0] === 200)
  for (const socket of held) socket.destroy()
})

test('only an https URL adds HSTS, and a page has its own content security policy', async () => {
  const [secure, plain] = [await service.as(null).get('/docs'), await narrow.as(null).get('/docs')]
  assert.equal(secure.headers.get('strict-transport-security'), 'max-age=31536000')
  assert.equal(plain.headers.get('strict-transport-security'), null)
  const policy = secure.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'/)
  // Only resources of the service, whatever the script tries to load.
  assert.doesNotMatch(policy, /https?:|\*/)
  const unreadable = await sendRaw(service.address, 'nonsense\r\n\r\n')
  for (const answer of [unreadable, await sendRaw(service.address, get(HOST, '/%zz'))]) {
    assert.match(answer, /^strict-transport-security: max-age=31536000\r$/m)
    assert.match(answer, /^content-security-policy: default-src 'none'/m)
    assert.match(answer, /^x-content-type-options: nosniff\r$/m)
  }
})

test('a connection that pipelines too many requests without reading responses is closed', async () => {
  const sent = `GET /v1/members HTTP/1.1\r\n${HOST}${KEY}\r\n`
  const some = await sendRaw(service.address, sent.repeat(20) + get(HOST))
  assert.equal(statuses(some).length, 21)
  /** The remaining requests of this key. */
  const left = async () =>
    Number(/r=(\d+)/.exec((await service.admin.get('/v1/members')).headers.get('ratelimit') ?? '')?.[1])
  const before = await left()
  const many = await sendRaw(service.address, sent.repeat(400))
  assert.ok(statuses(many).length <= 32, `${statuses(many).length}`)
  assert.ok(before - (await left()) <= 33, 'what was sent ahead does no work either')
})

test('a client that sends headers or a body byte by byte, or endlessly, gets 408 and is disconnected', async () => {
  const headers = await dial(service.address)
  headers.write('GET /healthz HTTP/1.1\r\nHost:')
  const body = await dial(service.address)
  body.write(`${POST}Content-Length: 100000\r\n\r\n{`)
  const upload = await dial(service.address)
  upload.write(
    `POST /v1/companies/import HTTP/1.1\r\n${HOST}${KEY}Content-Type: text/csv\r\nContent-Length: 9999\r\n\r\ndomain\n`,
  )
  const drip = setInterval(() => [headers, body, upload].map((socket) => socket.write('a')), 100)
  after(() => clearInterval(drip))
  // Gets its response at once, and keeps sending.
  const endless = await dial(service.address)
  endless.write(`POST /v1/knowledge-base HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`)
  const flood = setInterval(() => endless.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 20)
  after(() => clearInterval(flood))
  const [late, slow, slower, unasked] = await Promise.all([headers, body, upload, endless].map(readAll))
  clearInterval(drip)
  clearInterval(flood)
  for (const answer of [late, slow, slower]) {
    assert.deepEqual(statuses(answer as string), [408])
    assert.equal(bodyOf(answer as string).error.code, 'request_timeout')
  }
  assert.deepEqual(statuses(unasked as string), [401])
})

test('an upload that keeps its rate may take longer than the timeout for slow clients', async () => {
  const rows = Array.from({ length: 8 }, (_, n) => `company-${n}.example,${'x'.repeat(2_000)}\n`)
  const text = ['domain,name\n', ...rows]
  const length = text.join('').length
  const socket = await dial(service.address)
  const answer = readAll(socket)
  socket.write(
    `POST /v1/companies/import HTTP/1.1\r\n${HOST}${KEY}Content-Type: text/csv\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
  )
  for (const line of text) {
    socket.write(line)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  assert.deepEqual(statuses(await answer), [202])
})

test('clients that do not read an export are disconnected, and their database connections are reused', async () => {
  const { db, pool } = service.deps
  const { client, workspaceId } = await service.stranger()
  await client.expect(201, 'POST', '/v1/accounts', { name: 'One', domain: 'one.example' })
  // Far more than the buffers of a connection.
  await sql`insert into accounts (workspace_id, id, name, status, source, short_description)
    select workspace_id, gen_random_uuid(), 'More', 'suggested', source, repeat('x', 8000)
    from accounts, generate_series(1, 3000) where workspace_id = ${workspaceId}`.execute(db)
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'export' })
  const ask = `GET /v1/accounts HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\nAccept: text/csv\r\n\r\n`
  const readers = await Promise.all([1, 2, 3].map(() => dial(service.address)))
  after(() => readers.forEach((socket) => void socket.destroy()))
  for (const socket of readers)
    socket
      .on('error', () => {})
      .pause()
      .write(ask)
  await eventually('they hold all connections to the database', () => pool.totalCount === 3 && pool.idleCount === 0)
  await eventually('they hold none any longer', () => pool.idleCount === pool.totalCount)
  assert.equal((await client.get('/v1/accounts?per_page=1')).status, 200)
  const whole = await client.get('/v1/accounts', { headers: { accept: 'text/csv' } })
  assert.equal(whole.text.split('\r\n').length, 3_003, 'one who reads gets all of it')
})

test('wrong keys are throttled, without locking out generated keys or keys known from the address', async () => {
  const { key } = await narrow.member()
  const from = narrow.as
  assert.equal((await narrow.admin.get('/v1/members')).status, 200)
  const codes: number[] = []
  for (let n = 0; n < 40; n++) codes.push((await from(`guess-number-${n}`).get('/v1/members')).status)
  assert.ok(codes.filter((code) => code === 401).length < 40)
  // On a slow machine a guess may have been refilled, and is used up.
  const slowedDown = (guess: () => Promise<Answer>) =>
    eventually('a refusal', async () => {
      const answer = await guess()
      return answer.status === 429 && answer
    })
  const refusal = await slowedDown(() => from('one-more-guess').get('/v1/members'))
  assert.ok(Number(refusal.headers.get('retry-after')) >= 1)
  await slowedDown(() => from(`bw_${'a'.repeat(43)}`).get('/v1/members'))
  await slowedDown(() => narrow.as(null).get('/oauth/callback?state=guess'))
  assert.equal((await narrow.as('token-of-the-metrics').get('/metrics')).status, 200, 'a token known from here')
  await slowedDown(() => narrow.as('a-token-of-others').get('/metrics'))
  assert.equal((await from(key).get('/v1/members')).status, 200, 'a key of ours that was not seen before')
  assert.equal((await narrow.admin.get('/v1/members')).status, 200, 'a chosen key that was right from here before')
})

test('guesses are counted per IPv4 address or IPv6 /64, refill over time, and use bounded memory', () => {
  assert.equal(clientKey('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(clientKey('2001:db8:1:2:3::1'), clientKey('2001:db8:1:2:ffff::9'))
  assert.notEqual(clientKey('2001:db8:1:2::1'), clientKey('2001:db8:1:3::1'))
  const guesses = new AuthThrottle()
  for (let n = 0; n < 30; n++) guesses.wrong('a', 0)
  assert.throws(() => guesses.wrong('a', 0), { code: 'rate_limited', retryAfter: 2 })
  assert.equal(guesses.wait('b', 0), 0)
  assert.equal(guesses.wait('a', 2_000), 0)
  guesses.wrong('a', 2_000)
  assert.equal(guesses.wait('a', 2_000), 2)
  for (let n = 0; n < 10_000; n++) guesses.wrong(`other ${n}`, 2_000)
  assert.equal(guesses.wait('a', 2_000), 0, 'the oldest is forgotten')
})
