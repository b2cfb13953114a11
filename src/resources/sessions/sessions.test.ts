import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSmtp } from '../../../sandbox/smtp.ts'
import { type Answer, refused } from '../../../test/support/client.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { scene } from '../../../test/support/scene.ts'
import { ADMIN_KEY, type TestService, testService } from '../../../test/support/service.ts'

const service = await testService()
const nobody = service.as(null)
const { db } = service.deps

const HERE = { 'sec-fetch-site': 'same-origin' }
const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const tokenIn = (url: string) => new URL(url).hash.replace('#token=', '')
const link = async (member_id?: string) =>
  tokenIn((await service.admin.expect(201, 'POST', '/v1/sign-in-links', { member_id })).url)
const signIn = (body: object, headers: Record<string, string> = {}) =>
  nobody.post('/v1/sessions', body, { headers: { 'user-agent': CHROME, ...headers } })

/** A signed-in browser: it sends its cookie and the Origin of our pages. */
async function browser(body: object, at: TestService = service) {
  const answer = await at.as(null).post('/v1/sessions', body)
  assert.equal(answer.status, 201, answer.text)
  return browserWith(answer.headers.get('set-cookie')?.split(';', 1)[0] as string, answer.data, at)
}

function browserWith(cookie: string, session: Answer['data'], at: TestService = service) {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = HERE) =>
    at.as(null).send(method, path, body, { headers: { cookie, ...headers } })
  return { cookie, session, send, get: (path: string) => send('GET', path, undefined, {}) }
}

test('a link signs a browser in once, also when it is opened twice at the same time', async () => {
  const token = await link()
  const answers = await Promise.all([signIn({ token }), signIn({ token }), signIn({ token })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401])
  const again = await signIn({ token })
  refused(again, 401, 'unauthenticated')
  assert.match(again.error.message, /already used.*new one/)
  assert.equal(again.headers.get('set-cookie'), null)
  const { data, headers } = answers.find(({ status }) => status === 201) as Answer
  assert.deepEqual([data.browser, data.is_current, data.key_id], ['Chrome on macOS', true, null])
  const days = (Date.parse(data.expires_at) - Date.parse(data.created_at)) / 86_400_000
  assert.ok(Math.abs(days - 30) < 0.1, String(days))
  assert.match(
    headers.get('set-cookie') as string,
    /^bellwether_session=bws_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
  )
  assert.equal(headers.get('cache-control'), 'no-store')
  const stored = JSON.stringify(await db.selectFrom('sessions').selectAll().execute())
  assert.ok(!stored.includes('bws_') && !JSON.stringify(data).includes('bws_'))
})

test('a link that is expired, unknown, or sent together with a key is rejected', async () => {
  const token = await link()
  await db
    .updateTable('sign_in_links')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('used_at', 'is', null)
    .execute()
  const old = await signIn({ token })
  refused(old, 401, 'unauthenticated')
  assert.match(old.error.message, /has expired/)
  refused(await signIn({ token: `${token}x` }), 401, 'unauthenticated')
  for (const body of [{}, { token, key: ADMIN_KEY }]) refused(await signIn(body), 400, 'invalid_request')
  refused(await service.admin.post('/v1/sign-in-links', { member_id: crypto.randomUUID() }), 422, 'unknown_member')
})

test('a link uses the requested origin, and its token is in the fragment', async () => {
  const { url, expires_at } = await service.admin.expect(201, 'POST', '/v1/sign-in-links')
  assert.match(url, new RegExp(`^${service.address}/sign-in#token=bwl_[\\w-]{43}$`))
  const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
  assert.ok(minutes > 14 && minutes <= 15.1)
})

test('a key opens a session that names the browser, and only the cookie authenticates it', async () => {
  const { id, key } = await service.member({ name: 'Dana', visibility: 'scoped' })
  const dana = await browser({ key })
  const { member, workspace, session_id, read_only, version } = (await dana.get('/v1/me')).data
  assert.deepEqual([member.id, member.name, member.role, member.visibility], [id, 'Dana', 'member', 'scoped'])
  assert.deepEqual([session_id, workspace.id, read_only], [dana.session.id, service.workspaceId, false])
  assert.match(version, /^\d+\.\d+\.\d+/)
  const token = dana.cookie.split('=')[1] as string
  refused(await service.as(token).get('/v1/me'), 401, 'unauthenticated')
  // A key takes precedence over the cookie.
  const both = await service.admin.get('/v1/me', { headers: { cookie: dana.cookie } })
  assert.notEqual(both.data.member.id, id)
  assert.equal(both.data.session_id, null)
  refused(await service.as('wrong').get('/v1/me', { headers: { cookie: dana.cookie } }), 401, 'unauthenticated')
})

test('two session cookies, or an unknown one, authenticate no one', async () => {
  const { cookie } = await browser({ key: ADMIN_KEY })
  for (const sent of [`${cookie}; ${cookie}`, `${cookie}; x=1; bellwether_session=`, 'bellwether_session=nonsense']) {
    refused(await nobody.get('/v1/me', { headers: { cookie: sent } }), 401, 'unauthenticated')
  }
  const among = await nobody.get('/v1/me', { headers: { cookie: `a=b; ${cookie};theme=dark` } })
  assert.equal(among.status, 200)
})

test('a write by cookie is accepted only from the same origin', async () => {
  const { send, get } = await browser({ key: ADMIN_KEY })
  const port = new URL(service.address).port
  const section = { title: 'T', content_md: '' }
  const by = (headers: Record<string, string>) => send('POST', '/v1/knowledge-base', section, headers)
  const before = (await get('/v1/knowledge-base')).data.length
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    // Headers set by the browser take precedence over those a page can set.
    { 'sec-fetch-site': 'same-site', origin: service.address },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: `https://127.0.0.1:${port}` },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { origin: `http://localhost:${port}` },
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  ]
  for (const headers of foreign) {
    const answer = await by(headers)
    refused(answer, 403, 'forbidden')
    assert.match(answer.error.message, /API key/)
  }
  assert.equal((await get('/v1/knowledge-base')).data.length, before)
  assert.equal((await by(HERE)).status, 201)
  assert.equal((await by({ origin: service.address })).status, 201)
  // Browsers do not add a key automatically.
  const keyed = await service.admin.post('/v1/knowledge-base', section, { headers: { origin: 'https://evil.example' } })
  assert.equal(keyed.status, 201)
})

test('a page of another origin cannot sign in', async () => {
  const elsewhere: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ]
  for (const headers of elsewhere) {
    const answer = await signIn({ key: ADMIN_KEY }, headers)
    refused(answer, 403, 'forbidden')
    assert.equal(answer.headers.get('set-cookie'), null)
  }
  assert.equal((await signIn({ key: ADMIN_KEY }, HERE)).status, 201)
  assert.equal((await signIn({ key: ADMIN_KEY }, { origin: service.address })).status, 201)
})

test('under https the cookie has the __Host- prefix, and links use the public address', async () => {
  const PUBLIC_URL = 'https://bellwether.northwind.example'
  const secure = await testService({ env: { PUBLIC_URL, SESSION_DAYS: '2', TRUST_PROXY: '1' } })
  const { url } = await secure.admin.expect(201, 'POST', '/v1/sign-in-links')
  assert.ok(url.startsWith(`${PUBLIC_URL}/sign-in#token=`), url)
  const answer = await secure.as(null).post('/v1/sessions', { token: tokenIn(url) })
  const cookie = answer.headers.get('set-cookie') as string
  assert.match(cookie, /^__Host-bellwether_session=bws_\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/)
  assert.ok(Date.parse(answer.data.expires_at) - Date.now() < 2 * 86_400_000 + 5_000)
  const page = browserWith(cookie.split(';', 1)[0] as string, answer.data, secure)
  const write = (origin: string, headers = {}) =>
    page.send('PUT', '/v1/subscription', { account_limit: 10 }, { origin, ...headers })
  assert.equal((await write(PUBLIC_URL)).status, 200)
  refused(await write('http://bellwether.northwind.example'), 403, 'forbidden')
  // The proxy is believed about https, and never about the host.
  const inside = secure.address.replace('http:', 'https:')
  refused(await write(inside), 403, 'forbidden')
  assert.equal((await write(inside, { 'x-forwarded-proto': 'https' })).status, 200)
  refused(await write('https://evil.example', { 'x-forwarded-host': 'evil.example' }), 403, 'forbidden')
  // Without the prefix it may have been set by any page of the site.
  const plain = page.cookie.replace('__Host-', '')
  refused(await secure.as(null).get('/v1/me', { headers: { cookie: plain } }), 401, 'unauthenticated')
})

test('a session ends with its key and with its member, at once', async () => {
  const { id, key } = await service.member()
  const { id: key_id, key: second } = await service.admin.expect(201, 'POST', '/v1/api-keys', {
    name: 'k',
    member_id: id,
  })
  const [byKey, bySecond, byLink] = [
    await browser({ key }),
    await browser({ key: second }),
    await browser({ token: await link(id) }),
  ]
  for (const { get } of [byKey, bySecond, byLink]) assert.equal((await get('/v1/me')).data.member.id, id)
  const listed = await service.admin.expect(200, 'GET', '/v1/api-keys')
  assert.equal(listed.find((one: { id: string }) => one.id === key_id).sessions, 1)
  await service.admin.expect(200, 'DELETE', `/v1/api-keys/${key_id}`)
  refused(await bySecond.get('/v1/me'), 401, 'unauthenticated')
  assert.match((await bySecond.get('/v1/me')).error.message, /session has ended/)
  for (const { get } of [byKey, byLink]) assert.equal((await get('/v1/me')).status, 200)
  const mine = (await byLink.get('/v1/sessions')).data.map((one: { id: string }) => one.id)
  assert.deepEqual(mine.sort(), [byKey.session.id, byLink.session.id].sort())

  await db.updateTable('api_keys').set({ expires_at: '2020-01-01T00:00:00Z' }).where('member_id', '=', id).execute()
  service.deps.keys.forget()
  refused(await byKey.get('/v1/me'), 401, 'unauthenticated')
  assert.equal((await byLink.get('/v1/me')).status, 200)
  await service.admin.expect(200, 'DELETE', `/v1/members/${id}`)
  refused(await byLink.get('/v1/me'), 401, 'unauthenticated')
  const left = await db.selectFrom('sessions').select('id').where('member_id', '=', id).execute()
  assert.deepEqual(left, [])
})

test('a used session is extended for at most a year, and an unused one expires', async () => {
  const { get, session } = await browser({ key: ADMIN_KEY })
  const set = async (fields: Record<string, string>) => {
    await db.updateTable('sessions').set(fields).where('id', '=', session.id).execute()
    service.deps.keys.forget()
  }
  const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
  const daysLeft = async () => {
    const { data } = await get('/v1/sessions?per_page=100')
    return Math.round(
      (Date.parse(data.find((one: { id: string }) => one.id === session.id).expires_at) - Date.now()) / 86_400_000,
    )
  }
  await set({ last_used_at: day(-20), expires_at: day(10) })
  assert.equal(await daysLeft(), 30)
  await set({ created_at: day(-360), last_used_at: day(-2), expires_at: day(3) })
  assert.equal(await daysLeft(), 5)
  await set({ expires_at: day(-1) })
  refused(await get('/v1/me'), 401, 'unauthenticated')
})

test('a member lists and ends their own sessions, an admin all', async () => {
  const { client, id, key } = await service.member()
  const [first, second, other] = [await browser({ key }), await browser({ key }), await browser({ key: ADMIN_KEY })]
  const listed = (await first.get('/v1/sessions')).data as { id: string; member_id: string; is_current: boolean }[]
  assert.deepEqual(
    listed.map((one) => [one.member_id, one.id === first.session.id]),
    listed.map((one) => [id, one.is_current]),
  )
  assert.equal(listed.length, 2)
  const all = (await other.get('/v1/sessions?per_page=100')).data as typeof listed
  for (const { session } of [first, second, other]) assert.ok(all.some((one) => one.id === session.id))
  assert.equal((await service.admin.get('/v1/sessions?per_page=1')).body.pagination.per_page, 1)

  refused(await first.send('DELETE', `/v1/sessions/${other.session.id}`), 404, 'not_found')
  refused(await client.delete('/v1/sessions/current'), 404, 'not_found')
  refused(await first.send('DELETE', '/v1/sessions/nonsense'), 404, 'not_found')
  const ended = await first.send('DELETE', `/v1/sessions/${second.session.id}`)
  assert.deepEqual(ended.data, { id: second.session.id, deleted: true, sign_out_url: null })
  assert.equal(ended.headers.get('set-cookie'), null)
  refused(await second.get('/v1/me'), 401, 'unauthenticated')
  const out = await first.send('DELETE', '/v1/sessions/current')
  assert.deepEqual(out.data, { id: first.session.id, deleted: true, sign_out_url: null })
  assert.match(out.headers.get('set-cookie') as string, /^bellwether_session=; .*Max-Age=0/)
  refused(await first.get('/v1/me'), 401, 'unauthenticated')

  const third = await browser({ key })
  await service.admin.expect(200, 'DELETE', `/v1/sessions/${third.session.id}`)
  refused(await third.get('/v1/me'), 401, 'unauthenticated')
  const { client: stranger } = await service.stranger()
  refused(await stranger.delete(`/v1/sessions/${other.session.id}`), 404, 'not_found')
})

test('signing in again in a browser replaces its session', async () => {
  const first = await browser({ key: ADMIN_KEY })
  const answer = await signIn({ key: ADMIN_KEY }, { cookie: first.cookie })
  assert.equal(answer.status, 201)
  refused(await first.get('/v1/me'), 401, 'unauthenticated')
  const many = Array.from({ length: 3 }, () => first.cookie).join('; ')
  refused(await signIn({ key: ADMIN_KEY }, { cookie: many }), 400, 'invalid_request')
})

test('a link or key does not replace another member’s session without `replace`, and stays valid', async () => {
  const [dana, other] = [await service.member({ name: 'Dana' }), await service.member()]
  const stranger = await service.stranger()
  const page = await browser({ key: dana.key })
  const token = await link(other.id)
  for (const body of [{ token }, { token, replace: false }, { key: other.key }, { key: stranger.key }]) {
    const answer = await signIn(body, { cookie: page.cookie })
    refused(answer, 409, 'signed_in_as_other')
    assert.match(answer.error.message, /^This browser is signed in as Dana\. /)
    assert.equal(answer.headers.get('set-cookie'), null)
  }
  assert.equal((await page.get('/v1/me')).data.member.id, dana.id)
  const refusals = await service.admin.expect(200, 'GET', `/v1/audit?outcome=refused&member_id=${other.id}`)
  assert.deepEqual(
    refusals.map(({ action, error_code }: { action: string; error_code: string }) => `${action} ${error_code}`),
    ['signIn signed_in_as_other', 'signIn signed_in_as_other', 'signIn signed_in_as_other'],
  )
  const replaced = await signIn({ token, replace: true }, { cookie: page.cookie })
  assert.deepEqual([replaced.status, replaced.data.member_id], [201, other.id])
  refused(await page.get('/v1/me'), 401, 'unauthenticated')
  const [ended] = await service.admin.expect(200, 'GET', `/v1/audit?target_id=${page.session.id}&action=endSession`)
  assert.deepEqual([ended?.actor, ended?.member_id, ended?.outcome], ['session', dana.id, 'ok'])
  // An ended session belongs to no member, and signing in as the same member needs no `replace`.
  assert.equal((await signIn({ key: dana.key }, { cookie: page.cookie })).status, 201)
  const again = await browser({ key: dana.key })
  assert.equal((await signIn({ token: await link(dana.id) }, { cookie: again.cookie })).status, 201)
})

test('roles and scoped visibility apply to sessions as to keys', async () => {
  const scoped = await service.member({ visibility: 'scoped' })
  const { people } = await scene(service, {
    owner: { client: service.admin, workspaceId: service.workspaceId },
    accounts: [{ name: 'Hidden', domain: 'hidden-from-scoped.com' }],
    people: [{ full_name: 'Mara Hidden' }],
  })
  const page = await browser({ token: await link(scoped.id) })
  refused(await page.get(`/v1/people/${people[0]?.id}`), 404, 'not_found')
  refused(await page.get('/v1/api-keys'), 403, 'forbidden')
  refused(await page.send('POST', '/v1/sign-in-links', {}), 403, 'forbidden')
  refused(await page.send('POST', '/v1/signals', { name: 'S', description: 'D' }), 403, 'forbidden')
  await service.admin.expect(200, 'PATCH', `/v1/members/${scoped.id}`, { role: 'admin' })
  assert.equal((await page.get(`/v1/people/${people[0]?.id}`)).status, 200)
})

test('a read-only key signs in and out and changes nothing else', async () => {
  const { id, key } = await service.member({ role: 'admin' }, { read_only: true })
  const page = await browser({ key })
  assert.equal((await page.get('/v1/me')).data.read_only, true)
  refused(await page.send('POST', '/v1/knowledge-base', { title: 'T', content_md: '' }), 403, 'forbidden')
  refused(await page.send('POST', '/v1/sign-in-links', {}), 403, 'forbidden')
  const [others, own] = [await browser({ key: ADMIN_KEY }), await browser({ token: await link(id) })]
  for (const { session } of [others, own])
    refused(await page.send('DELETE', `/v1/sessions/${session.id}`), 404, 'not_found')
  assert.equal((await page.send('DELETE', '/v1/sessions/current')).status, 200)
})

test('sign-in attempts are rate limited, and sign-in responses are not stored for idempotency keys', async () => {
  const guarded = await testService()
  const door = guarded.as(null)
  const headers = { 'idempotency-key': 'once' }
  const twice = [1, 2].map(() => door.post('/v1/sessions', { key: ADMIN_KEY }, { headers }))
  const cookies = (await Promise.all(twice)).map((answer) => answer.headers.get('set-cookie'))
  assert.notEqual(cookies[0], cookies[1])
  const guess = () => door.post('/v1/sessions', { key: 'a-guess' })
  for (let n = 0; n < 30; n++) refused(await guess(), 401, 'unauthenticated')
  // A slow machine takes so long for these that some are refilled.
  let next = await guess()
  for (; next.status !== 429; next = await guess()) refused(next, 401, 'unauthenticated')
  refused(next, 429, 'rate_limited')
  // A link has 256 random bits and cannot be guessed, so links are not rate limited.
  const { url } = await guarded.admin.expect(201, 'POST', '/v1/sign-in-links')
  assert.equal((await door.post('/v1/sessions', { token: tokenIn(url) })).status, 201)
})

test('a sign-in link is sent by email, with the same answer for every address, and few mails to one', async () => {
  const smtp = await startSmtp({ encryption: 'none' })
  after(() => smtp[Symbol.asyncDispose]())
  const PUBLIC_URL = 'http://127.0.0.1:3999'
  const env = { ...smtp.env, SMTP_TLS: 'none', OUTBOUND_CONNECT_TO: smtp.connectTo, PUBLIC_URL }
  const mailing = await testService({ env })
  const door = mailing.as(null)
  assert.equal((await door.expect(200, 'GET', '/v1/sign-in-options')).email, true)
  const { id } = await mailing.member({ email: 'Dana@team.example' })
  const request = (email: string) => door.post('/v1/sign-in-links/email', { email })
  const [known, unknown] = [await request('dana@team.example'), await request('eve@team.example')]
  assert.deepEqual([known.status, known.data], [202, { email: 'dana@team.example' }])
  assert.deepEqual([unknown.status, unknown.data], [202, { email: 'eve@team.example' }])
  await smtp.until(() => smtp.mails.length === 1)
  assert.deepEqual(smtp.mails[0]?.to, ['Dana@team.example'])
  const [, token = ''] =
    /http:\/\/127\.0\.0\.1:3999\/sign-in#token=(bwl_[\w-]{43})\s/.exec(smtp.mails[0]?.text ?? '') ?? []
  const opened = await door.post('/v1/sessions', { token })
  assert.deepEqual([opened.status, opened.data.member_id], [201, id])
  refused(await door.post('/v1/sessions', { token }), 401, 'unauthenticated')
  // No mail while an unused link is younger than ten minutes, from all requests together; the response does not say.
  for (let n = 0; n < 3; n++) assert.equal((await request('dana@team.example')).status, 202)
  refused(await request('dana@team.example'), 429, 'rate_limited')
  await mailing.stop()
  assert.equal(smtp.mails.length, 2)
  const later = await testService({ env, databaseUrl: mailing.databaseUrl })
  await later.deps.pool.query("update sign_in_links set emailed_at = now() - interval '11 minutes'")
  // A mail that the server does not accept does not keep the member from requesting the next one.
  smtp.behave('Dana@team.example', { do: 'greylist' })
  const send = () => later.as(null).expect(202, 'POST', '/v1/sign-in-links/email', { email: 'dana@team.example' })
  const forgotten = 'select from sign_in_links where emailed_at is null and used_at is null and member_id = $1'
  await send()
  await eventually('a forgotten mail', async () => (await later.deps.pool.query(forgotten, [id])).rowCount === 2)
  await send()
  await smtp.until(() => smtp.mails.length === 3)
  const sent = await later.admin.expect(200, 'GET', `/v1/audit?target_id=${id}&action=emailSignInLink`)
  assert.deepEqual(
    sent.map(({ actor, ip }: { actor: string; ip: string }) => `${actor} ${ip}`),
    Array(4).fill('anonymous 127.0.0.1'),
  )
  await later.stop()
})
