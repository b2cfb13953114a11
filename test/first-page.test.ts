import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DomUtils, parseDocument } from 'htmlparser2'
import { sql } from 'kysely'
import { ADMIN_KEY, testService } from './support/service.ts'

const service = await testService()
const LISTS = {
  '/': '/v1/work-items?view=queue&state=open&per_page=25&page=1',
  '/accounts': '/v1/accounts?page=1&per_page=50',
} as const

/** The cookie of a session that a key opens. */
async function signIn(key: string): Promise<string> {
  const answer = await service.as(null).post('/v1/sessions', { key }, { headers: { origin: service.address } })
  assert.equal(answer.status, 201, answer.text)
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

/** A page of the console with the responses in it, by URL. */
async function load(path: string, headers: Record<string, string> = {}) {
  // Before the database ends a statement that waits.
  const signal = AbortSignal.timeout(30_000)
  const answer = await fetch(service.address + path, { headers: { accept: 'text/html', ...headers }, signal })
  const html = await answer.text()
  assert.equal(answer.status, 200, html)
  const document = parseDocument(html)
  const scripts = DomUtils.getElementsByTagName('script', document)
  const data = scripts.flatMap((one) => {
    const url = one.attribs['data-url']
    return url === undefined ? [] : [[url, JSON.parse(DomUtils.textContent(one))] as const]
  })
  return { html, headers: answer.headers, document, scripts, data: Object.fromEntries(data) }
}

test('a page with a session contains what the API responds to it, and no cache may store it', async () => {
  const scoped = await service.member({ visibility: 'scoped' })
  await service.admin.expect(201, 'POST', '/v1/accounts', { name: 'Ownerless', domain: 'ownerless.example' })
  for (const key of [ADMIN_KEY, scoped.key]) {
    const cookie = await signIn(key)
    for (const [path, list] of Object.entries(LISTS)) {
      const page = await load(path, { cookie })
      for (const url of ['/v1/me', list]) {
        const { body } = await service.as(null).get(url, { headers: { cookie } })
        assert.deepEqual(page.data[url], body, `${path} ${url}`)
      }
      assert.equal(page.headers.get('cache-control'), 'private, no-store')
      assert.equal(page.headers.get('vary'), 'cookie')
      assert.equal(page.headers.get('etag'), null)
    }
    // The list with search parameters is another one.
    assert.deepEqual(Object.keys((await load('/accounts?search=x', { cookie })).data), ['/v1/me'])
  }
})

test('text of an account cannot end the element of the data or start another one', async () => {
  const name = '</script><script>alert(1)</script><!--<script>\u2028'
  const { key, client } = await service.stranger()
  const account = await client.expect(201, 'POST', '/v1/accounts', { name, domain: 'hostile.example' })
  const page = await load('/accounts', { cookie: await signIn(key) })
  assert.equal(page.data[LISTS['/accounts']].data[0].name, account.name)
  assert.ok(account.name.includes('</script><script>'))
  assert.deepEqual(
    page.scripts.map((one) => one.attribs.type),
    ['module', 'application/json', 'application/json'],
  )
  assert.doesNotMatch(page.html, /alert\(1\)<|\u2028/)
  // Nothing inline may run: only the styles have a nonce.
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /script-src 'self';/)
  assert.doesNotMatch(policy, /unsafe/)
})

test('a page has no data without a session, with an ended one, or with two, and only data of its workspace', async () => {
  const { key, client } = await service.stranger()
  await client.expect(201, 'POST', '/v1/accounts', { name: 'Of the stranger', domain: 'stranger.example' })
  const [own, other] = [await signIn(ADMIN_KEY), await signIn(key)]
  const ended = await signIn(key)
  const answer = await service
    .as(null)
    .delete('/v1/sessions/current', undefined, { headers: { cookie: ended, origin: service.address } })
  assert.equal(answer.status, 200, answer.text)
  for (const cookie of ['', ended, `${own}; ${other}`]) {
    const page = await load('/accounts', cookie ? { cookie } : {})
    assert.deepEqual(page.data, {}, cookie)
    assert.doesNotMatch(page.html, /stranger/)
    assert.equal(page.headers.get('cache-control'), cookie ? 'private, no-store' : 'no-cache')
    assert.equal(page.headers.get('vary'), 'cookie')
  }
  assert.doesNotMatch((await load('/accounts', { cookie: own })).html, /Of the stranger/)
  assert.match((await load('/accounts', { cookie: other })).html, /Of the stranger/)
})

test('a list that takes long is left out, and the page is sent', async () => {
  const cookie = await signIn(ADMIN_KEY)
  await service.deps.db.transaction().execute(async (db) => {
    await sql`lock table work_items in access exclusive mode`.execute(db)
    const page = await load('/', { cookie })
    assert.equal(page.data[LISTS['/']], undefined)
    assert.equal(page.scripts[0]?.attribs.type, 'module')
  })
})

test('a page links the files that its code consists of', async () => {
  const linked = async (path: string, headers = {}) => {
    const { document } = await load(path, headers)
    const links = DomUtils.getElementsByTagName('link', document)
    return links.flatMap(({ attribs: { rel, href = '' } }) =>
      rel === 'modulepreload' || rel === 'stylesheet' ? [href] : [],
    )
  }
  const cookie = await signIn(ADMIN_KEY)
  const files = await linked('/accounts', { cookie })
  assert.ok(files.some((file) => /^\/assets\/Accounts-.*\.js$/.test(file)))
  assert.ok(files.some((file) => /^\/assets\/accounts-.*\.css$/.test(file)))
  assert.equal(new Set(files).size, files.length)
  for (const file of files) assert.equal((await fetch(service.address + file)).status, 200, file)
  assert.equal((await linked('/', { cookie })).length, 1, 'Today is in the initial files')
  assert.ok((await linked('/')).some((file) => /SignIn/.test(file)))
})
