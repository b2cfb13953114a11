import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createSalesforce } from '../../../sandbox/vendors/salesforce.ts'
import { createSlack } from '../../../sandbox/vendors/slack.ts'
import { type Answer, type Client, refused } from '../../../test/support/client.ts'
import { commands } from '../../../test/support/commands.ts'
import { assertDocumented, quickHubspot } from '../../../test/support/crm.ts'
import { beside } from '../../../test/support/process.ts'
import { testService } from '../../../test/support/service.ts'
import { testWorld } from '../../../test/support/world.ts'
import { openCrm } from '../../delivery/crm/session.ts'
import { CRM_PROVIDERS } from '../../providers/crm/registry.ts'
import { CONNECTION_PROVIDERS } from './provider-schema.ts'
import { findConnection } from './store.ts'

const hubspot = quickHubspot()
const salesforce = createSalesforce()
const slack = createSlack({ team: 'Northwind', tokens: ['xoxb-good'] })
const { internet } = await testWorld({ vendors: [hubspot, salesforce, slack] })
const CLIENT = {
  ...{ CRM_ONE_CLIENT_ID: 'sandbox-client', CRM_ONE_CLIENT_SECRET: 'sandbox-secret' },
  ...{ CRM_TWO_CLIENT_ID: 'sandbox-client', CRM_TWO_CLIENT_SECRET: 'sandbox-secret' },
}
const service = await testService({
  env: { ...internet.env, ...CLIENT, PUBLIC_URL: 'https://bellwether.example', PUSH_RETRY_SECONDS: '0' },
})
const { db, secrets } = service.deps
after(() => {
  assertDocumented(hubspot)
  assertDocumented(salesforce)
})

const VENDORS = { crm_one: hubspot, crm_two: salesforce }
const ACCOUNT = { crm_one: String(hubspot.portalId), crm_two: salesforce.orgId }
type Provider = keyof typeof VENDORS
const PROVIDERS = Object.keys(VENDORS) as Provider[]
const tokenOf = (provider: Provider, token: string) => ({ provider, token, instance_url: salesforce.instanceUrl })

/** Follows the URL as a browser does: the vendor consents and redirects. Returns the URL of the redirect. */
async function consent(authorizationUrl: string): Promise<URL> {
  const url = new URL(authorizationUrl)
  const vendor = [hubspot, salesforce].find(({ hosts }) => hosts.includes(url.hostname))
  assert.ok(vendor)
  const { status, headers } = await vendor.answer({ method: 'GET', url, headers: {}, body: '' }, {} as never)
  assert.equal(status, 302)
  return new URL(headers?.location ?? '')
}

const HERE = { 'sec-fetch-site': 'same-origin' }
const setBy = (answer: Answer) => answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''

/** The session cookie of a browser that signs in with the client's key. */
const signedIn = async ({ key }: Client) => setBy(await service.as(null).post('/v1/sessions', { key }))

/** The cookies of the browsers that started a consent, by state. */
const nonces = new Map<string, string>()

/** Starts a consent in a browser, which stores the cookie and may have one already. */
async function askInBrowser(client: Client, provider: Provider, kept = ''): Promise<string> {
  const headers = { ...HERE, cookie: `${await signedIn(client)}; ${kept}` }
  const answer = await service.as(null).post('/v1/connections/authorize', { provider }, { headers })
  assert.equal(answer.status, 200, answer.text)
  const { authorization_url } = answer.data
  nonces.set(new URL(authorization_url).searchParams.get('state') ?? '', setBy(answer))
  return authorization_url
}

const authorize = async (client: Client, provider: Provider, kept?: string) =>
  consent(await askInBrowser(client, provider, kept))

/** Requests the callback from the browser that started the consent, or from another. */
const callback = (back: URL, cookie = nonces.get(back.searchParams.get('state') ?? '') ?? '') =>
  service.as(null).get(back.pathname + back.search, { headers: { cookie } })

const accounts = (client: Client) =>
  client.expect(201, 'POST', '/v1/accounts', [{ name: 'Acme', domain: `${crypto.randomUUID()}.com` }])

test('every member can list what can be connected, with labels', async () => {
  const { client } = await service.member()
  const offered = await client.expect(200, 'GET', '/v1/connections/providers')
  assert.deepEqual(
    offered.map(({ provider, kind, label, consent }: Record<string, unknown>) => [provider, kind, label, consent]),
    [
      ['crm_one', 'crm', 'HubSpot', true],
      ['crm_two', 'crm', 'Salesforce', true],
      ['chat', 'chat', 'Slack', false],
    ],
  )
  assert.match(offered[1].instance_url.example, /my\.salesforce\.com/)
})

for (const provider of PROVIDERS) {
  test(`${provider}: a token is tested, encrypted, never shown, and reported`, async () => {
    const { client, workspaceId } = await service.stranger()
    const token = `key-${crypto.randomUUID()}`
    VENDORS[provider].oauth.allow(token)
    const created = await client.post('/v1/connections', tokenOf(provider, token))
    assert.equal(created.status, 201)
    const { connected_at, ...rest } = created.data
    assert.deepEqual(rest, { provider, account: ACCOUNT[provider], problem: null })
    const status = { provider, connected_at, problem: null }
    const list = await client.get('/v1/connections')
    const report = await client.get('/v1/integrations')
    assert.deepEqual(report.data.crm, { connected: true, ...status })
    assert.deepEqual(report.data.crms, [status])
    for (const { text } of [created, list, report]) assert.ok(!text.includes(token))
    const row = await db
      .selectFrom('connections')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()
    assert.ok(!row.credential_sealed.includes(token))
    assert.equal((await findConnection(db, workspaceId, provider, secrets))?.credential.token, token)
    assert.deepEqual(await client.expect(200, 'DELETE', `/v1/connections/${provider}`), { provider, deleted: true })
    assert.deepEqual((await client.expect(200, 'GET', '/v1/integrations')).crms, [])
    refused(await client.delete(`/v1/connections/${provider}`), 404, 'not_found')
  })

  test(`${provider}: a token the vendor does not accept is refused and kept nowhere`, async () => {
    const { client, workspaceId } = await service.stranger()
    refused(await client.post('/v1/connections', tokenOf(provider, 'wrong')), 422, 'credential_rejected')
    assert.equal(await findConnection(db, workspaceId, provider, secrets), null)
  })

  test(`${provider}: consent connects, with PKCE, and its link works once`, async () => {
    const { client, workspaceId } = await service.stranger()
    const authorization_url = await askInBrowser(client, provider)
    const query = new URL(authorization_url).searchParams
    assert.equal(query.get('redirect_uri'), 'https://bellwether.example/oauth/callback')
    assert.deepEqual([query.get('code_challenge_method'), query.get('code_challenge')?.length], ['S256', 43])
    const back = await consent(authorization_url)
    const page = await callback(back)
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /is connected/)
    const kept = await findConnection(db, workspaceId, provider, secrets)
    assert.deepEqual([kept?.account, typeof kept?.credential.refresh_token], [ACCOUNT[provider], 'string'])
    const again = await callback(back)
    assert.equal(again.status, 400)
    assert.match(again.text, /used before or is too old/)
    const [entry] = await client.expect(200, 'GET', '/v1/audit?action=connect')
    assert.deepEqual([entry.outcome, entry.actor, entry.ip], ['ok', 'session', '127.0.0.1'])
  })

  test(`${provider}: a token that expired is renewed on a 401, once for all who need it`, async () => {
    const { client, workspaceId } = await service.stranger()
    await callback(await authorize(client, provider))
    const [{ id }] = await accounts(client)
    VENDORS[provider].oauth.expireAll()
    const before = VENDORS[provider].oauth.refreshes()
    const pushes = Array.from({ length: 5 }, () => client.post('/v1/accounts/crm-push', { account_ids: [id] }))
    for (const { data } of await Promise.all(pushes)) assert.equal(data.pushed, 1, JSON.stringify(data))
    assert.equal(VENDORS[provider].oauth.refreshes() - before, 1)
    assert.equal((await findConnection(db, workspaceId, provider, secrets))?.problem, null)
  })

  test(`${provider}: a consent that was withdrawn is a problem everybody sees, until it is connected again`, async () => {
    const { client } = await service.stranger()
    await callback(await authorize(client, provider))
    const [{ id }] = await accounts(client)
    VENDORS[provider].oauth.revokeAll()
    const { failed, results } = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: [id] })
    assert.equal(failed, 1)
    assert.match(results[0].error, /Connect it again/)
    const { crm, crms } = await client.expect(200, 'GET', '/v1/integrations')
    assert.match(crm.problem, /Connect it again/)
    assert.equal(crms[0].problem, crm.problem)
    await callback(await authorize(client, provider))
    assert.equal((await client.expect(200, 'GET', '/v1/integrations')).crm.problem, null)
  })
}

test('a token is renewed before it ends, not after', async () => {
  const { client, workspaceId } = await service.stranger()
  await callback(await authorize(client, 'crm_one'))
  const soon = new Date(Date.now() + 30_000)
  await db.updateTable('connections').set({ expires_at: soon }).where('workspace_id', '=', workspaceId).execute()
  const refused = hubspot.calls.filter(({ status }) => status === 401).length
  const before = hubspot.oauth.refreshes()
  const [{ id }] = await accounts(client)
  await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: [id] })
  assert.equal(hubspot.oauth.refreshes() - before, 1)
  assert.equal(hubspot.calls.filter(({ status }) => status === 401).length, refused)
})

test('two processes renew a token once: the second finds what the first got', async () => {
  const { client, workspaceId } = await service.stranger()
  await callback(await authorize(client, 'crm_one'))
  // Another service on the same database has its own memory, as another process has.
  const other = await testService({
    env: { ...internet.env, ...CLIENT },
    databaseUrl: service.databaseUrl,
    api: false,
  })
  hubspot.oauth.expireAll()
  const before = hubspot.oauth.refreshes()
  const signal = AbortSignal.timeout(10_000)
  const opened = await Promise.all([service, other].map(({ deps }) => openCrm(deps, workspaceId, 'crm_one', signal)))
  await Promise.all(opened.map((target) => target?.crm.find('contact', 'email', ['nobody@acme.com'])))
  assert.equal(hubspot.oauth.refreshes() - before, 1)
})

test('an unknown state, one of another kind, and a consent not given connect nothing', async () => {
  const { client, workspaceId } = await service.stranger()
  for (const path of ['/oauth/callback', '/oauth/callback?state=x&code=y']) {
    assert.equal((await service.as(null).get(path)).status, 400)
  }
  const back = await authorize(client, 'crm_one')
  back.searchParams.delete('code')
  back.searchParams.set('error', 'access_denied')
  const page = await callback(back)
  assert.deepEqual([page.status, /was not given/.test(page.text)], [400, true])
  // A code that was issued for another challenge.
  const [mine, theirs] = [await authorize(client, 'crm_one'), await authorize(client, 'crm_one')]
  mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
  assert.equal((await callback(mine)).status, 400)
  assert.equal(await findConnection(db, workspaceId, 'crm_one', secrets), null)
})

test('a state that is too old is worth nothing', async () => {
  const { client, workspaceId } = await service.stranger()
  const back = await authorize(client, 'crm_one')
  await db
    .updateTable('oauth_states')
    .set({ expires_at: new Date(0) })
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.equal((await callback(back)).status, 400)
})

test('a consent counts only in the browser that started it', async () => {
  const { client, workspaceId } = await service.stranger()
  const back = await authorize(client, 'crm_one')
  const own = nonces.get(back.searchParams.get('state') ?? '') ?? ''
  assert.match(own, /^__Host-bellwether_consent=[\w-]{43}$/)
  const { client: other } = await service.stranger()
  await authorize(other, 'crm_one')
  const others = [...nonces.values()].at(-1) ?? ''
  // A browser without the cookie, and one that started another consent.
  for (const cookie of ['', await signedIn(client), others, `${others}; ${await signedIn(other)}`]) {
    const page = await callback(back, cookie)
    assert.deepEqual([page.status, /another browser started this consent/.test(page.text)], [400, true])
  }
  assert.equal(await findConnection(db, workspaceId, 'crm_one', secrets), null)
  // Another consent in the same browser leaves the first one as it was.
  const second = await authorize(client, 'crm_two', own)
  assert.equal(nonces.get(second.searchParams.get('state') ?? ''), own)
  const planted = await authorize(client, 'crm_two', '__Host-bellwether_consent=short')
  assert.match(nonces.get(planted.searchParams.get('state') ?? '') ?? '', /=[\w-]{43}$/)
  for (const one of [back, second]) assert.equal((await callback(one, `${await signedIn(client)}; ${own}`)).status, 200)
})

test('a consent started with a key counts when an admin of that workspace confirms the account', async () => {
  const { client, workspaceId } = await service.stranger()
  const started = await client.post('/v1/connections/authorize', { provider: 'crm_one' })
  assert.equal(started.headers.get('set-cookie'), null)
  const back = await consent(started.data.authorization_url)
  const state = back.searchParams.get('state') ?? ''
  const page = await callback(back)
  assert.equal(page.status, 200, page.text)
  assert.ok(page.text.includes(`Connect HubSpot account ${ACCOUNT.crm_one}`), page.text)
  const stored = await db.selectFrom('oauth_states').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.ok(stored[0]?.grant_sealed && !stored[0].grant_sealed.includes('access'))
  const confirm = (cookie: string, { account = ACCOUNT.crm_one, from = 'same-origin' } = {}) =>
    service.as(null).post('/oauth/callback', undefined, {
      headers: { cookie, 'sec-fetch-site': from, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ state, account }).toString(),
    })
  const { client: victim } = await service.stranger()
  const { key: readOnly } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Reads', read_only: true })
  const fields = { name: 'Rep', email: `${crypto.randomUUID()}@team.example` }
  const rep = await client.expect(201, 'POST', '/v1/members', fields)
  const { key: repKey } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Rep', member_id: rep.id })
  const others = ['', await signedIn(victim), await signedIn(service.as(readOnly)), await signedIn(service.as(repKey))]
  for (const cookie of others) {
    const refusal = await confirm(cookie)
    assert.deepEqual([refusal.status, /only an admin of the workspace that started it/.test(refusal.text)], [400, true])
  }
  const admin = await signedIn(client)
  assert.equal((await confirm(admin, { from: 'cross-site' })).status, 400)
  refused(await confirm(admin, { account: 'x'.repeat(20_000) }), 413, 'payload_too_large')
  assert.equal((await confirm(admin, { account: '1' })).status, 400)
  assert.equal(await findConnection(db, workspaceId, 'crm_one', secrets), null)
  const connected = await confirm(admin)
  assert.deepEqual([connected.status, /HubSpot is connected/.test(connected.text)], [200, true])
  assert.equal((await findConnection(db, workspaceId, 'crm_one', secrets))?.account, ACCOUNT.crm_one)
  assert.equal((await confirm(admin)).status, 400)
  const [entry, ...refusals] = await client.expect(200, 'GET', '/v1/audit?action=connect')
  assert.deepEqual([entry.outcome, entry.ip, typeof entry.session_id], ['ok', '127.0.0.1', 'string'])
  assert.ok(entry.request_id)
  assert.deepEqual(
    refusals.map(({ actor, outcome }: Record<string, string>) => `${actor} ${outcome}`),
    ['anonymous', 'session', 'session', 'anonymous', 'anonymous'].map((actor) => `${actor} refused`),
  )
})

test('crm is the CRM connected first, crms are all', async () => {
  const { client } = await service.stranger()
  for (const provider of ['crm_two', 'crm_one'] as const) {
    const token = `key-${crypto.randomUUID()}`
    VENDORS[provider].oauth.allow(token)
    await client.expect(201, 'POST', '/v1/connections', tokenOf(provider, token))
  }
  const { crm, crms } = await client.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(
    [crm.provider, crms.map(({ provider }: { provider: string }) => provider)],
    ['crm_two', ['crm_two', 'crm_one']],
  )
})

test('crm_two with a token needs the address of the organization, and a public one', async () => {
  const { client } = await service.stranger()
  for (const instance_url of [
    undefined,
    'http://x.my.salesforce.com',
    'nonsense',
    'https://10.0.0.1',
    'https://my.salesforce.com.example.com',
    'https://notsalesforce.com',
  ]) {
    refused(
      await client.post('/v1/connections', { provider: 'crm_two', token: 'sandbox-token', instance_url }),
      400,
      'invalid_request',
    )
  }
  const token = `key-${crypto.randomUUID()}`
  salesforce.oauth.allow(token)
  const long = { provider: 'crm_two', token, instance_url: `${salesforce.instanceUrl}/home?x=1` }
  assert.equal((await client.post('/v1/connections', long)).status, 201)
})

test('the chat is connected with a bot token that it accepts, and reported', async () => {
  const { client, workspaceId } = await service.stranger()
  refused(await client.post('/v1/connections', { provider: 'chat', token: 'xoxb-wrong' }), 422, 'credential_rejected')
  const created = await client.post('/v1/connections', { provider: 'chat', token: 'xoxb-good' })
  assert.deepEqual([created.status, created.data.account, created.text.includes('xoxb')], [201, 'Northwind', false])
  const { chat, crm } = await client.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual([chat.connected, chat.problem, crm.connected], [true, null, false])
  assert.equal(chat.interactions_url, null, 'without a signing secret, clicks are refused')
  const signed = { provider: 'chat', token: 'xoxb-good', signing_secret: 's3cret' }
  await client.expect(201, 'POST', '/v1/connections', signed)
  const { chat: clicked } = await client.expect(200, 'GET', '/v1/integrations')
  assert.equal(clicked.interactions_url, `https://bellwether.example/chat/${workspaceId}/interactions`)
  for (const [more, isKept] of [
    [{}, true],
    [{ signing_secret: null }, false],
  ] as const) {
    await client.expect(201, 'POST', '/v1/connections', { provider: 'chat', token: 'xoxb-good', ...more })
    const { chat } = await client.expect(200, 'GET', '/v1/integrations')
    assert.equal(chat.interactions_url !== null, isKept)
  }
  await client.expect(200, 'DELETE', '/v1/connections/chat')
  assert.equal((await client.expect(200, 'GET', '/v1/integrations')).chat.connected, false)
})

test('a passing fault of the chat is no rejected token', async () => {
  const { client } = await service.stranger()
  const given = { provider: 'chat', token: 'xoxb-good' }
  for (const failure of [
    { status: 429, headers: { 'retry-after': '30' }, body: '' },
    { status: 502, body: '<h1>Bad Gateway</h1>' },
    { error: 'service_unavailable' },
    { error: 'ratelimited' },
  ]) {
    slack.fail('auth.test', failure)
    refused(await client.post('/v1/connections', given), 503, 'unavailable')
  }
  slack.fail('auth.test', { error: 'account_inactive' })
  refused(await client.post('/v1/connections', given), 422, 'credential_rejected')
})

test('an account connected in the place of another gets nothing that was meant for the other', async () => {
  const { client, workspaceId } = await service.stranger()
  await callback(await authorize(client, 'crm_one'))
  const target = await openCrm(service.deps, workspaceId, 'crm_one', AbortSignal.timeout(10_000))
  await db.updateTable('connections').set({ account: '1' }).where('workspace_id', '=', workspaceId).execute()
  hubspot.oauth.expireAll()
  await assert.rejects(
    async () => target?.crm.find('contact', 'id', ['1']),
    /^CrmError: Another account was connected\.$/,
  )
  assert.equal((await findConnection(db, workspaceId, 'crm_one', secrets))?.problem, null)
})

test('a consent does not replace another account, and the page shows why', async () => {
  const { client, workspaceId } = await service.stranger()
  await callback(await authorize(client, 'crm_one'))
  await db.updateTable('connections').set({ account: '1' }).where('workspace_id', '=', workspaceId).execute()
  const page = await callback(await authorize(client, 'crm_one'))
  assert.deepEqual([page.status, /another account of HubSpot is connected\. Disconnect/.test(page.text)], [400, true])
  assert.equal((await findConnection(db, workspaceId, 'crm_one', secrets))?.account, '1')
  await client.expect(200, 'DELETE', '/v1/connections/crm_one')
  assert.equal((await callback(await authorize(client, 'crm_one'))).status, 200)
})

test('a consent counts only while the member who started it is an admin', async () => {
  const { client, workspaceId } = await service.stranger()
  const fields = { name: 'Second', email: `${crypto.randomUUID()}@team.example`, role: 'admin' }
  const second = await client.expect(201, 'POST', '/v1/members', fields)
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Second', member_id: second.id })
  const back = await authorize(service.as(key), 'crm_one')
  await db
    .updateTable('members')
    .set({ role: 'member' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', second.id)
    .execute()
  const page = await callback(back)
  assert.deepEqual([page.status, /no longer an admin/.test(page.text)], [400, true])
  const [refusal] = await client.expect(200, 'GET', `/v1/audit?action=connect&member_id=${second.id}`)
  assert.deepEqual([refusal.actor, refusal.outcome, refusal.target.id], ['session', 'refused', 'crm_one'])
  assert.equal(await findConnection(db, workspaceId, 'crm_one', secrets), null)
})

test('only a lost consent requires another: a fault is temporary, a wrong client is for the operator', async () => {
  const { client } = await service.stranger()
  await callback(await authorize(client, 'crm_one'))
  const [{ id }] = await accounts(client)
  const push = async () => (await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: [id] })).results[0]
  const problem = async () => (await client.expect(200, 'GET', '/v1/integrations')).crm.problem
  const answer = (error: string) => ({
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error }),
  })
  const unavailable = { path: /oauth.*token/, answer: answer('temporarily_unavailable') }
  hubspot.oauth.expireAll()
  hubspot.fail(unavailable)
  assert.equal((await push()).ok, true)
  hubspot.oauth.expireAll()
  // At the first attempt, and at the one after the pause.
  hubspot.fail(unavailable, unavailable)
  assert.equal((await push()).error, 'HubSpot cannot renew the connection at the moment.')
  assert.equal(await problem(), null)
  hubspot.fail({ path: /oauth.*token/, answer: answer('invalid_client') })
  assert.match((await push()).error, /does not accept the client id and the client secret.*The operator of the service/)
  assert.match(await problem(), /The operator of the service/)
  assert.equal((await push()).ok, true)
  assert.equal(await problem(), null)
})

test('without a client in the configuration no consent can be started', async () => {
  const plain = await testService()
  refused(await plain.admin.post('/v1/connections/authorize', { provider: 'crm_one' }), 409, 'oauth_not_configured')
})

test('the command line connects, lists and disconnects, and prints an error in one line', async () => {
  const key = `key-${crypto.randomUUID()}`
  hubspot.oauth.allow(key)
  const { workspaceId } = await service.stranger()
  const bellwether = commands({ ...internet.env, ...beside(service) })
  const cli = (...args: string[]) => bellwether.cli(...args, '--workspace', workspaceId, '--json')
  const connected = await cli('connect', 'crm_one', '--token', key)
  assert.deepEqual([connected.code, JSON.parse(connected.output).account], [0, String(hubspot.portalId)])
  assert.ok(!connected.output.includes(key))
  assert.equal(JSON.parse((await cli('connections')).output)[0].provider, 'crm_one')
  const wrong = await cli('connect', 'crm_one', '--token', 'wrong')
  assert.deepEqual([wrong.code, wrong.output], [1, 'HubSpot does not accept this token.\n'])
  assert.equal((await cli('disconnect', 'crm_one')).code, 0)
})

test('every column that names a CRM takes exactly the registered ones', async () => {
  const { rows } = await sql<{ table: string; rule: string }>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as rule
    from pg_constraint where conname like '%_provider_check' order by 1`.execute(db)
  const allowed = rows.map(({ table, rule }) => [table, [...rule.matchAll(/'(\w+)'/g)].map(([, id]) => id).sort()])
  assert.deepEqual(allowed, [
    ['connections', CONNECTION_PROVIDERS.toSorted()],
    ['crm_activities', CRM_PROVIDERS.toSorted()],
    ['crm_companies', CRM_PROVIDERS.toSorted()],
    ['crm_contacts', CRM_PROVIDERS.toSorted()],
    ['crm_syncs', CRM_PROVIDERS.toSorted()],
    ['oauth_states', CRM_PROVIDERS.toSorted()],
  ])
})
