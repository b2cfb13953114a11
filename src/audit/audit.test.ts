import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Client, refused } from '../../test/support/client.ts'
import { eventually } from '../../test/support/eventually.ts'
import { scene } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { saveMemberProfile } from '../resources/me/profile-store.ts'
import { hashToken } from '../shared/tokens.ts'
import { closeAbandoned, purgeAudit } from './jobs.ts'
import { verifyChains } from './verify.ts'

const service = await testService()
const { db } = service.deps

// biome-ignore lint/suspicious/noExplicitAny: responses are untyped in tests, see client.ts
type Entry = any
const log = (client: Client, query = ''): Promise<Entry[]> =>
  client.expect(200, 'GET', `/v1/audit?per_page=100${query}`)
const actions = async (client: Client) => (await log(client)).map(({ action, outcome }) => `${action} ${outcome}`)
const verify = async (workspaceId: string, ...expected: string[]) =>
  (await verifyChains(db, workspaceId, expected))[0] as Awaited<ReturnType<typeof verifyChains>>[number]

/** A workspace with so many entries. */
async function written(count: number) {
  const owner = await service.stranger()
  for (let n = 0; n < count; n++) await owner.client.expect(201, 'POST', '/v1/people/lists', { name: `List ${n}` })
  return owner
}

/** Changes rows as someone with access to the database can. */
const tamper = (run: (db: typeof service.deps.db) => Promise<unknown>) =>
  db.transaction().execute(async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await run(db)
  })

test('a change names who made it, from where, and the fields before and after, without what is personal', async () => {
  const { client, workspaceId } = await service.stranger()
  const kim = await client.expect(201, 'POST', '/v1/members', { name: 'Kim Lee', email: 'kim@team.example' })
  const fields = { role: 'admin', email: 'kim.lee@team.example' }
  const { headers } = await client.patch(`/v1/members/${kim.id}`, fields, { headers: { 'user-agent': 'Desk/1.0' } })
  const [changed, added] = await log(client)
  assert.deepEqual(added.changes, [
    { field: 'role', before: null, after: 'member' },
    { field: 'visibility', before: null, after: 'all' },
  ])
  assert.deepEqual(changed.changes, [
    { field: 'role', before: 'member', after: 'admin' },
    { field: 'email', before: '[masked]', after: '[masked]' },
  ])
  const { key_id, at, hash, id, member_id, ...rest } = changed
  assert.ok(key_id && member_id && at && hash && id)
  assert.deepEqual(rest, {
    ...{ seq: 2, actor: 'key', name: 'Other', session_id: null, action: 'updateMember', outcome: 'ok', status: 200 },
    ...{ target: { type: 'member', id: kim.id, name: 'Kim Lee' }, error_code: null, is_erased: false },
    ...{ ip: '127.0.0.1', user_agent: 'Desk/1.0', request_id: headers.get('x-request-id'), changes: changed.changes },
  })
  refused(await client.patch(`/v1/members/${kim.id}`, { email: 'other@elsewhere.example' }), 409, 'email_taken')
  const [failed] = await log(client, '&outcome=failed')
  assert.deepEqual([failed.error_code, failed.status, failed.changes], ['email_taken', 409, []])
  assert.deepEqual((await log(client, `&member_id=${member_id}&action=createMember`)).length, 1)
  assert.deepEqual((await log(client, `&target_id=${kim.id}&target_type=member`)).length, 3)
  assert.deepEqual((await log(client, `&actor=session&since=${at}`)).length, 0)
  assert.equal((await verify(workspaceId)).problem, null)
})

test('a read, a preview, an invalid request and a replay leave no entry; an export leaves one', async () => {
  const { client } = await service.stranger()
  await client.expect(200, 'GET', '/v1/accounts')
  refused(await client.post('/v1/people/lists', {}), 400, 'invalid_request')
  const headers = { 'idempotency-key': 'once' }
  for (const status of [201, 201])
    assert.equal((await client.post('/v1/people/lists', { name: 'A' }, { headers })).status, status)
  await client.get('/v1/accounts/export')
  await client.get('/v1/people', { headers: { accept: 'text/csv' } })
  assert.deepEqual(await actions(client), ['listPeople ok', 'exportAccounts ok', 'createPeopleList ok'])
  const csv = await client.get('/v1/audit/export?action=createPeopleList')
  assert.match(csv.text, /^seq,at,actor,.*\r\n1,[^,]+,key,Other,.*createPeopleList,people_list,/)
  assert.equal(csv.text.split('\r\n').length, 3)
  const rows = Array.from({ length: 3 }, (_, n) => ({ name: `Company ${n}` }))
  await client.expect(201, 'POST', '/v1/accounts', rows)
  assert.deepEqual((await log(client))[0].changes, [{ field: 'records', before: null, after: '3' }])
})

test('settings name the fields that differ; a bulk action and a push name the records and where they went', async () => {
  const { client, ids, people } = await scene(service, { accounts: 2, people: [{ full_name: 'Mara Lindqvist' }] })
  for (const account_limit of [100, 1000]) await client.expect(200, 'PUT', '/v1/subscription', { account_limit })
  assert.deepEqual((await log(client))[0].changes, [{ field: 'account_limit', before: '100', after: '1000' }])
  await client.expect(200, 'POST', '/v1/accounts/bulk', { ids: [...ids, 'Mara'], action: 'tag', tags: ['secret'] })
  const changed = Object.fromEntries((await log(client))[0].changes.map(({ field, after }: Entry) => [field, after]))
  assert.deepEqual(changed, { action: 'tag', ids: JSON.stringify(ids), done: '2', results: '1', before: '2' })
  const destination = { name: 'CRM', url: 'https://93.184.216.34/hook' }
  const { id } = await client.expect(201, 'POST', '/v1/webhook-destinations', destination)
  const contact_ids = [people[0]?.id]
  await client.expect(200, 'POST', '/v1/people/webhook-push', { destination_id: id, contact_ids })
  const pushed = (await log(client))[0]
  assert.deepEqual([pushed.action, pushed.target], ['pushPeopleToWebhook', { type: 'person', id: null, name: null }])
  assert.ok(pushed.changes.some(({ field, after }: Entry) => field === 'destination_id' && after === id))
  assert.ok(pushed.changes.some(({ field, after }: Entry) => field === 'contact_ids' && after === '1'))
})

test('a profile names the fields that differ, also the name of the member and what was learned from edits', async () => {
  const { client, workspaceId } = await service.stranger()
  const changed = async (fields: object) => {
    await client.expect(200, 'PATCH', '/v1/me/profile', fields)
    return (await log(client))[0] as Entry
  }
  const masked = (...fields: string[]) => fields.map((field) => ({ field, before: '[masked]', after: '[masked]' }))
  const { member_id, changes } = await changed({ name: 'Dana West' })
  assert.deepEqual(changes, masked('name'))
  assert.deepEqual((await changed({ tone: 'warm' })).changes, [{ field: 'tone', before: 'brief', after: 'warm' }])
  await saveMemberProfile(db, workspaceId, member_id, { greeting: 'Hi', sign_off: 'Cheers', body_words: 70 })
  const { changes: cleared } = await changed({ greeting: null, sign_off: null, body_words: null })
  assert.deepEqual(
    cleared.map(({ field, before, after }: Entry) => `${field} ${before} ${after}`).sort(),
    ['body_words', 'greeting', 'sign_off'].map((field) => `${field} [masked] null`),
  )
})

test('pages and totals are the same with and without a filter', async () => {
  const { client } = await written(5)
  for (const query of ['', '&action=createPeopleList']) {
    const { body } = await client.get(`/v1/audit?page=2&per_page=2${query}`)
    assert.deepEqual(
      body.data.map(({ seq }: Entry) => seq),
      [3, 2],
    )
    assert.deepEqual(body.pagination, { total: 5, page: 2, per_page: 2, has_more: true })
    assert.deepEqual((await client.get(`/v1/audit?page=4&per_page=2${query}`)).data, [])
  }
})

test('a change by a tool of an agent names the agent, which no caller can claim to be', async () => {
  const { client } = await service.stranger()
  const params = { name: 'add_accounts', arguments: { accounts: [{ name: 'Northwind', domain: 'northwind.com' }] } }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-03-26' }
  assert.equal((await client.post('/mcp', call, { headers })).status, 200)
  await client.post('/v1/people/lists', { name: 'A' }, { headers: { 'x-bellwether-agent': 'true' } })
  assert.deepEqual(
    (await log(client)).map(({ actor, action }) => `${actor} ${action}`),
    ['key createPeopleList', 'agent createAccounts'],
  )
})

/** The cookie of a browser in which a member is signed in. */
async function sessionOf(memberId: string) {
  const link = await service.admin.expect(201, 'POST', '/v1/sign-in-links', { member_id: memberId })
  const { headers } = await service.as(null).post('/v1/sessions', { token: link.url.split('=')[1] })
  return { headers: { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' } }
}

test('refusals are recorded: of rights, of a revoked key, of a used link; and only admins read the log', async () => {
  const { id, key, client } = await service.member({ name: 'Sam Reed' })
  const of = async () => (await log(service.admin, `&member_id=${id}`)) as Entry[]
  for (const path of ['/v1/audit', '/v1/audit/export', '/v1/settings/audit'])
    refused(await client.get(path), 403, 'forbidden')
  refused(await client.post('/v1/members', { name: 'A', email: 'a@team.example' }), 403, 'forbidden')
  const link = await service.admin.expect(201, 'POST', '/v1/sign-in-links', { member_id: id })
  const sent = { token: link.url.split('=')[1] }
  await service.as(null).expect(201, 'POST', '/v1/sessions', sent)
  refused(await service.as(null).post('/v1/sessions', sent), 401, 'unauthenticated')
  await sql`update api_keys set revoked_at = now() where hash = ${hashToken(key)}`.execute(db)
  const { headers } = await sessionOf(id)
  const elsewhere = { headers: { ...headers, 'sec-fetch-site': 'cross-site' } }
  refused(await service.as(null).post('/v1/people/lists', { name: 'A' }, elsewhere), 403, 'forbidden')
  service.deps.keys.forget()
  refused(await client.get('/v1/accounts'), 401, 'unauthenticated')
  assert.equal((await client.post('/mcp', {})).status, 401)
  refused(await service.as('bw_unknown').get('/v1/accounts'), 401, 'unauthenticated')
  assert.deepEqual(
    (await of()).map(({ actor, action, outcome, status }) => [actor, action, outcome, status].join(' ')),
    [
      'anonymous connectAgent refused 401',
      'anonymous listAccounts refused 401',
      'session createPeopleList refused 403',
      'session signIn ok 201',
      'anonymous signIn refused 401',
      'session signIn ok 201',
      'key createMember refused 403',
      'key getAuditSettings refused 403',
      'key exportAuditEntries refused 403',
      'key listAuditEntries refused 403',
    ],
  )
})

const TAMPERING: [what: string, problem: string, run: (ofWorkspace: RawBuilder<unknown>) => RawBuilder<unknown>[]][] = [
  [
    'changed',
    'Entry 2 was changed.',
    (of) => [sql`update audit_entries set outcome = 'failed' where seq = 2 and ${of}`],
  ],
  [
    'given to another member',
    'The personal part of entry 2 was changed.',
    (of) => [sql`update audit_entries set personal = personal || '{"name": "Eve"}' where seq = 2 and ${of}`],
  ],
  ['removed', 'Entry 2 was removed.', (of) => [sql`delete from audit_entries where seq = 2 and ${of}`]],
  [
    'removed at the end',
    'Entries 3 to 4 were removed at the end.',
    (of) => [sql`delete from audit_entries where seq > 2 and ${of}`],
  ],
  [
    'removed with the ends of its chain',
    'The start and the end of the log were removed.',
    (of) => [sql`delete from audit_heads where ${of}`],
  ],
  [
    'swapped',
    'Entry 2 was changed.',
    (of) => [
      sql`update audit_entries set seq = 100 + seq where seq in (2, 3) and ${of}`,
      sql`update audit_entries set seq = 105 - seq where seq > 100 and ${of}`,
    ],
  ],
]

for (const [what, problem, run] of TAMPERING) {
  test(`an entry that was ${what} is found`, async () => {
    const { workspaceId } = await written(4)
    const { last, problem: none, entries } = await verify(workspaceId)
    assert.deepEqual([none, entries, last.split(':')[0]], [null, 4, '4'])
    assert.equal((await verify(workspaceId, last)).problem, null)
    await tamper(async (db) => {
      for (const statement of run(sql`workspace_id = ${workspaceId}`)) await statement.execute(db)
    })
    for (const expected of [[], [last]]) assert.equal((await verify(workspaceId, ...expected)).problem, problem)
  })
}

test('the ends of a log cannot be moved: only a new entry and retention move them', async () => {
  const { workspaceId, client } = await written(4)
  const of = sql`workspace_id = ${workspaceId}`
  const anchored = (seq: number) => sql`
    update audit_heads set anchor_seq = entry.seq, anchor_hash = entry.hash from audit_entries as entry
    where audit_heads.${of} and entry.${of} and entry.seq = ${seq}`
  const attempts = [
    sql`delete from audit_heads where ${of}`,
    sql`truncate audit_heads cascade`,
    sql`update audit_heads set seq = 2 where ${of}`,
    sql`update audit_heads set seq = seq + 1 where ${of}`,
    sql`update audit_heads set hash = anchor_hash where ${of}`,
    sql`update audit_heads set anchor_seq = 0, anchor_hash = hash where ${of}`,
    anchored(2),
    anchored(4),
  ]
  for (const statement of attempts) await assert.rejects(statement.execute(db), /audit (log|entries) cannot be/)
  await makeOld(workspaceId, 3)
  // Not the hash of that entry.
  await assert.rejects(sql`update audit_heads set anchor_seq = 2 where ${of}`.execute(db), /query returned no rows/)
  await anchored(2).execute(db)
  await assert.rejects(sql`update audit_heads set anchor_seq = 1 where ${of}`.execute(db), /cannot be moved/)
  await assert.rejects(anchored(4).execute(db), /cannot be moved/)
  await client.expect(201, 'POST', '/v1/people/lists', { name: 'B' })
  assert.equal((await log(client))[0].seq, 5)
  await db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
  assert.deepEqual((await sql`select from audit_entries where ${of}`.execute(db)).rows, [])
})

/** Old entries cannot be written through the API, so the chain is not intact afterwards. */
const makeOld = (workspaceId: string, before: number, days = 401) =>
  tamper((db) =>
    sql`update audit_entries set at = now() - make_interval(days => ${days})
      where workspace_id = ${workspaceId} and seq < ${before}`.execute(db),
  )

test('entries cannot be changed or deleted, and a log that was replaced is not the expected one', async () => {
  const { workspaceId } = await written(2)
  const { last } = await verify(workspaceId)
  for (const statement of [
    sql`update audit_entries set outcome = 'failed' where workspace_id = ${workspaceId}`,
    sql`update audit_entries set personal = '{}' where workspace_id = ${workspaceId}`,
    sql`delete from audit_entries where workspace_id = ${workspaceId}`,
    sql`truncate audit_entries`,
  ])
    await assert.rejects(statement.execute(db), /audit entries cannot be changed or deleted/)
  assert.equal((await verify(workspaceId, last)).problem, null)
  await tamper(async (db) => {
    await sql`delete from audit_entries where workspace_id = ${workspaceId}`.execute(db)
    await sql`update audit_heads set seq = 0, hash = anchor_hash where workspace_id = ${workspaceId}`.execute(db)
  })
  assert.equal((await verify(workspaceId)).problem, null)
  assert.equal((await verify(workspaceId, last)).problem, 'Entry 2 is not the expected one: the log was replaced.')
})

test('an erasure keeps the entries and drops the person, and the chain stays intact', async () => {
  const { client, workspaceId, people } = await scene(service, {
    accounts: 1,
    people: [{ full_name: 'Mara Lindqvist' }],
  })
  const id = people[0]?.id as string
  await client.expect(200, 'GET', `/v1/people/${id}/export`)
  const held = await client.expect(200, 'GET', `/v1/people/${id}/export`)
  assert.deepEqual(
    held.audit_entries.map(({ action }: Entry) => action),
    ['exportPerson'],
  )
  assert.deepEqual(
    (await log(client, `&target_id=${id}`)).map(({ action }) => action),
    ['exportPerson', 'exportPerson'],
  )
  await client.expect(200, 'DELETE', `/v1/people/${id}`)
  const [erased, exported] = await log(client)
  assert.deepEqual(
    [erased.action, erased.target, erased.name !== null],
    ['erasePerson', { type: 'person', id: null, name: null }, true],
  )
  assert.deepEqual(
    [exported.action, exported.target, exported.is_erased, exported.ip],
    ['exportPerson', { type: 'person', id: null, name: null }, true, null],
  )
  assert.ok(exported.member_id)
  const { rows } = await sql<{ text: string }>`select audit_entries::text as text from audit_entries
    where workspace_id = ${workspaceId}`.execute(db)
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${id}|Mara`))
  const report = await verify(workspaceId)
  assert.deepEqual([report.problem, report.erased], [null, 2])
})

test('a change that is being made contains nothing that an erasure would miss', async () => {
  const { client, workspaceId, people } = await scene(service, {
    accounts: 1,
    people: [{ full_name: 'Mara Lindqvist', email: 'mara@acme.com' }],
  })
  const path = `/v1/people/${people[0]?.id}`
  const pending = async () => {
    const found = await sql<{ text: string }>`
      select audit_pending::text as text from audit_pending where workspace_id = ${workspaceId}`.execute(db)
    return found.rows.map(({ text }) => text).join()
  }
  await dying(() => client.expect(200, 'PUT', `${path}/owner`, { owner_id: null }))
  assert.match(await pending(), /setPersonOwner/)
  assert.doesNotMatch(await pending(), /mara@/)
  assert.match(await pending(), new RegExp(people[0]?.id as string))
  await client.expect(200, 'DELETE', path)
  assert.match(await pending(), /setPersonOwner/)
  assert.doesNotMatch(await pending(), new RegExp(`${people[0]?.id}|email`))
})

test('an erasure waits for an entry about the person that is being written, and erases it', async () => {
  const { client, workspaceId, people } = await scene(service, {
    accounts: 1,
    people: [{ full_name: 'Mara Lindqvist' }, { full_name: 'Ivo Brandt' }],
  })
  const runs = [
    (path: string) => client.expect(200, 'GET', `${path}/export`),
    (path: string) => client.expect(200, 'PUT', `${path}/owner`, { owner_id: null }),
  ]
  const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const untilWaiting = (count: number) =>
    eventually(`${count} wait`, async () => (await waiting.execute(db)).rows.length === count)
  for (const [at, run] of runs.entries()) {
    const path = `/v1/people/${people[at]?.id}`
    // An entry is written while its workspace has the end of the chain locked.
    const ends = await db.transaction().execute(async (held) => {
      await sql`select from audit_heads where workspace_id = ${workspaceId} for update`.execute(held)
      const written = run(path)
      await untilWaiting(1)
      const erased = client.expect(200, 'DELETE', path)
      await untilWaiting(2)
      return [written, erased]
    })
    await Promise.all(ends)
    const { rows } = await sql<{ text: string }>`
      select audit_entries::text as text from audit_entries where workspace_id = ${workspaceId}`.execute(db)
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(people[at]?.id as string))
  }
  assert.equal((await verify(workspaceId)).problem, null)
})

/** The state after a kill: the handler has made its change, the entry was never completed. */
async function dying<T>(run: () => Promise<T>): Promise<T> {
  await sql`create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(
    db,
  )
  await sql`create trigger die before insert on audit_entries for each row execute function die()`.execute(db)
  try {
    return await run()
  } finally {
    await sql`drop function die cascade`.execute(db)
  }
}

test('a change whose process was killed has the outcome unknown, once', async () => {
  const { client, workspaceId } = await service.stranger()
  const list = await dying(() => client.expect(201, 'POST', '/v1/people/lists', { name: 'A' }))
  assert.deepEqual(await log(client), [])
  await service.run(closeAbandoned, {})
  assert.deepEqual(await log(client), [])
  for (const idle of [0, 0]) await service.run(closeAbandoned, { idle })
  const [entry, ...others] = await log(client)
  assert.deepEqual([entry.action, entry.outcome, entry.status, others], ['createPeopleList', 'unknown', null, []])
  assert.ok(list.id)
  assert.equal((await verify(workspaceId)).problem, null)
})

test('an upload that takes hours is not abandoned, and one that breaks off has failed', async (t) => {
  const { client, key, workspaceId } = await service.stranger()
  t.mock.timers.enable({ apis: ['setInterval'] })
  const isAlive = async () => {
    const { rows } = await sql<{ is_alive: boolean }>`select alive_at > now() - interval '1 hour' as is_alive
      from audit_pending where workspace_id = ${workspaceId}`.execute(db)
    return rows[0]?.is_alive
  }
  const begin = async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
    const upload = request(`${service.address}/v1/accounts/import`, { method: 'POST', headers })
    upload.write('domain\n')
    await eventually('the pending change', isAlive)
    return upload
  }
  const upload = await begin()
  await sql`update audit_pending set alive_at = now() - interval '2 hours' where workspace_id = ${workspaceId}`.execute(
    db,
  )
  t.mock.timers.tick(600_000)
  await eventually('a report that it is alive', isAlive)
  await service.run(closeAbandoned, {})
  const answered = new Promise((resolve, reject) => upload.on('response', resolve).on('error', reject))
  upload.end('northwind.example\n')
  await answered
  const [entry, ...others] = await log(client)
  assert.deepEqual([entry.action, entry.outcome, entry.target.type], ['importAccounts', 'ok', 'import'])
  assert.ok(entry.target.id)
  assert.deepEqual(others, [])
  const broken = await begin()
  broken.on('error', () => {}).destroy()
  const entries = await eventually('the entry of the broken upload', async () => {
    const found = await log(client)
    return found.length === 2 && found
  })
  assert.deepEqual([entries[0].action, entries[0].outcome], ['importAccounts', 'failed'])
})

test('retention removes the oldest entries, and the chain is verified from there', async () => {
  const { client, workspaceId } = await written(3)
  await makeOld(workspaceId, 3)
  const first = await verify(workspaceId)
  assert.equal(first.problem, 'Entry 1 was changed.')
  await service.run(purgeAudit, {})
  assert.deepEqual(
    (await log(client)).map(({ seq }) => seq),
    [3],
  )
  const { problem, entries, removed, removed_until } = await verify(workspaceId)
  assert.deepEqual([problem, entries, removed, removed_until !== null], [null, 1, 2, true])
})
