import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Host, startInternet } from '../sandbox/internet.ts'
import { providerDeps } from './support/provider-deps.ts'

const hosts: Host = ({ url, method }) => {
  if (url.host === 'silent.example') return 'stall'
  if (url.host === 'nowhere.example') return null
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: `${method} ${url.href}` }
}
const internet = await startInternet(hosts)
after(() => internet[Symbol.asyncDispose]())
const client = (env: Record<string, string>) => providerDeps(env).outbound

test('the sandbox serves every https host over TLS with a certificate for its name', async () => {
  const outbound = client(internet.env)
  for (const url of ['https://acme.example/a?b=1', 'https://api.vendor.example/v1']) {
    const answer = await outbound.request(url, { redirects: 'refuse' })
    assert.deepEqual([answer.status, answer.text()], [200, `GET ${url}`])
  }
  await assert.rejects(outbound.request('https://nowhere.example/', { redirects: 'refuse' }))
  const call = outbound.request('https://silent.example/', { redirects: 'refuse', timeouts: { headers: 50 } })
  await assert.rejects(call, { kind: 'timeout' })
})

test('a name of any length gets a certificate', async () => {
  const outbound = client(internet.env)
  for (let length = 1; length <= 48; length++) {
    const url = `https://${'a'.repeat(length)}.example/`
    assert.equal((await outbound.request(url, { redirects: 'refuse' })).status, 200, url)
  }
})

test('connections to a listed host are redirected, and others are not', async () => {
  const outbound = client({ ...internet.env, OUTBOUND_CONNECT_TO: `acme.example:443=${internet.address}` })
  assert.equal((await outbound.request('https://acme.example/', { redirects: 'refuse' })).status, 200)
  const before = internet.requests.length
  await assert.rejects(outbound.request('https://other.invalid/', { redirects: 'refuse' }), { kind: 'dns' })
  assert.equal(internet.requests.length, before)
})

test('without its certificate authority the sandbox is not trusted', async () => {
  const outbound = client({ OUTBOUND_CONNECT_TO: internet.env.OUTBOUND_CONNECT_TO })
  await assert.rejects(outbound.request('https://acme.example/', { redirects: 'refuse' }), { kind: 'tls' })
})

test('OUTBOUND_CONNECT_TO allows neither plain http nor private addresses', async () => {
  const outbound = client(internet.env)
  for (const url of ['http://acme.example/', 'https://10.0.0.1/', 'https://localhost/', 'https://127.0.0.1/']) {
    await assert.rejects(outbound.request(url, { redirects: 'refuse' }), { kind: 'not_allowed' }, url)
  }
})
