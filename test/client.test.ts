import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ApiError, Bellwether, type ClientOptions, Unreachable, WorkFailed } from '@bellwether/client'
import { startInternet } from '../sandbox/internet.ts'
import { siteOf } from './support/companies.ts'
import { run } from './support/process.ts'
import { scene } from './support/scene.ts'
import { ADMIN_KEY, testService } from './support/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const execute = promisify(execFile)

const alder = siteOf({ name: 'Alder', events: { funding: 5 } })
const internet = await startInternet((request) => (request.url.host === 'alder.example' ? alder(request) : null))
after(() => internet[Symbol.asyncDispose]())
/** Reserves the port for the example that receives webhooks. */
const placeholder = createServer().listen(0, '127.0.0.1')
await once(placeholder, 'listening')
const { port: receiverPort } = placeholder.address() as AddressInfo
after(() => placeholder.close())
const service = await testService({
  worker: true,
  env: { ...internet.env, CRAWL_DELAY_MS: '0', OUTBOUND_ALLOW: `127.0.0.1:${receiverPort}` },
})
const client = (key = ADMIN_KEY, more: Partial<ClientOptions> = {}) =>
  new Bellwether({ url: service.address, key, ...more })

type Handler = (request: IncomingMessage, response: ServerResponse, attempt: number) => void

/** An HTTP server in place of the service, which records its requests. */
async function startStub(respond: Handler) {
  const requests: { method: string | undefined; url: string | undefined; key: string | string[] | undefined }[] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, key: request.headers['idempotency-key'] })
    request.resume()
    respond(request, response, requests.length)
  }).listen(0, '127.0.0.1')
  after(() => server.closeAllConnections())
  after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  return { requests, url, client: new Bellwether({ url, key: 'k' }) }
}

const refuse = (response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}) =>
  response.writeHead(status, headers).end(JSON.stringify({ error: { code, message: 'No.', request_id: 'r1' } }))
const accept = (response: ServerResponse, data: object = { id: '1' }) => response.end(JSON.stringify({ data }))

test('the examples of the README compile and run with the published package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-client-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const installed = join(folder, 'node_modules/@bellwether/client')
  await execute(process.execPath, [join(root, 'scripts/pack-client.ts'), installed])
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8')
  const [setup, ...examples] = [...readme.matchAll(/```ts\n(.+?)```/gs)].map(([, code]) => code)
  assert.equal(examples.length, 6)
  const files = examples.map((code, at) => {
    const file = join(folder, `example-${at + 1}.ts`)
    writeFileSync(file, `${setup}\n${code}`)
    return file
  })
  const flags = '--noEmit --strict --target esnext --module nodenext --types node --typeRoots'.split(' ')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await execute(process.execPath, [tsc, ...flags, join(root, 'node_modules/@types'), ...files], { cwd: folder }).catch(
    (error) => assert.fail(`${error.stdout}`),
  )

  const destination = await service.admin.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Examples',
    url: `http://127.0.0.1:${receiverPort}/`,
  })
  const env = {
    BELLWETHER_URL: service.address,
    BELLWETHER_KEY: ADMIN_KEY,
    BELLWETHER_WEBHOOK_SECRET: destination.secret,
    PORT: String(receiverPort),
  }
  const [watch, walk, errors, push, receive, names] = files as [string, string, string, string, string, string]
  const output = async (file: string) => (await execute(process.execPath, [file], { env })).stdout

  const watched = await output(watch)
  assert.match(watched, /^\d+ of \d+ signals$/m)
  assert.match(watched, /^1 new findings$/m)
  assert.match(watched, /^.*\$40 million.* - https:\/\/alder\.example\/news\/funding$/m)
  assert.equal(await output(walk), await scored())
  assert.match(await output(errors), /^domain .+/)
  assert.match(await output(names), /^[0-9a-f-]{36}\nnot_found No account is called Aldr\. 0\n$/)
  placeholder.close()
  const receiver = run([], { env, bin: receive })
  await listening(receiverPort)
  assert.match(await output(push), /^0 of 1 accounts were not delivered$/m)
  await receiver.sees(/^received /m)
})

async function scored(): Promise<string> {
  const { data } = await client().get('/v1/accounts', { query: { status: 'active' } })
  return data.map(({ name, score }) => (score < 50 ? '' : `${name} ${score}\n`)).join('')
}

/** Waits until the port accepts requests. */
async function listening(port: number): Promise<void> {
  const ping = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(({ status }) => status)
  for (;;) if (await ping().catch(() => null)) return
}

test('transient errors are retried after Retry-After, a POST with the same Idempotency-Key', async () => {
  const { requests, client } = await startStub((_request, response, attempt) => {
    if (attempt === 1) refuse(response, 429, 'rate_limited', { 'retry-after': '0' })
    else if (attempt === 2) response.writeHead(503, { 'retry-after': new Date().toUTCString() }).end('<html>')
    else if (attempt === 3) response.destroy()
    else accept(response)
  })
  const section = { title: 'What', content_md: 'Rails' }
  assert.deepEqual(await client.post('/v1/knowledge-base', { body: section }), { id: '1' })
  assert.equal(requests.length, 4)
  assert.equal(new Set(requests.map(({ key }) => key)).size, 1)
  assert.match(String(requests[0]?.key), /^[0-9a-f-]{36}$/)
  await client.post('/v1/knowledge-base', { body: section })
  assert.notEqual(requests[4]?.key, requests[0]?.key)
  await client.post('/v1/knowledge-base', { body: section, idempotencyKey: 'mine' })
  assert.equal(requests[5]?.key, 'mine')
})

test('an incomplete response is retried, and a response of a proxy is reported as such', async () => {
  const { requests, client } = await startStub((request, response, attempt) => {
    if (request.url === '/v1/usage') return void response.writeHead(200).end('<html>Sign in to the network</html>')
    if (attempt > 1) return void accept(response, { status: 'done' })
    response.writeHead(200, { 'content-length': '1000' }).write('{"data":')
    setImmediate(() => response.destroy())
  })
  assert.equal((await client.waitForRun('1')).status, 'done')
  assert.equal(requests.length, 2)
  await assert.rejects(client.get('/v1/usage'), { name: 'ApiError', status: 200, code: 'unexpected' })
  assert.equal(requests.length, 3)
})

test('no retry after a permanent error, with too long a Retry-After, or for a DELETE without a response', async () => {
  const { requests, client } = await startStub((request, response) => {
    if (request.method === 'DELETE') response.destroy()
    else if (request.url === '/v1/me') refuse(response, 429, 'rate_limited', { 'retry-after': '3600' })
    else if (request.url === '/v1/usage') response.writeHead(404).end('nginx')
    else if (request.url === '/v1/sources') response.end('<html>Welcome</html>')
    else refuse(response, 409, 'domain_taken')
  })
  const path = { id: '1' }
  const taken = await client.patch('/v1/accounts/{id}', { path, body: {} }).catch((error: unknown) => error)
  assert.ok(ApiError.is(taken, 'domain_taken', 'name_taken'))
  assert.deepEqual([taken.status, taken.message, taken.requestId, taken.retryAfter], [409, 'No.', 'r1', null])
  assert.ok(!ApiError.is(taken, 'name_taken'))
  const limited = await client.get('/v1/me').catch((error: unknown) => error)
  assert.ok(ApiError.is(limited, 'rate_limited'))
  assert.equal(limited.retryAfter, 3600)
  await assert.rejects(client.get('/v1/usage'), { name: 'ApiError', status: 404, code: 'unexpected' })
  await assert.rejects(client.get('/v1/sources'), { name: 'ApiError', status: 200, code: 'unexpected' })
  await assert.rejects(client.delete('/v1/accounts/{id}', { path }), Unreachable)
  assert.equal(requests.length, 5)
})

test('a signal ends a call, also while it waits for a retry', async () => {
  const stop = new AbortController()
  const { requests, client } = await startStub((_request, response) => {
    refuse(response, 503, 'unavailable', { 'retry-after': '30' })
    setImmediate(() => stop.abort(new Error('enough')))
  })
  await assert.rejects(client.get('/v1/me', { signal: stop.signal }), /enough/)
  assert.equal(requests.length, 1)
})

test('a list is fetched page by page, from the given page and only as far as it is read', async () => {
  const { client: owner, accounts } = await scene(service, { accounts: 7 })
  let calls = 0
  const mine = client(owner.key as string, {
    fetch: (url, init) => {
      calls++
      return fetch(url, init)
    },
  })
  const walk = (page: number) => mine.items('/v1/accounts', { query: { per_page: 3, page, sort: 'created_at' } })
  const all = await Array.fromAsync(walk(1))
  assert.deepEqual(all.map(({ id }) => id).sort(), accounts.map(({ id }) => id).sort())
  assert.equal(calls, 3)
  assert.equal((await Array.fromAsync(walk(3))).length, 1)
  assert.equal(calls, 4)
  for await (const _ of walk(1)) break
  assert.equal(calls, 5)
})

test('a record that moves to the next page during iteration is yielded once', async () => {
  const pages = [['a', 'b'], ['b', 'c'], ['d']].map((ids) => ids.map((id) => ({ id })))
  const { client } = await startStub((_request, response, attempt) => {
    const pagination = { page: attempt, per_page: 2, total: 4, has_more: attempt < pages.length }
    response.end(JSON.stringify({ data: pages[attempt - 1], pagination }))
  })
  const all = await Array.fromAsync(client.items('/v1/accounts'))
  assert.deepEqual(
    all.map(({ id }) => id),
    ['a', 'b', 'c', 'd'],
  )
})

test('path and query are encoded', async () => {
  const { requests, client } = await startStub((_request, response) => accept(response))
  await client.delete('/v1/connections/{provider}', { path: { provider: 'a/b?c' as 'chat' } })
  const query = { search: 'Grüße & Co', hot: true, tag: undefined } as { search: string; hot: boolean }
  await client.get('/v1/accounts', { query })
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/v1/connections/a%2Fb%3Fc', '/v1/accounts?search=Gr%C3%BC%C3%9Fe+%26+Co&hot=true'],
  )
  // None of these can be a path segment: they would lead to the list or to a parent path.
  for (const id of ['', '.', '..', '\ud800'])
    await assert.rejects(client.delete('/v1/accounts/{id}', { path: { id } }), { code: 'not_found', status: 404 })
  assert.equal(requests.length, 2)
})

test('redirects are not followed', async () => {
  const elsewhere = await startStub((_request, response) => accept(response))
  for (const status of [301, 302, 307, 308]) {
    const { client, requests } = await startStub((_request, response) =>
      response.writeHead(status, { location: `${elsewhere.url}v1/knowledge-base` }).end(),
    )
    const body = { title: 'What', content_md: 'Rails' }
    await assert.rejects(client.post('/v1/knowledge-base', { body }), { status, code: 'unexpected' })
    assert.equal(requests.length, 1)
  }
  assert.deepEqual(elsewhere.requests, [])
})

test('waiting ends when the work is done or has failed, or by a signal', async () => {
  const states = ['running', 'running', 'done']
  const seen: string[] = []
  const done = await startStub((_request, response, attempt) => accept(response, { status: states[attempt - 1] }))
  const run = await done.client.waitForRun('1', { onProgress: ({ status }) => seen.push(status), intervalMs: 1 })
  assert.equal(run.status, 'done')
  assert.deepEqual(seen, states)

  const failed = await startStub((_request, response) =>
    accept(response, { status: 'failed', failure: 'No response.', error_sample: [{ message: 'It is gone.' }] }),
  )
  const error = await failed.client.waitForRun('1').catch((error: unknown) => error)
  assert.ok(error instanceof WorkFailed)
  assert.deepEqual([error.message, (error.record as { status: string }).status], ['No response.', 'failed'])
  await assert.rejects(failed.client.waitForPush('1'), { name: 'WorkFailed', message: 'It is gone.' })

  const stop = new AbortController()
  const endless = await startStub((_request, response) => accept(response, { status: 'running', error_sample: [] }))
  const onProgress = () => stop.abort(new Error('no patience'))
  await assert.rejects(endless.client.waitForPush('1', { signal: stop.signal, onProgress }), /no patience/)
})

test('a service that cannot be reached or does not respond is unreachable', async () => {
  const nowhere = new Bellwether({ url: 'http://127.0.0.1:1', retries: 0 })
  await assert.rejects(nowhere.get('/v1/me'), { name: 'Unreachable', message: /cannot be reached at http:\/\/127/ })
  const requests: string[] = []
  const silent = new Bellwether({
    url: 'http://127.0.0.1:1',
    retries: 0,
    timeoutMs: 20,
    fetch: (url, init) => {
      requests.push(url)
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    },
  })
  await assert.rejects(silent.get('/v1/me'), { name: 'Unreachable', message: /did not respond within 0.02 seconds/ })
  assert.deepEqual(requests, ['http://127.0.0.1:1/v1/me'])
})
