import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { startReceiver } from '../../sandbox/receiver.ts'
import { createOutbound, type OutboundOptions } from './client.ts'

const MB = 1024 * 1024

/** The client with these hosts in its allow list. */
function outboundTo(hosts: { host: string }[], options: Partial<OutboundOptions> = {}) {
  return createOutbound({ allow: new Set(hosts.map(({ host }) => host)), log: pino({ level: 'silent' }), ...options })
}

/** A server on loopback that is closed after the test. */
async function serving(listener: RequestListener) {
  return listening(createServer(listener))
}

async function listening(server: Server) {
  const sockets = new Set<{ destroy: () => void }>()
  server.on('connection', (socket) => sockets.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  }
  return { host, url: `http://${host}/`, server, [Symbol.asyncDispose]: stop }
}

const refuse = { redirects: 'refuse' } as const
const follow = { redirects: 'follow' } as const

test('a request has its method, headers and body, and a User-Agent', async () => {
  await using receiver = await startReceiver({ behaviour: { do: 'answer', status: 201, body: 'made' } })
  await using outbound = outboundTo([receiver], { contact: 'https://ops.example.com' })
  const headers = { 'Content-Type': 'application/json', Host: 'elsewhere.example', 'X-One': '1' }
  const call = { ...refuse, method: 'POST', headers, body: '{"a":"é"}' } as const
  const answer = await outbound.request(`${receiver.url}/in/one?q=%20a#part`, call)
  assert.equal(answer.status, 201)
  assert.equal(answer.text(), 'made')
  assert.equal(answer.url, `${receiver.url}/in/one?q=%20a#part`)
  const [seen] = receiver.deliveries
  assert.equal(`${seen?.method} ${seen?.path} ${seen?.body}`, 'POST /in/one?q=%20a {"a":"é"}')
  assert.equal(seen?.headers['user-agent'], 'Bellwether/0.1 (+https://ops.example.com)')
  assert.equal(seen?.headers['content-type'], 'application/json')
  assert.equal(seen?.headers['x-one'], '1')
  assert.equal(seen?.headers.host, receiver.host)
})

test('a client that is closed before its first request sends none', async () => {
  await using receiver = await startReceiver()
  const outbound = outboundTo([receiver])
  await outbound.close()
  await assert.rejects(outbound.request(receiver.url, refuse), { kind: 'aborted' })
  await assert.rejects(outbound.fetch(receiver.url), { kind: 'aborted' })
  assert.equal(receiver.connections(), 0)
})

test('connections are reused, and cookies are not stored', async () => {
  const behaviour = { do: 'answer', headers: { 'set-cookie': 'a=1' } } as const
  await using receiver = await startReceiver({ behaviour })
  await using outbound = outboundTo([receiver], { connections: 1 })
  for (let calls = 0; calls < 5; calls++) await outbound.request(receiver.url, refuse)
  assert.equal(receiver.connections(), 1)
  assert.ok(receiver.deliveries.every(({ headers }) => !('cookie' in headers)))
})

test('no more connections than allowed are opened to a host', async () => {
  await using receiver = await startReceiver()
  await using outbound = outboundTo([receiver], { connections: 3 })
  await Promise.all(Array.from({ length: 20 }, () => outbound.request(receiver.url, refuse)))
  assert.equal(receiver.deliveries.length, 20)
  assert.equal(receiver.connections(), 3)
})

test('a delivery does not follow a redirect', async () => {
  await using receiver = await startReceiver()
  receiver.behave({ do: 'answer', status: 302, headers: { location: '/elsewhere' } }, '/moved')
  await using outbound = outboundTo([receiver])
  assert.equal((await outbound.request(`${receiver.url}/moved`, refuse)).status, 302)
  assert.equal(receiver.deliveries.length, 1)
})

test('a page fetch follows five redirects and no more', async () => {
  await using server = await serving((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('there')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  await using outbound = outboundTo([server])
  const answer = await outbound.request(`${server.url}5`, follow)
  assert.equal(answer.text(), 'there')
  assert.equal(answer.url, `${server.url}0`)
  await assert.rejects(outbound.request(`${server.url}6`, follow), { kind: 'redirect' })
  await assert.rejects(outbound.fetch(`${server.url}6`), { kind: 'redirect' })
})

test('a redirect from an allowed host to one that is not allowed is not followed', async () => {
  await using inside = await startReceiver()
  await using receiver = await startReceiver({
    behaviour: { do: 'answer', status: 307, headers: { location: inside.url } },
  })
  await using outbound = outboundTo([receiver])
  await assert.rejects(outbound.request(receiver.url, follow), { kind: 'not_allowed' })
  await assert.rejects(outbound.fetch(receiver.url), { kind: 'not_allowed' })
  assert.equal(inside.connections(), 0)
})

test('credentials do not follow a redirect to another origin', async () => {
  await using other = await startReceiver()
  await using receiver = await startReceiver()
  receiver.behave({ do: 'answer', status: 302, headers: { location: '/b' } }, '/a')
  receiver.behave({ do: 'answer', status: 302, headers: { location: other.url } }, '/b')
  await using outbound = outboundTo([receiver, other])
  const headers = { Authorization: 'Bearer one', Cookie: 'a=1', 'X-Api-Key': 'two', Accept: 'text/html' }
  await outbound.request(`${receiver.url}/a`, { ...follow, headers })
  assert.equal(receiver.deliveries[1]?.headers.authorization, 'Bearer one')
  const [arrived] = other.deliveries
  const names = Object.keys(arrived?.headers ?? {}).filter((name) => !['host', 'connection'].includes(name))
  assert.deepEqual(names.sort(), ['accept', 'accept-encoding', 'user-agent'])
})

test('a request without a response times out', async () => {
  await using receiver = await startReceiver({ behaviour: { do: 'stall' } })
  await using outbound = outboundTo([receiver])
  const timeouts = { headers: 50 }
  await assert.rejects(outbound.request(receiver.url, { ...refuse, timeouts }), { kind: 'timeout' })
  await assert.rejects(outbound.fetchWith({ timeouts })(receiver.url), { kind: 'timeout' })
  await assert.rejects(outbound.request(receiver.url, { ...refuse, timeouts: { total: 50 } }), { kind: 'timeout' })
  await assert.rejects(outbound.fetchWith({ timeouts: { total: 50 } })(receiver.url), { kind: 'timeout' })
})

test('a body that stops, or never ends and is slow, times out', async () => {
  await using server = await serving((request, response) => {
    response.write('begun')
    const drip = request.url === '/drip' ? setInterval(() => response.write('.'), 5) : undefined
    response.on('close', () => clearInterval(drip))
  })
  await using outbound = outboundTo([server])
  const stalled = { ...refuse, timeouts: { body: 50 } }
  await assert.rejects(outbound.request(server.url, stalled), { kind: 'timeout' })
  const dripping = { ...refuse, timeouts: { body: 5_000, total: 100 } }
  await assert.rejects(outbound.request(`${server.url}drip`, dripping), { kind: 'timeout' })
  const fetched = outbound.fetchWith({ timeouts: { body: 5_000, total: 100 } })(`${server.url}drip`)
  await assert.rejects(
    fetched.then((response) => response.text()),
    { kind: 'timeout' },
  )
})

test('a host that accepts the connection but never starts TLS times out', async () => {
  await using silent = await listening(createTcpServer(() => {}))
  await using outbound = outboundTo([silent], { connectTimeout: 50 })
  await assert.rejects(outbound.request(`https://${silent.host}/`, refuse), { kind: 'timeout' })
})

test('a request is aborted by its signal: before it starts, while it waits and during the response', async () => {
  await using receiver = await startReceiver({ behaviour: { do: 'stall' } })
  await using outbound = outboundTo([receiver], { connections: 1 })
  const aborted = { ...refuse, signal: AbortSignal.abort() }
  await assert.rejects(outbound.request(receiver.url, aborted), { kind: 'aborted' })
  assert.equal(receiver.connections(), 0)
  const [running, queued] = [new AbortController(), new AbortController()]
  const first = outbound.request(receiver.url, { ...refuse, signal: running.signal })
  await receiver.received(1)
  const second = outbound.request(receiver.url, { ...refuse, signal: queued.signal })
  queued.abort()
  await assert.rejects(second, { kind: 'aborted' })
  running.abort()
  await assert.rejects(first, { kind: 'aborted' })
  const reason = new Error('mine')
  await assert.rejects(outbound.fetch(receiver.url, { signal: AbortSignal.abort(reason) }), reason)
})

test('an endless body is read up to the limit', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  await using server = await serving((_request, response) => {
    const chunk = Buffer.alloc(64 * 1024, 'a')
    const more = () => {
      while (response.write(chunk));
    }
    response.on('drain', more).on('close', resolve)
    more()
  })
  await using outbound = outboundTo([server])
  const answer = await outbound.request(server.url, { ...refuse, maxBytes: MB })
  assert.equal(answer.body.length, MB)
  assert.equal(answer.truncated, true)
  // The server notices that the client stopped reading.
  await closed
  assert.equal((await outbound.request(server.url, refuse)).body.length, 5 * MB)
  const strict = { ...refuse, maxBytes: MB, overflow: 'refuse' } as const
  await assert.rejects(outbound.request(server.url, strict), { kind: 'too_large' })
  const response = await outbound.fetchWith({ maxBytes: MB })(server.url)
  await assert.rejects(response.arrayBuffer(), { kind: 'too_large' })
})

test('a body of exactly the limit is whole', async () => {
  await using receiver = await startReceiver({ behaviour: { do: 'answer', body: 'a'.repeat(1000) } })
  await using outbound = outboundTo([receiver])
  const whole = await outbound.request(receiver.url, { ...refuse, maxBytes: 1000, overflow: 'refuse' })
  assert.deepEqual([whole.body.length, whole.truncated], [1000, false])
  const cut = await outbound.request(receiver.url, { ...refuse, maxBytes: 999 })
  assert.deepEqual([cut.body.length, cut.truncated], [999, true])
})

test('a small body that decompresses to a huge one is read up to the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * MB))
  assert.ok(bomb.length < MB)
  // The end of the data is corrupt, so decompressing all of it would fail.
  bomb.fill(0xff, bomb.length - 8)
  await using server = await serving((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  await using outbound = outboundTo([server])
  const answer = await outbound.request(server.url, { ...refuse, maxBytes: MB })
  assert.deepEqual([answer.body.length, answer.truncated], [MB, true])
  const strict = { ...refuse, maxBytes: MB, overflow: 'refuse' } as const
  await assert.rejects(outbound.request(server.url, strict), { kind: 'too_large' })
  const response = await outbound.fetchWith({ maxBytes: MB })(server.url)
  await assert.rejects(response.arrayBuffer(), { kind: 'too_large' })
})

test('compressed bodies are decoded, and unknown or corrupt encodings are rejected', async () => {
  const packed: Record<string, [string, Buffer]> = {
    '/gzip': ['gzip', gzipSync('grüße')],
    '/deflate': ['deflate', deflateSync('grüße')],
    '/raw': ['deflate', deflateRawSync('grüße')],
    '/br': ['BR', brotliCompressSync('grüße')],
    '/none': ['identity', Buffer.from('grüße')],
    '/twice': ['gzip, gzip', gzipSync(gzipSync('grüße'))],
    '/broken': ['gzip', Buffer.from('not gzip')],
  }
  await using server = await serving((request, response) => {
    const [encoding = '', body] = packed[request.url ?? ''] ?? []
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
  })
  await using outbound = outboundTo([server])
  for (const path of ['gzip', 'deflate', 'raw', 'br', 'none']) {
    assert.equal((await outbound.request(server.url + path, follow)).text(), 'grüße', path)
    // A stream cannot look ahead to distinguish the two kinds of deflate.
    if (path !== 'raw') assert.equal(await (await outbound.fetch(server.url + path)).text(), 'grüße', path)
  }
  for (const path of ['twice', 'broken']) {
    await assert.rejects(outbound.request(server.url + path, follow), { kind: 'protocol' }, path)
    const response = await outbound.fetch(server.url + path)
    await assert.rejects(response.text(), { kind: 'protocol' }, path)
  }
})

test('a text is decoded with its declared charset', async () => {
  await using server = await serving((request, response) => {
    const type = request.url === '/known' ? 'text/html; charset="ISO-8859-1"' : 'text/html; charset=unheard-of'
    response
      .writeHead(200, { 'content-type': type })
      .end(Buffer.from('é', request.url === '/known' ? 'latin1' : 'utf8'))
  })
  await using outbound = outboundTo([server])
  assert.equal((await outbound.request(`${server.url}known`, follow)).text(), 'é')
  assert.equal((await outbound.request(server.url, follow)).text(), 'é')
})

test('a dropped connection, a closed port and a response that is not HTTP have different errors, without an address', async () => {
  await using receiver = await startReceiver({ behaviour: { do: 'drop' } })
  await using babble = await listening(createTcpServer((socket) => socket.end('220 mail.test ESMTP\r\n')))
  const closed = await serving(() => {})
  await closed[Symbol.asyncDispose]()
  await using outbound = outboundTo([receiver, babble, closed])
  for (const [url, kind] of [
    [receiver.url, 'connect'],
    [closed.url, 'connect'],
    [babble.url, 'protocol'],
  ] as const) {
    await assert.rejects(outbound.request(url, refuse), (error: Error & { kind: string }) => {
      assert.equal(error.kind, kind)
      assert.doesNotMatch(error.message, /\d/)
      return true
    })
  }
})

test('a header with a line break is rejected', async () => {
  await using receiver = await startReceiver()
  await using outbound = outboundTo([receiver])
  const headers = { 'x-name': 'a\r\nx-injected: 1' }
  await assert.rejects(outbound.request(receiver.url, { ...refuse, headers }), { kind: 'protocol' })
  assert.equal(receiver.deliveries.length, 0)
})

test('requests to a host that failed several times in a row are paused', async () => {
  let now = 0
  const clock = { now: () => now, wait: async () => {} }
  await using receiver = await startReceiver({ behaviour: { do: 'drop' } })
  await using outbound = outboundTo([receiver], { clock, breaker: { failures: 3, pauseMs: 1_000 } })
  const call = () => outbound.request(receiver.url, refuse)
  for (let failed = 0; failed < 3; failed++) await assert.rejects(call(), { kind: 'connect' })
  await assert.rejects(call(), { kind: 'circuit_open', retryAfter: 1 })
  assert.equal(receiver.deliveries.length, 3)
  now = 1_000
  receiver.behave({ do: 'answer', status: 500 })
  assert.equal((await call()).status, 500)
  assert.equal((await call()).status, 500)
})

test('paced requests wait for the interval, and for the Retry-After of the host', async () => {
  let now = 0
  const clock = {
    now: () => now,
    wait: async (ms: number) => {
      now += ms
    },
  }
  await using receiver = await startReceiver()
  await using outbound = outboundTo([receiver], { clock })
  const pace = { kind: 'page', intervalMs: 1_000 }
  const call = () => outbound.request(receiver.url, { ...follow, pace })
  await call()
  await call()
  assert.equal(now, 1_000)
  receiver.next({ do: 'answer', status: 429, headers: { 'retry-after': '20' } })
  assert.equal((await call()).status, 429)
  await call()
  assert.equal(now, 22_000)
  const tomorrow = new Date(Date.now() + 86_400_000).toUTCString()
  receiver.next({ do: 'answer', status: 503, headers: { 'retry-after': tomorrow } })
  assert.equal((await call()).status, 503)
  await call()
  assert.equal(now, 82_000, 'a date counts too, for at most a minute')
})

test('fetch behaves like the built-in fetch', async () => {
  await using server = await serving((request, response) => {
    if (request.url === '/empty') response.writeHead(204).end()
    else if (request.url === '/moved') response.writeHead(301, { location: '/' }).end()
    else response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] }).end('{"a":1}')
  })
  await using outbound = outboundTo([server])
  const response = await outbound.fetch(new URL(`${server.url}moved`), {
    method: 'POST',
    body: new URLSearchParams('a=1'),
  })
  assert.ok(response.ok)
  assert.equal(response.url, server.url)
  assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
  assert.deepEqual(await response.json(), { a: 1 })
  assert.equal((await outbound.fetch(`${server.url}empty`)).status, 204)
  assert.equal((await outbound.fetch(`${server.url}moved`, { redirect: 'manual' })).status, 301)
  await assert.rejects(outbound.fetch(`${server.url}moved`, { redirect: 'error' }), { kind: 'redirect' })
})

test('fetch streams the body', async () => {
  const { promise: read, resolve } = Promise.withResolvers<void>()
  await using server = await serving(async (_request, response) => {
    response.write('one')
    await read
    response.end('two')
  })
  await using outbound = outboundTo([server])
  const parts: string[] = []
  const { body } = await outbound.fetch(server.url)
  assert.ok(body)
  for await (const part of body) {
    parts.push(Buffer.from(part).toString())
    resolve()
  }
  assert.deepEqual(parts, ['one', 'two'])
})
