import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { detect } from '../../../test/support/alerts.ts'
import { type Client, refused } from '../../../test/support/client.ts'
import { testService } from '../../../test/support/service.ts'
import { newId } from '../../shared/ids.ts'
import { Secrets } from '../../shared/secrets.ts'
import { createKey } from '../api-keys/create.ts'
import { createUnsubscribeToken } from './unsubscribe.ts'

const service = await testService()
const { admin, deps, workspaceId } = service
const { db, secrets } = deps
const PATH = '/v1/alert-rules'
const RULE = { name: 'Mine', events: ['signal.detected'], channel: 'email' }
const URL = 'https://93.184.216.34/workflows/1?sig=s3cret'

const create = (client: Client, fields: object = {}) => client.expect(201, 'POST', PATH, { ...RULE, ...fields })

test('a rule of one’s own has defaults, is changed and deleted, and is hidden from other members', async () => {
  const { client, id } = await service.member()
  const other = await service.member()
  const rule = await create(client)
  assert.deepEqual(rule, {
    ...{ ...RULE, id: rule.id, member_id: id, is_enabled: true, created_at: rule.created_at },
    ...{ signals: [], min_score: 0, only_mine: false, tags: [], statuses: [], icp_tiers: [] },
    relationships: [],
    ...{ recipient: 'member', to_member_id: id, chat_channel: null, destination_id: null, teams_url: null },
    ...{ schedule: 'at_once', hour: 8 },
  })
  assert.deepEqual(await client.expect(200, 'GET', PATH), [rule])
  const changed = await client.expect(200, 'PATCH', `${PATH}/${rule.id}`, { schedule: 'weekdays', min_score: 40 })
  assert.deepEqual(changed, { ...rule, schedule: 'weekdays', min_score: 40 })
  assert.deepEqual(await client.expect(200, 'PATCH', `${PATH}/${rule.id}`, changed), changed, 'written back')
  assert.deepEqual(await other.client.expect(200, 'GET', PATH), [])
  refused(await other.client.patch(`${PATH}/${rule.id}`, { min_score: 0 }), 404, 'not_found')
  refused(await other.client.post(`${PATH}/${rule.id}/test`), 404, 'not_found')
  refused(await other.client.delete(`${PATH}/${rule.id}`), 404, 'not_found')
  assert.ok((await admin.expect(200, 'GET', PATH)).some((one: { id: string }) => one.id === rule.id))
  await admin.expect(200, 'PATCH', `${PATH}/${rule.id}`, { is_enabled: false })
  await client.expect(200, 'DELETE', `${PATH}/${rule.id}`)
  assert.deepEqual(await client.expect(200, 'GET', PATH), [])
})

test('only an admin sends alerts to owners, to other members and to shared places', async () => {
  const { client, id } = await service.member()
  const destination = { name: `To ${id}`, url: 'https://93.184.216.34/' }
  const { id: destination_id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', destination)
  const [{ id: admin_id }] = await admin.expect(200, 'GET', '/v1/members')
  const shared = [
    { recipient: 'owner' },
    { to_member_id: admin_id },
    { channel: 'chat', chat_channel: '#deals' },
    { channel: 'teams', teams_url: URL },
    { channel: 'webhook', destination_id },
  ]
  const own = await create(client)
  for (const fields of shared) {
    refused(await client.post(PATH, { ...RULE, ...fields }), 403, 'forbidden')
    const place = { recipient: 'channel' in fields ? 'channel' : 'member', ...fields }
    refused(await client.patch(`${PATH}/${own.id}`, place), 403, 'forbidden')
    await create(admin, 'to_member_id' in fields ? { to_member_id: id } : fields)
  }
})

test('only an admin with write access sees the whole URL of a workflow, and the database does not', async () => {
  const rule = await create(admin, { channel: 'teams', teams_url: URL })
  assert.equal(rule.teams_url, URL)
  const reader = await service.member({ role: 'admin' }, { read_only: true })
  const seen = (await reader.client.expect(200, 'GET', PATH)).find(({ id }: { id: string }) => id === rule.id)
  assert.equal(seen.teams_url, 'https://93.184.216.34/…')
  const { rows } = await sql<{ text: string }>`select alert_rules::text from alert_rules where id = ${rule.id}`.execute(
    db,
  )
  assert.ok(!JSON.stringify(rows).includes('s3cret'))
  const moved = await admin.expect(200, 'PATCH', `${PATH}/${rule.id}`, { channel: 'email', recipient: 'member' })
  assert.deepEqual([moved.teams_url, moved.recipient], [null, 'member'])
})

const CONFLICTS: [fields: object, path: string][] = [
  [{ recipient: 'channel' }, 'recipient'],
  [{ channel: 'chat', recipient: 'owner', chat_channel: '#x' }, 'recipient'],
  [{ channel: 'chat' }, 'chat_channel'],
  [{ channel: 'webhook' }, 'destination_id'],
  [{ channel: 'teams' }, 'teams_url'],
  [{ channel: 'webhook', destination_id: newId(), schedule: 'weekdays' }, 'schedule'],
  [{ events: ['work_item.done'] }, 'events'],
  [{ channel: 'chat', chat_channel: '#x', only_mine: true }, 'only_mine'],
  [{ events: [] }, 'events'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ hour: 24 }, 'hour'],
  [{ min_score: 101 }, 'min_score'],
  [{ tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags'],
]

test('a rule whose fields do not fit each other is refused with the field', async () => {
  for (const [fields, path] of CONFLICTS) {
    const answer = await admin.post(PATH, { ...RULE, ...fields })
    refused(answer, 400, 'invalid_request')
    assert.equal(answer.error.details[0].path, path, answer.text)
  }
  refused(await admin.post(PATH, { ...RULE, to_member_id: newId() }), 422, 'unknown_member')
  refused(await admin.post(PATH, { ...RULE, signals: ['telepathy'] }), 422, 'unknown_signal')
  const webhook = { channel: 'webhook', destination_id: newId() }
  refused(await admin.post(PATH, { ...RULE, ...webhook }), 422, 'unknown_destination')
  const inside = { channel: 'teams', teams_url: 'https://127.0.0.1/' }
  refused(await admin.post(PATH, { ...RULE, ...inside }), 422, 'url_not_allowed')
})

test('a member has at most 50 rules, also with concurrent calls', async () => {
  const { client } = await service.member()
  for (let n = 0; n < 48; n++) await create(client)
  const answers = await Promise.all(Array.from({ length: 4 }, () => client.post(PATH, RULE)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 400, 400])
})

test('the time zone is an IANA name, and GET /me and /members show it', async () => {
  const { client, id } = await service.member()
  assert.equal((await client.expect(200, 'GET', '/v1/me')).member.time_zone, 'UTC')
  for (const time_zone of ['Europe/Atlantis', '+02:00', 'europe/vienna', 'x'.repeat(65)]) {
    const answer = await client.patch('/v1/me', { time_zone })
    refused(answer, 400, 'invalid_request')
    assert.equal(answer.error.details[0].path, 'time_zone')
  }
  assert.equal(
    (await client.expect(200, 'PATCH', '/v1/me', { time_zone: 'Asia/Kolkata' })).member.time_zone,
    'Asia/Kolkata',
  )
  assert.equal((await client.expect(200, 'PATCH', '/v1/me', {})).member.time_zone, 'Asia/Kolkata')
  const members = await admin.expect(200, 'GET', '/v1/members')
  assert.equal(members.find((one: { id: string }) => one.id === id).time_zone, 'Asia/Kolkata')
})

/** Local hours in UTC: winter and summer time, the days of both changes, and an hour that a change skips. */
const SLOTS: [after: string, zone: string, schedule: string, hour: number, slot: string][] = [
  ['2026-11-18T06:59:59Z', 'Europe/Vienna', 'weekdays', 8, '2026-11-18T07:00:00Z'],
  ['2026-11-18T07:00:00Z', 'Europe/Vienna', 'weekdays', 8, '2026-11-19T07:00:00Z'],
  ['2026-11-20T12:00:00Z', 'Europe/Vienna', 'weekdays', 8, '2026-11-23T07:00:00Z'],
  ['2026-11-20T12:00:00Z', 'America/New_York', 'weekdays', 8, '2026-11-20T13:00:00Z'],
  ['2026-11-20T12:00:00Z', 'Asia/Kolkata', 'weekdays', 8, '2026-11-23T02:30:00Z'],
  ['2026-11-22T23:30:00Z', 'Asia/Kolkata', 'weekdays', 8, '2026-11-23T02:30:00Z'],
  ['2026-11-23T07:00:00Z', 'Europe/Vienna', 'mondays', 8, '2026-11-30T07:00:00Z'],
  ['2026-11-22T23:00:00Z', 'Asia/Tokyo', 'mondays', 8, '2026-11-29T23:00:00Z'],
  // Summer time begins on Sunday, 29 March, and ends on Sunday, 25 October; in New York on 8 March and 1 November.
  ['2026-03-27T07:00:00Z', 'Europe/Vienna', 'weekdays', 8, '2026-03-30T06:00:00Z'],
  ['2026-10-23T06:00:00Z', 'Europe/Vienna', 'weekdays', 8, '2026-10-26T07:00:00Z'],
  ['2026-03-06T13:00:00Z', 'America/New_York', 'mondays', 8, '2026-03-09T12:00:00Z'],
  ['2026-10-30T12:00:00Z', 'America/New_York', 'weekdays', 8, '2026-11-02T13:00:00Z'],
  // In Cairo, summer time begins on a Friday and skips the hour after midnight.
  ['2026-04-23T21:59:00Z', 'Africa/Cairo', 'weekdays', 0, '2026-04-23T22:00:00Z'],
]

test('the slot of a schedule is the local hour, also over a change of the clocks', async () => {
  for (const [after, zone, schedule, hour, slot] of SLOTS) {
    const { rows } = await sql<{ slot: string }>`
      select next_alert_slot(${after}, ${zone}, ${schedule}, ${hour}) as slot`.execute(db)
    assert.equal(rows[0]?.slot, slot.replace('Z', '.000Z'), `${schedule} at ${hour} in ${zone} after ${after}`)
  }
})

const visit = (method: string, token: string, init: RequestInit = {}, page = 'unsubscribe') =>
  fetch(`${service.address}/${page}?token=${token}`, { method, ...init })

const FORM = 'application/x-www-form-urlencoded'
const oneClick = (type: string) => {
  if (type === FORM) return { body: 'List-Unsubscribe=One-Click', headers: { 'content-type': FORM } }
  const body = new FormData()
  body.set('List-Unsubscribe', 'One-Click')
  return { body }
}

test('a link disables one’s own rule, after a confirmation or with one click', async () => {
  const { client, id: member_id } = await service.member()
  for (const type of ['none', FORM, 'multipart/form-data']) {
    const rule = await create(client, { name: '<b>Mine</b> & all' })
    const token = createUnsubscribeToken(secrets, { workspace_id: workspaceId, rule_id: rule.id, member_id })
    const isEnabled = async () =>
      (await client.expect(200, 'GET', PATH)).find(({ id }: { id: string }) => id === rule.id).is_enabled
    const page = await visit('GET', token)
    const html = await page.text()
    assert.equal(page.status, 200)
    assert.match(html, /Stop receiving alerts of “&#60;b&#62;Mine&#60;\/b&#62; &#38; all”\?/)
    assert.match(html, new RegExp(`<form method="post" action="/unsubscribe\\?token=${token}">`))
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*form-action 'self'/)
    assert.match(`${page.headers.get('x-robots-tag')}${html}`, /^noindex.*content="noindex"/)
    assert.ok(await isEnabled(), 'a GET changes nothing')
    const first = await visit('POST', token, type === 'none' ? {} : oneClick(type))
    assert.equal(first.status, 200, type)
    assert.equal(await isEnabled(), false)
    const again = await visit('POST', token)
    const done = await again.text()
    assert.equal(done, await first.text())
    assert.match(done, new RegExp(`<form method="post" action="/subscribe\\?token=${token}">`))
    assert.equal((await visit('GET', token, {}, 'subscribe')).status, 405, 'mail scanners open links')
    assert.match(await (await visit('POST', token, {}, 'subscribe')).text(), /You receive alerts of .* again/)
    assert.ok(await isEnabled())
  }
  const [entry] = await service.admin.expect(200, 'GET', `/v1/audit?member_id=${member_id}`)
  assert.deepEqual([entry.action, entry.actor, entry.ip], ['subscribe', 'anonymous', '127.0.0.1'])
  assert.ok(entry.request_id)
})

test('a link in a mail of somebody else’s rule opts its recipient out, and nobody else', async () => {
  const { client: admin, workspaceId } = await service.stranger()
  const invite = (email: string) => admin.expect(201, 'POST', '/v1/members', { name: 'Mate', email })
  const [member, other] = [await invite('one@team.example'), await invite('two@team.example')]
  const rule = await create(admin, { name: 'Owners', recipient: 'owner' })
  const token = createUnsubscribeToken(secrets, { workspace_id: workspaceId, rule_id: rule.id, member_id: member.id })
  assert.equal((await visit('POST', token)).status, 200)
  assert.equal((await visit('POST', token)).status, 200)
  const optOuts = await db
    .selectFrom('alert_rule_opt_outs')
    .select('member_id')
    .where('rule_id', '=', rule.id)
    .execute()
  assert.deepEqual(optOuts, [{ member_id: member.id }])
  assert.equal((await admin.expect(200, 'GET', PATH))[0].is_enabled, true)
  for (const owner_id of [member.id, other.id]) {
    const [account] = await admin.expect(201, 'POST', '/v1/accounts', [{ name: 'A', owner_id }])
    await admin.expect(200, 'POST', `/v1/accounts/${account.id}/activate`)
    await detect(deps, workspaceId, { account_id: account.id, run_id: null }, [{ headline: 'Raised' }])
  }
  const alerts = await admin.expect(200, 'GET', '/v1/alerts')
  assert.deepEqual(
    alerts.map(({ member }: { member: { id: string } }) => member.id),
    [other.id],
  )
  assert.equal((await visit('POST', token, {}, 'subscribe')).status, 200)
  assert.deepEqual(await db.selectFrom('alert_rule_opt_outs').where('rule_id', '=', rule.id).selectAll().execute(), [])
})

test('an admin who unsubscribed from their own rule gets it again when they switch it on', async () => {
  const { client: admin, workspaceId } = await service.stranger()
  const { member } = await admin.expect(200, 'GET', '/v1/me')
  const rule = await create(admin, { name: 'Owners', recipient: 'owner' })
  const token = createUnsubscribeToken(secrets, { workspace_id: workspaceId, rule_id: rule.id, member_id: member.id })
  const optOuts = () => db.selectFrom('alert_rule_opt_outs').where('rule_id', '=', rule.id).selectAll().execute()
  await visit('POST', token)
  assert.equal((await optOuts()).length, 1)
  await admin.expect(422, 'PATCH', `${PATH}/${rule.id}`, { is_enabled: true, signals: ['unknown'] })
  assert.equal((await optOuts()).length, 1, 'a refused request changes nothing')
  await admin.expect(200, 'PATCH', `${PATH}/${rule.id}`, { is_enabled: true })
  assert.deepEqual(await optOuts(), [])
})

test('the rules of a former admin reach others no more, and can be switched off', async () => {
  const { client: admin, workspaceId } = await service.stranger()
  const made = await admin.expect(201, 'POST', '/v1/members', { name: 'Ex', email: 'ex@team.example', role: 'admin' })
  const { key } = await createKey(db, workspaceId, { member_id: made.id, name: 'test' })
  const former = service.as(key)
  const rule = await create(former, { name: 'Owners', recipient: 'owner' })
  const own = await create(former, { name: 'Mine' })
  await admin.expect(200, 'PATCH', `/v1/members/${made.id}`, { role: 'member' })
  const [account] = await admin.expect(201, 'POST', '/v1/accounts', [{ name: 'A', owner_id: made.id }])
  await admin.expect(200, 'POST', `/v1/accounts/${account.id}/activate`)
  await detect(deps, workspaceId, { account_id: account.id, run_id: null }, [{ headline: 'Raised' }])
  const alerts = await admin.expect(200, 'GET', '/v1/alerts')
  assert.deepEqual(
    alerts.map(({ rule }: { rule: { id: string } }) => rule.id),
    [own.id],
  )
  await former.expect(404, 'POST', `${PATH}/${rule.id}/test`)
  await former.expect(403, 'PATCH', `${PATH}/${rule.id}`, { min_score: 50 })
  assert.equal((await former.expect(200, 'PATCH', `${PATH}/${rule.id}`, { is_enabled: false })).is_enabled, false)
  await former.expect(403, 'PATCH', `${PATH}/${rule.id}`, { is_enabled: true })
})

test('a forged link, and one of a deleted rule, is not found and changes nothing', async () => {
  const { client, id: member_id } = await service.member()
  const victim = await create(client)
  const ids = { workspace_id: workspaceId, rule_id: victim.id as string, member_id }
  const valid = createUnsubscribeToken(secrets, ids)
  const bytes = Buffer.from(createUnsubscribeToken(secrets, { ...ids, rule_id: newId() }), 'base64url')
  // The signature of another rule with the id of this one.
  const mixed = Buffer.concat([Buffer.from(valid, 'base64url').subarray(0, 48), bytes.subarray(48)])
  const otherKey = createUnsubscribeToken(new Secrets(Buffer.alloc(32, 7)), ids)
  const forged = ['', 'x', valid.slice(1), mixed.toString('base64url'), otherKey, `${valid}${'A'.repeat(300)}`]
  for (const token of forged) {
    for (const method of ['GET', 'POST']) {
      const page = await visit(method, token)
      assert.equal(page.status, 404, token)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    }
  }
  assert.equal((await client.expect(200, 'GET', PATH))[0].is_enabled, true)
  await client.expect(200, 'DELETE', `${PATH}/${victim.id}`)
  assert.equal((await visit('POST', valid)).status, 404)
})

test('guessing links is throttled, and a valid link still works', async () => {
  const { client, id: member_id } = await service.member()
  const rule = await create(client)
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) statuses.push((await visit('POST', `guess${n}`)).status)
  assert.ok(statuses.includes(429))
  const token = createUnsubscribeToken(secrets, { workspace_id: workspaceId, rule_id: rule.id, member_id })
  assert.equal((await visit('POST', token)).status, 200)
})
