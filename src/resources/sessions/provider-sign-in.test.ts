import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInternet } from '../../../sandbox/internet.ts'
import type { OidcMisbehaviour } from '../../../sandbox/oidc.ts'
import { refused } from '../../../test/support/client.ts'
import { cookieOf, person, startProviders } from '../../../test/support/provider.ts'
import { testService } from '../../../test/support/service.ts'
import { parseOidcProviders } from '../../config/oidc-providers.ts'
import { accessOf, refreshedAccess } from './provider-access.ts'

const { oidc, service, anonymous, secondWorkspace, providers, ...world } = await startProviders()
const { visitProvider, finish, signInAs, enter, browserOf, members, entries } = world
const { db } = service.deps

const INVALID: [OidcMisbehaviour, RegExp][] = [
  ['forged signature', /signature verification failed/],
  ['swapped key', /signature verification failed/],
  ['unknown key', /public key|key/],
  ['alg none', /unexpected JWT "alg"/],
  ['symmetric alg', /unexpected JWT "alg"/],
  ['expired', /"exp"/],
  ['issued in the future', /issued in the future/],
  ['not valid yet', /"nbf"/],
  ['wrong audience', /"aud"/],
  ['wrong issuer', /"iss"/],
  ['no nonce', /"nonce"/],
  ['wrong nonce', /"nonce"/],
  ['replayed', /"nonce"/],
]

for (const [how, reason] of INVALID) {
  test(`an ID token is refused: ${how}`, async () => {
    const who = person()
    // The same sign-in works while the provider behaves, so only the misbehaviour is refused.
    await enter(who)
    oidc.misbehave(how)
    const answer = await signInAs(who)
    oidc.misbehave(null)
    refused(answer, 401, 'unauthenticated')
    assert.match(answer.error.message, /^Sandbox returned a sign-in that is not valid: .* Sign in again; /)
    assert.match(answer.error.message, reason)
    assert.equal(answer.headers.get('set-cookie'), null)
  })
}

test('clocks may differ by a minute, and no more', async () => {
  const who = person()
  for (const [seconds, status] of [
    [45, 201],
    [90, 401],
    // An ID token lasts 300 seconds.
    [-345, 201],
    [-390, 401],
  ] as const) {
    oidc.shiftClock(seconds)
    assert.equal((await signInAs(who)).status, status, `${seconds} seconds`)
  }
  oidc.shiftClock(0)
})

test('the state must be the one of this browser, and works once', async () => {
  const who = person()
  for (const how of ['no state', 'wrong state'] as const) {
    oidc.misbehave(how)
    refused(await signInAs(who), 401, 'unauthenticated')
    oidc.misbehave(null)
  }
  const [mine, foreign] = [await visitProvider(), await visitProvider()]
  refused(await finish(mine.callback, ''), 401, 'unauthenticated')
  refused(await finish(mine.callback, foreign.cookie), 401, 'unauthenticated')
  const twice = new URLSearchParams(mine.callback)
  twice.append('state', twice.get('state') as string)
  refused(await finish(`?${twice}`, mine.cookie), 401, 'unauthenticated')
  // None of these has consumed it.
  const answers = await Promise.all([1, 2, 3].map(() => finish(mine.callback, mine.cookie)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401])
  const again = await finish(mine.callback, mine.cookie)
  refused(again, 401, 'unauthenticated')
  assert.match(again.error.message, /used before.*Sign in again/)
  const old = await visitProvider()
  await db.updateTable('sign_in_attempts').set({ expires_at: '2020-01-01T00:00:00Z' }).execute()
  refused(await finish(old.callback, old.cookie), 401, 'unauthenticated')
})

test('the redirect URI is the public one, whatever the request says, and a code of another sign-in is refused', async () => {
  oidc.signInAs(person())
  const started = await anonymous.post(
    '/v1/sign-in-requests',
    { provider: 'sandbox', redirect_uri: 'https://evil.example' },
    { headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' } },
  )
  const query = new URL(started.data.authorization_url).searchParams
  assert.equal(query.get('redirect_uri'), 'https://bellwether.example/sign-in/callback')
  assert.equal(query.get('code_challenge_method'), 'S256')
  assert.ok(query.get('nonce') && query.get('state'))
  assert.match(
    started.headers.get('set-cookie') ?? '',
    /^__Host-bellwether_consent=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/,
  )
  const tampered = new URL(started.data.authorization_url)
  tampered.searchParams.set('redirect_uri', 'https://evil.example/')
  assert.equal((await fetch(tampered)).status, 400)
  // A code that was issued for another PKCE verifier.
  const [mine, stolen] = [await visitProvider(), await visitProvider()]
  const mixed = new URLSearchParams(mine.callback)
  mixed.set('code', new URLSearchParams(stolen.callback).get('code') as string)
  refused(await finish(`?${mixed}`, mine.cookie), 401, 'unauthenticated')
  const cancelled = await visitProvider()
  const state = new URLSearchParams(cancelled.callback).get('state')
  const answer = await finish(`?error=access_denied&state=${state}`, cancelled.cookie)
  refused(answer, 401, 'unauthenticated')
  assert.match(answer.error.message, /you cancelled it/)
})

test('a sign-in from a page of another origin is refused, before and after the provider', async () => {
  oidc.signInAs(person())
  const { callback, cookie } = await visitProvider()
  const headers = { cookie, 'sec-fetch-site': 'cross-site' }
  refused(await anonymous.post('/v1/sign-in-requests', { provider: 'sandbox' }, { headers }), 403, 'forbidden')
  refused(await anonymous.post('/v1/sessions', { callback }, { headers }), 403, 'forbidden')
})

test('a person becomes a member, and their role and visibility follow their groups at each sign-in', async () => {
  const who = person()
  const first = await enter(who)
  assert.deepEqual([first.session.provider, first.session.key_id], ['sandbox', null])
  const [created] = await members(who.email as string)
  assert.deepEqual([created?.name, created?.role, created?.visibility], ['Dana Whitfield', 'member', 'scoped'])
  // The subject identifies the person, whose new address the member gets.
  const second = await enter({ ...who, email: 'renamed@team.example', groups: ['admins', 'sales'] })
  assert.equal(second.session.member_id, created?.id)
  assert.equal((await first.me()).data.member.role, 'admin')
  assert.deepEqual(
    [(await members('renamed@team.example'))[0]?.id, await members(who.email as string)],
    [created?.id, []],
  )
  const gone = await signInAs({ ...who, groups: ['marketing'] })
  refused(gone, 403, 'forbidden')
  assert.match(gone.error.message, /None of your groups/)
  for (const page of [first, second]) refused(await page.me(), 401, 'unauthenticated')
  assert.deepEqual(await entries(created?.id as string), [
    'provider createMember ok',
    'provider linkIdentity ok',
    'session signIn ok',
    'provider updateMember ok',
    'session signIn ok',
    'anonymous signIn refused',
    'provider endSession ok',
    'provider endSession ok',
  ])
  const [changed] = await service.admin.expect(200, 'GET', `/v1/audit?action=updateMember&member_id=${created?.id}`)
  assert.deepEqual(changed.changes, [
    { field: 'role', before: 'member', after: 'admin' },
    { field: 'email', before: '[masked]', after: '[masked]' },
    { field: 'visibility', before: 'scoped', after: 'all' },
  ])
  assert.ok(changed.request_id && changed.ip)
})

test('a verified address of an allowed domain links to the existing member, and others are refused', async () => {
  const known = await service.member({ email: 'Known@team.example', role: 'member' })
  const { url } = await service.admin.expect(201, 'POST', '/v1/sign-in-links', { member_id: known.id })
  const byLink = browserOf(await anonymous.post('/v1/sessions', { token: new URL(url).hash.slice(7) }))
  const byKey = browserOf(await anonymous.post('/v1/sessions', { key: known.key }))
  const who = person({ email: 'known@team.example' })
  for (const [claims, reason] of [
    [{ email_verified: false }, /not verified/],
    [{ email_verified: 'true' }, /not verified/],
    [{ email: undefined }, /no address/],
    [{ email: 'known@elsewhere.example' }, /no address of team\.example/],
    [{ email: 'known@team.example.evil.example' }, /no address of team\.example/],
    [{ email: 'known two@team.example' }, /cannot be used/],
    [{ groups: undefined }, /sent no groups.*Ask your admin to add you to a group/],
  ] as const) {
    const answer = await signInAs({ ...who, ...claims })
    refused(answer, 403, 'forbidden')
    assert.match(answer.error.message, reason)
  }
  assert.equal((await enter(who)).session.member_id, known.id)
  // From now on the provider decides, which does not know of links.
  refused(await byLink.me(), 401, 'unauthenticated')
  assert.equal((await byKey.me()).status, 200)
  assert.deepEqual((await entries(known.id)).slice(-4), [
    'provider linkIdentity ok',
    'provider endSession ok',
    'provider updateMember ok',
    'session signIn ok',
  ])
  // An address that the provider calls unverified also proves nothing for a person who is known.
  refused(await signInAs({ ...who, email_verified: false }), 403, 'forbidden')
  await enter(person({ email: "pat.o'brien@team.example" }))
  // A provider whose addresses the operator trusts, without groups.
  const unverified = person({ email_verified: undefined, groups: undefined })
  await enter(unverified, 'open')
  assert.equal((await members(unverified.email as string))[0]?.visibility, 'all')
})

test('a person who moves to another workspace leaves the sessions of the first', async () => {
  const who = person()
  const before = await enter(who)
  const now = await enter({ ...who, groups: ['second'] })
  const rows = await members(who.email as string)
  assert.deepEqual(
    rows.map(({ workspace_id }) => workspace_id),
    [service.workspaceId, secondWorkspace],
  )
  refused(await before.me(), 401, 'unauthenticated')
  assert.equal((await now.me()).data.member.id, rows[1]?.id)
})

test('the last admin of a workspace stays admin against their groups', async () => {
  const admins = () =>
    db.selectFrom('members').select('email').where('workspace_id', '=', secondWorkspace).where('role', '=', 'admin')
  const who = person({ groups: ['second'] })
  await enter(who)
  await db
    .updateTable('members')
    .set({ role: 'admin' })
    .where('email', '=', who.email as string)
    .execute()
  const page = await enter(who)
  assert.equal((await page.me()).data.member.role, 'admin')
  assert.equal((await admins().execute()).length, 1)
})

test('a former address of a member makes no one that member', async () => {
  const [alice, bo] = [person(), person()]
  const { session } = await enter(alice)
  const taken = await enter(bo)
  const renamed = { ...alice, email: 'alice.married@team.example' }
  await enter(renamed)
  const hired = await enter(person({ email: alice.email }))
  assert.notEqual(hired.session.member_id, session.member_id)
  // An address that another member has stays with them.
  await enter({ ...renamed, email: bo.email })
  assert.deepEqual(
    (await members(bo.email as string)).map(({ id }) => id),
    [taken.session.member_id],
  )
  assert.equal((await members(renamed.email))[0]?.id, session.member_id)
})

test('another account with the same address replaces the first, whose sessions end', async () => {
  const who = person()
  const [page, elsewhere] = [await enter(who), await enter(who, 'open')]
  const atOther = await enter(who, 'other')
  const after = await enter(person({ email: who.email }))
  assert.equal(after.session.member_id, page.session.member_id)
  for (const old of [page, elsewhere]) refused(await old.me(), 401, 'unauthenticated')
  for (const current of [after, atOther]) assert.equal((await current.me()).status, 200)
  assert.deepEqual((await entries(page.session.member_id)).slice(-5), [
    'provider replaceIdentity ok',
    'provider endSession ok',
    'provider endSession ok',
    'provider updateMember ok',
    'session signIn ok',
  ])
})

test('two issuers name the same person by address, never by subject, and one cannot answer for the other', async () => {
  const who = person()
  const { session } = await enter(who)
  assert.equal((await enter({ ...who, sub: 'their-id-there' }, 'other')).session.member_id, session.member_id)
  const namesake = await enter(person({ sub: who.sub }), 'other')
  assert.notEqual(namesake.session.member_id, session.member_id)
  const [mine, theirs] = [await visitProvider('sandbox'), await visitProvider('other')]
  const mixed = new URLSearchParams(theirs.callback)
  mixed.set('state', new URLSearchParams(mine.callback).get('state') as string)
  refused(await finish(`?${mixed}`, mine.cookie), 401, 'unauthenticated')
})

test('concurrent first sign-ins of a person make one member', async () => {
  const who = person()
  oidc.signInAs(who)
  const visits = await Promise.all([1, 2, 3].map(() => visitProvider()))
  const answers = await Promise.all(visits.map(({ callback, cookie }) => finish(callback, cookie)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal((await members(who.email as string)).length, 1)
})

test('Google proves the company by its claim `hd`, not by the address', () => {
  const [provider] = parseOidcProviders(
    JSON.stringify([{ ...providers[1], issuer: 'https://accounts.google.com', trust_email: false }]),
  )
  const claims = { ...person(), iss: 'https://accounts.google.com', aud: 'x', iat: 0, exp: 0 }
  assert.ok(provider)
  assert.throws(() => accessOf(provider, claims), { code: 'forbidden', message: /no address of team\.example/ })
  assert.throws(() => accessOf(provider, { ...claims, hd: 'evil.example' }), { code: 'forbidden' })
  assert.equal(accessOf(provider, { ...claims, hd: 'Team.example' }).role, 'member')
  // A refreshed ID token may leave it out.
  assert.equal(refreshedAccess(provider, claims, false)?.role, 'member')
})

test('while a provider does not respond, or not as one, links sign in', async () => {
  const who = person()
  oidc.signInAs(who)
  for (const how of ['no ID token', 'truncated tokens', 'maintenance'] as const) {
    const { callback, cookie } = await visitProvider()
    oidc.misbehave(how)
    const answer = await finish(callback, cookie)
    oidc.misbehave(null)
    refused(answer, 503, 'unavailable')
    assert.match(answer.error.message, /does not respond as expected .* ask your admin for a sign-in link/)
  }
  const { callback, cookie } = await visitProvider()
  oidc.setDown(true)
  refused(await finish(callback, cookie), 503, 'unavailable')
  const { url } = await service.admin.expect(201, 'POST', '/v1/sign-in-links', {})
  assert.equal((await anonymous.post('/v1/sessions', { token: new URL(url).hash.slice(7) })).status, 201)
  oidc.setDown(false)
})

test('the endpoints of a public provider are not at hosts that are allowed for another purpose', async () => {
  const issuer = 'https://sso.example'
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: 'https://vault.example/token' }
  const body = JSON.stringify({ issuer, ...endpoints })
  const internet = await startInternet(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body }))
  after(() => internet[Symbol.asyncDispose]())
  const env = { ...internet.env, PUBLIC_URL: 'https://bellwether.example', OUTBOUND_ALLOW: 'vault.example:443' }
  const OIDC_PROVIDERS = JSON.stringify([{ ...providers[0], issuer }])
  const isolated = await testService({ env: { ...env, OIDC_PROVIDERS } })
  const started = await isolated.as(null).post('/v1/sign-in-requests', { provider: 'sandbox' })
  const { searchParams } = new URL(started.data.authorization_url)
  const callback = `?code=one&state=${searchParams.get('state')}`
  const headers = { cookie: cookieOf(started) }
  const answer = await isolated.as(null).post('/v1/sessions', { callback }, { headers })
  refused(answer, 503, 'unavailable')
  assert.match(answer.error.message, /adds sso\.example:443 to OUTBOUND_ALLOW/)
  assert.deepEqual(
    internet.requests.map(({ url }) => url),
    [`${issuer}/.well-known/openid-configuration`],
  )
  await isolated.stop()
})

test('the providers are listed, one on a private address says how to allow it, and starting is rate limited', async () => {
  const options = await anonymous.expect(200, 'GET', '/v1/sign-in-options')
  assert.deepEqual(
    options.providers.map(({ id }: { id: string }) => id),
    providers.map(({ id }) => id),
  )
  assert.equal(options.email, false)
  const answer = await anonymous.post('/v1/sign-in-requests', { provider: 'private' })
  refused(answer, 503, 'unavailable')
  assert.match(answer.error.message, /adds 127\.0\.0\.1:9 to OUTBOUND_ALLOW/)
  refused(await anonymous.post('/v1/sign-in-requests', { provider: 'unknown' }), 404, 'not_found')
  refused(await anonymous.post('/v1/sign-in-links/email', { email: 'known@team.example' }), 404, 'not_found')
  let last = answer
  for (let count = 0; count < 130 && last.status !== 429; count++)
    last = await anonymous.post('/v1/sign-in-requests', { provider: 'unknown' })
  refused(last, 429, 'rate_limited')
})
