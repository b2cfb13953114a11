import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextHop, type RedirectHop } from './redirects.ts'
import { UrlPolicy } from './url-policy.ts'

const policy = new UrlPolicy(new Set(['127.0.0.1:9200']))

const hop = (fields: Partial<RedirectHop> = {}): RedirectHop => ({
  url: new URL('https://a.example.com/in/page?x=1'),
  method: 'GET',
  headers: {},
  body: null,
  ...fields,
})

test('a location is resolved relative to the redirecting URL', () => {
  for (const [location, expected] of [
    ['next', 'https://a.example.com/in/next'],
    ['/next?y#z', 'https://a.example.com/next?y#z'],
    ['//b.example.com/', 'https://b.example.com/'],
    ['https://b.example.com:8443/', 'https://b.example.com:8443/'],
    ['\\\\b.example.com\\c', 'https://b.example.com/c'],
  ] as const) {
    assert.equal(nextHop(policy, hop(), 302, location).url.href, expected)
  }
})

test('every location is checked like any URL', () => {
  const refused = [
    'http://b.example.com/',
    'https://127.0.0.1/',
    '//localhost/',
    'https://u@b.example.com/',
    'file:///etc',
  ]
  for (const location of refused) {
    assert.throws(() => nextHop(policy, hop(), 302, location), { code: 'url_not_allowed' }, location)
  }
  assert.throws(() => nextHop(policy, hop(), 302, 'https://['), { kind: 'redirect' })
})

test('a public page cannot redirect to an allowed private host', () => {
  const inside = 'http://127.0.0.1:9200/_search'
  assert.throws(() => nextHop(policy, hop(), 302, inside), { kind: 'redirect' })
  const url = new URL('http://127.0.0.1:9200/')
  assert.equal(nextHop(policy, hop({ url }), 302, inside).url.href, inside)
})

test('a POST becomes a GET after 301, 302 and 303, and stays a POST after 307 and 308', () => {
  const post = hop({ method: 'POST', body: '{}', headers: { 'content-type': 'application/json', 'x-a': '1' } })
  for (const status of [301, 302, 303]) {
    const { method, body, headers } = nextHop(policy, post, status, '/next')
    assert.deepEqual({ method, body, headers }, { method: 'GET', body: null, headers: { 'x-a': '1' } })
  }
  for (const status of [307, 308]) {
    const { method, body, headers } = nextHop(policy, post, status, '/next')
    assert.deepEqual({ method, body, headers }, { method: 'POST', body: '{}', headers: post.headers })
  }
  assert.equal(nextHop(policy, hop({ method: 'HEAD' }), 303, '/next').method, 'HEAD')
})

test('a body is not sent to another origin', () => {
  const post = hop({ method: 'POST', body: 'client_secret=1' })
  for (const location of ['https://b.example.com/', 'https://a.example.com:8443/']) {
    assert.throws(() => nextHop(policy, post, 307, location), { kind: 'redirect' })
    assert.equal(nextHop(policy, post, 303, location).body, null)
  }
})
