import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OidcMisbehaviour } from '../../../sandbox/oidc.ts'
import { refused } from '../../../test/support/client.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { cookieOf, person, startProviders } from '../../../test/support/provider.ts'

const { oidc, other, service, anonymous, providers, start, ...world } = await startProviders()
const { enter, signInAs, browserOf, expireAccess, members, entries } = world
const { db } = service.deps

/** The statuses of three requests that all find the check of a session due before one of them can claim it. */
async function askThrice({ session, me }: Awaited<ReturnType<typeof enter>>): Promise<number[]> {
  const { pool } = service.deps
  const lock = await pool.connect()
  await lock.query('begin')
  await lock.query('select from sessions where id = $1 for update', [session.id])
  const asked = Promise.all([1, 2, 3].map(() => me()))
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await eventually('three requests wait for the row', async () => (await pool.query(waiting)).rowCount === 3)
  await lock.query('commit')
  lock.release()
  return (await asked).map(({ status }) => status)
}

test('the provider is asked again when the access token has expired, by one request, and groups apply', async () => {
  const who = person()
  const page = await enter(who)
  const before = oidc.refreshes()
  await page.me()
  assert.equal(oidc.refreshes(), before, 'not before it has expired')
  oidc.signInAs({ ...who, groups: ['admins'] })
  await expireAccess(page.session)
  assert.deepEqual(await askThrice(page), [200, 200, 200])
  assert.equal(oidc.refreshes(), before + 1)
  assert.equal((await page.me()).data.member.role, 'admin')
  // The rotated refresh token is the one that is used next.
  await expireAccess(page.session)
  assert.equal((await page.me()).status, 200)
  oidc.signInAs({ ...who, groups: [] })
  await expireAccess(page.session)
  refused(await page.me(), 401, 'unauthenticated')
  assert.deepEqual((await entries(page.session.member_id)).slice(-2), [
    'provider updateMember ok',
    'provider endSession ok',
  ])
})

test('a session that was last confirmed 8 hours ago is not served while the provider is asked, and links sign in', async () => {
  const who = person()
  const page = await enter(who)
  await expireAccess(page.session, '9 hours')
  oidc.disable(who.sub)
  const statuses = await askThrice(page)
  assert.ok(statuses.includes(401) && !statuses.includes(200), String(statuses))
  const answer = await signInAs(person())
  const { session, me } = browserOf(answer)
  await expireAccess(session, '9 hours')
  // Claimed by a request that has not finished.
  await service.deps.pool.query("update sessions set refresh_at = now() + interval '1 minute' where id = $1", [
    session.id,
  ])
  const early = await me()
  refused(early, 503, 'unavailable')
  assert.equal(early.headers.get('retry-after'), '1')
  const { url } = await service.admin.expect(201, 'POST', '/v1/sign-in-links', {})
  const headers = { cookie: cookieOf(answer) }
  assert.equal((await anonymous.post('/v1/sessions', { token: new URL(url).hash.slice(7) }, { headers })).status, 201)
})

test('groups that a refreshed ID token leaves out are none if an earlier token had them', async () => {
  const who = person({ groups: ['admins'], email: 'before@team.example' })
  const [page, mixed] = [await enter(who), await enter(who, 'mixed')]
  // An ID token without the domain says nothing about it.
  oidc.signInAs({ sub: who.sub })
  await expireAccess(mixed.session)
  assert.equal((await mixed.me()).data.member.role, 'member')
  await expireAccess(page.session)
  refused(await page.me(), 401, 'unauthenticated')
  // The sign-in had none either, so the token does not say: what an admin has set stays.
  const none = person({ groups: undefined })
  const unsaid = await enter(none, 'mixed')
  await service.admin.expect(200, 'PATCH', `/v1/members/${unsaid.session.member_id}`, { role: 'admin' })
  await expireAccess(unsaid.session)
  assert.equal((await unsaid.me()).data.member.role, 'admin')
  oidc.signInAs({ ...none, email: 'after@team.example' })
  await expireAccess(unsaid.session)
  await unsaid.me()
  assert.equal((await members('after@team.example'))[0]?.id, unsaid.session.member_id)
  oidc.signInAs({ ...none, email: 'left@elsewhere.example' })
  await expireAccess(unsaid.session)
  refused(await unsaid.me(), 401, 'unauthenticated')
  assert.deepEqual(await members('left@elsewhere.example'), [])
  // Without mapped groups, the domain and the default are checked each time.
  const open = await enter(who, 'open')
  await service.admin.expect(200, 'PATCH', `/v1/members/${open.session.member_id}`, { visibility: 'scoped' })
  await expireAccess(open.session)
  assert.equal((await open.me()).data.member.visibility, 'all')
  oidc.signInAs({ ...who, email: 'left@elsewhere.example' })
  await expireAccess(open.session)
  refused(await open.me(), 401, 'unauthenticated')
})

test('responses that do not concern the person keep a session, and others end it', async () => {
  const page = await enter(person())
  const due = async (how: OidcMisbehaviour | null, at = service) => {
    await expireAccess(page.session)
    oidc.misbehave(how)
    const { status } = await page.me(at)
    oidc.misbehave(null)
    return status
  }
  oidc.setSecret('another')
  for (const how of [null, 'challenge'] as const) assert.equal(await due(how), 200, `wrong secret, ${how}`)
  oidc.setSecret(oidc.client.secret)
  // Each of these loads the metadata of the provider.
  for (const how of ['empty metadata', 'another issuer in metadata', 'truncated metadata', 'maintenance'] as const) {
    const fresh = await start(providers)
    assert.equal(await due(how, fresh), 200, how)
    await fresh.stop()
  }
  assert.equal(await due('maintenance'), 200)
  assert.equal(await due(null), 200)
  // The refresh token was used by the lost response, which the provider states with a challenge.
  assert.equal(await due('truncated tokens'), 200)
  assert.equal(await due('challenge'), 401)
  for (const how of ['another subject', 'forged signature'] as const) {
    const other = await enter(person())
    await expireAccess(other.session)
    oidc.misbehave(how)
    refused(await other.me(), 401, 'unauthenticated')
    oidc.misbehave(null)
  }
})

test('a session ends with its provider or issuer in the configuration, and with tokens that cannot be decrypted', async () => {
  const [page, kept] = [await enter(person()), await enter(person(), 'open')]
  const without = await start(providers.filter(({ id }) => id !== 'sandbox'))
  refused(await page.me(without), 401, 'unauthenticated')
  assert.equal((await kept.me(without)).status, 200)
  await without.stop()
  // Another issuer does not receive the refresh token.
  const moved = await enter(person())
  const elsewhere = { issuer: other.issuer, client_secret: other.client.secret }
  const changed = await start(providers.map((one) => (one.id === 'sandbox' ? { ...one, ...elsewhere } : one)))
  await expireAccess(moved.session)
  refused(await moved.me(changed), 401, 'unauthenticated')
  assert.equal(other.refreshes(), 0)
  await changed.stop()
  const text = "update sessions set tokens_sealed = '\\x01' || substring(tokens_sealed from 3) where id = $1"
  await service.deps.pool.query(text, [kept.session.id])
  await expireAccess(kept.session)
  refused(await kept.me(), 401, 'unauthenticated')
  assert.deepEqual((await entries(kept.session.member_id)).at(-1), 'provider endSession ok')
})

for (const table of ['members', 'sessions'] as const) {
  test(`a member has no session, and no other role, after it was deleted from ${table} while the provider is asked`, async () => {
    const who = person()
    const page = await enter(who)
    oidc.signInAs({ ...who, groups: ['admins'] })
    await expireAccess(page.session)
    const { pool } = service.deps
    const before = await pool.query('select tokens_sealed from sessions where id = $1', [page.session.id])
    const lock = await pool.connect()
    await lock.query('begin')
    await lock.query('select from workspaces where id = $1 for update', [service.workspaceId])
    const asked = page.me()
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await eventually('the request waits for the workspace', async () => (await pool.query(waiting)).rowCount === 1)
    // The rotated refresh token is stored before the lock, because the former one is no longer accepted.
    const stored = 'select from sessions where id = $1 and tokens_sealed <> $2'
    assert.equal((await pool.query(stored, [page.session.id, before.rows[0].tokens_sealed])).rowCount, 1)
    const { id, member_id } = page.session
    await lock.query(`delete from ${table} where id = $1`, [table === 'members' ? member_id : id])
    await lock.query('commit')
    lock.release()
    refused(await asked, 401, 'unauthenticated')
    const [member] = await members(who.email as string)
    assert.equal(member?.role, table === 'members' ? undefined : 'member')
  })
}

test('a session ends when the provider no longer accepts its person, and survives an outage of 8 hours', async () => {
  const who = person()
  const [page, other] = [await enter(who), await enter(who)]
  oidc.setDown(true)
  await expireAccess(page.session, '7 hours')
  assert.equal((await page.me()).status, 200)
  await expireAccess(other.session, '9 hours')
  refused(await other.me(), 401, 'unauthenticated')
  oidc.setDown(false)
  oidc.disable(who.sub)
  await expireAccess(page.session)
  refused(await page.me(), 401, 'unauthenticated')
  const kept = await db.selectFrom('sessions').selectAll().where('provider', '=', 'sandbox').execute()
  assert.ok(!kept.some(({ id }) => id === page.session.id))
})

test('without a refresh token a session ends after 12 hours, also if it is used', async () => {
  oidc.giveRefreshTokens(false)
  const page = await enter(person())
  oidc.giveRefreshTokens(true)
  const hours = ({ created_at, expires_at }: { created_at: string; expires_at: string }) =>
    (Date.parse(expires_at) - Date.parse(created_at)) / 3_600_000
  assert.equal(Math.round(hours(page.session)), 12)
  await db
    .updateTable('sessions')
    .set({ last_used_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', page.session.id)
    .execute()
  service.deps.keys.forget()
  await page.me()
  const { data } = await page.send('GET', '/v1/sessions')
  assert.equal(Math.round(hours(data[0])), 12)
})

test('signing out also signs out at the provider; tokens are stored encrypted', async () => {
  const page = await enter(person())
  const { rows } = await service.deps.pool.query('select tokens_sealed from sessions where id = $1', [page.session.id])
  assert.ok(rows[0].tokens_sealed.length > 100 && !rows[0].tokens_sealed.toString('latin1').includes('refresh_token'))
  const ended = await page.send('DELETE', '/v1/sessions/current')
  const url = new URL(ended.data.sign_out_url)
  assert.equal(url.origin + url.pathname, `${oidc.issuer}/sign-out`)
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), 'https://bellwether.example/sign-in')
  assert.match(url.searchParams.get('id_token_hint') ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/)
  refused(await page.me(), 401, 'unauthenticated')
  const { id } = await service.member()
  const { url: link } = await service.admin.expect(201, 'POST', '/v1/sign-in-links', { member_id: id })
  const token = new URL(link).hash.replace('#token=', '')
  const byLink = await anonymous.post('/v1/sessions', { token })
  const headers = { cookie: cookieOf(byLink), 'sec-fetch-site': 'same-origin' }
  const left = await anonymous.delete('/v1/sessions/current', undefined, { headers })
  assert.deepEqual([left.status, left.data.sign_out_url], [200, null])
})
