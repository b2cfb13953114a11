import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type AuditedRecord, recordAt } from '../../src/audit/records.ts'
import { type Answer, refused } from '../support/client.ts'
import { bodyOf, furnish, namedBy, readDocument } from '../support/furnished.ts'
import { scene } from '../support/scene.ts'
import { testService } from '../support/service.ts'

/**
 * Calls every operation of the OpenAPI document with data that clients have read before, in the ways clients differ. A new
 * operation needs no line here. Arbitrary input is covered by test/fuzz/api.fuzz.ts.
 */
// Outbound requests of operations fail.
const service = await testService({ env: { OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:9' } })
const { document, operations, resolve } = readDocument()
const furnished = () => furnish(service)

/** They act on a record, but take no field of it. */
const SAYS = new Set([
  '/v1/accounts/{id}/signals/{detection_id}/feedback',
  '/v1/accounts/{id}/signals/{detection_id}/draft',
  '/v1/playbook/{signal_id}/{department}',
  // Listed with the account; company-structure.test.ts changes them.
  '/v1/accounts/{id}/relations/{relation_id}',
  '/v1/accounts/{id}/registrations/{register_id}',
  // It needs a connected CRM; crm-mapping.test.ts writes it back.
  '/v1/crm/mapping/{provider}',
  '/v1/crm/sync/{provider}',
])

/** Where the changed record can be read: at the path of the operation, or at the nearest one above it. */
function readablePath(path: string): string {
  for (let above = path; above.includes('/'); above = above.slice(0, above.lastIndexOf('/'))) {
    if (document.paths[above]?.get) return above
  }
  throw new Error(`nothing shows what ${path} changes`)
}

test('writing back a record as it was read changes nothing, for every operation that updates one', async () => {
  const { client, records, workspaceId, member } = await furnished()
  const { db } = service.deps
  await client.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: 'https://93.184.216.34/hook',
    chat_channel: '#deals',
  })
  await db
    .updateTable('notification_settings')
    .set({ webhook_problem: 'It answered 500.' })
    .where('workspace_id', '=', workspaceId)
    .execute()
  await client.expect(200, 'PUT', `/v1/accounts/${records['/v1/accounts']?.[0]}/owner`, { owner_id: member })
  // Everything that a rule or a job would change, including timestamps.
  const rows = async () =>
    JSON.stringify(
      await Promise.all([
        db.selectFrom('accounts').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute(),
        db.selectFrom('people').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute(),
        db.selectFrom('signals').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute(),
        db.selectFrom('knowledge_sections').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute(),
        db.selectFrom('members').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute(),
        db.selectFrom('subscriptions').selectAll().where('workspace_id', '=', workspaceId).execute(),
        db.selectFrom('notification_settings').selectAll().where('workspace_id', '=', workspaceId).execute(),
        sql`select sum(version) from list_versions where workspace_id = ${workspaceId}`.execute(db),
        sql`select count(*) from pgboss.job`.execute(db),
      ]),
    )
  const before = await rows()
  let walked = 0
  const writes = operations.filter(({ method, path }) => /^(PATCH|PUT)$/.test(method) && !SAYS.has(path))
  for (const { method, path } of writes) {
    for (const id of path.includes('{id}') ? namedBy(path, records) : ['']) {
      const from = readablePath(path).replace('{id}', id)
      const read = async () => [(await client.expect(200, 'GET', from)) as Answer['data']].flat()
      const record = (await read()).find((one) => !id || one.id === id)
      assert.ok(record, `${from} does not show ${id}`)
      const answer = await client.expect(200, method, path.replace('{id}', id), record)
      for (const field of Object.keys(answer))
        assert.deepEqual(answer[field], record[field], `${method} ${path}: ${field}`)
      assert.deepEqual(
        (await read()).find((one) => !id || one.id === id),
        record,
      )
      walked++
    }
  }
  assert.ok(walked >= 14, `${walked} records were written back`)
  assert.equal(await rows(), before)
})

test('a changed status is rejected with the operation to use, and only different values count as set by a person', async () => {
  const { client, id } = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }] })
  const path = `/v1/accounts/${id('acme.com')}`
  const account = await client.expect(200, 'PATCH', path, { industry: 'Rail', employees: 40 })
  for (const [status, call] of [
    ['active', '/activate'],
    ['rejected', '/reject'],
    ['unqualified', '/scan'],
  ] as const) {
    const answer = await client.patch(path, { ...account, status })
    refused(answer, 409, 'invalid_transition')
    assert.ok(answer.error.message.includes(`POST /accounts/:id${call}`), answer.text)
  }
  await client.expect(200, 'PATCH', path, { ...account, country: 'Norway' })
  const { overridden } = await service.deps.db
    .selectFrom('accounts')
    .select('overridden')
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(overridden.sort(), ['country', 'employees', 'industry'])
})

test('an account has at most 100 tags of 60 characters, by every operation', async () => {
  const { client, ids, add } = await scene(service, { accounts: 1 })
  const path = `/v1/accounts/${ids[0]}`
  const tags = Array.from({ length: 100 }, (_, n) => `tag ${n}`)
  await client.expect(200, 'POST', `${path}/tags`, { tags: tags.slice(0, 60) })
  await client.expect(200, 'POST', `${path}/tags`, { tags: tags.slice(40) })
  for (const answer of [
    await client.post(`${path}/tags`, { tags: ['one more'] }),
    await client.patch(path, { tags: [...tags, 'one more'] }),
    await client.post('/v1/accounts', { name: 'B', tags: [...tags, 'one more'] }),
    await client.post(`${path}/tags`, { tags: ['x'.repeat(61)] }),
    await client.patch(path, { tags: ['x'.repeat(61)] }),
    await client.post('/v1/accounts', { name: 'B', tags: ['x'.repeat(61)] }),
  ]) {
    refused(answer, 400, 'invalid_request')
    assert.match(answer.error.details[0].path, /^tags/)
  }
  assert.deepEqual((await client.expect(200, 'POST', `${path}/tags`, { tags: ['tag 7 '] })).tags, tags)
  assert.deepEqual((await add({ name: 'C', tags: ['🐑'.repeat(60)] })).tags, ['🐑'.repeat(60)])
})

test('invalid text is rejected with its field, in a query, a path and a body; a lone surrogate is never replaced', async () => {
  const client = service.admin
  const section = (title: string) => client.post('/v1/knowledge-base', { title, content_md: '' })
  const raw = (body: string | Buffer) => client.post('/v1/knowledge-base', undefined, { body: body as string })
  for (const [answer, field] of [
    [await client.get('/v1/accounts?search=a%00b'), 'search'],
    [await client.get('/v1/people?search=%ED%A0%80'), 'search'],
    [await client.get('/v1/accounts?tag=%ff'), 'tag'],
    [await client.get('/v1/members?whatever=%00'), 'whatever'],
    [await client.get('/v1/accounts?min_score=3000000000'), 'min_score'],
    [await client.get('/v1/accounts?min_score=1e400'), 'min_score'],
    [await client.get('/v1/accounts/%00'), 'id'],
    [await client.get('/v1/accounts/%ED%A0%80'), 'path'],
    [await section('a\0b'), 'title'],
    [await section('\ud800'), 'title'],
    [await client.post('/v1/accounts', [{ name: 'A' }, { name: 'B', tags: ['x', '\udc00x'] }]), '1.tags.1'],
    [await raw('{"title":"a","content_md":"","more":{"\\ud800":1}}'), 'more'],
    [await raw(Buffer.from('{"title":"M\xfcller","content_md":""}', 'latin1')), 'body'],
  ] as const) {
    refused(answer, 400, 'invalid_request')
    assert.equal(answer.error.details[0].path, field, answer.text)
  }
  assert.equal((await section('\ud83d\udc11 \ufffd')).data.title, '🐑 \ufffd')
  assert.equal((await raw('{"title":"\\ud83d\\udc11","content_md":""}')).data.title, '🐑')
})

test('a body of another type is rejected as documented, also where no body is expected', async () => {
  const { client, records } = await furnished()
  for (const { method, path } of operations.filter(({ method }) => method !== 'GET')) {
    const url = path.replace(/\{\w+\}/, namedBy(path, records)[0] ?? 'none')
    const answer = await client.send(method, url, undefined, { headers: { 'content-type': 'text/plain' }, body: '{}' })
    refused(answer, 415, 'unsupported_media_type')
  }
})

test('null for an optional field is the same as omitting it, in every body', async () => {
  const { client, records } = await furnished()
  let walked = 0
  for (const operation of operations) {
    const body = bodyOf(operation)
    if (!body) continue
    const schema = body.schema.$ref ? resolve(body.schema.$ref) : body.schema
    const { properties = {}, required = [] } = schema.else?.$ref ? resolve(schema.else.$ref) : schema
    const optional = Object.entries(properties).filter(
      ([name, field]) => !required.includes(name) && ![field.type].flat().includes('null'),
    )
    if (optional.length === 0) continue
    const sent = { ...(body.example as object), ...Object.fromEntries(optional.map(([name]) => [name, null])) }
    const path = operation.path.replace('{id}', namedBy(operation.path, records)[0] ?? '')
    const answer = await client.send(operation.method, path, sent)
    // As if they were absent: none is rejected for its type.
    const refusal = answer.error?.code === 'invalid_request' ? answer.error.message : ''
    assert.doesNotMatch(refusal, / must be /, `${operation.method} ${path}`)
    walked++
  }
  assert.ok(walked >= 12, `${walked} bodies`)
})

test('a trailing slash changes nothing, and every time in a response has milliseconds and Z', async () => {
  const { client, records } = await furnished()
  const { db } = service.deps
  // Whole seconds and tenths: PostgreSQL omits trailing zeros.
  for (const [table, column] of [
    ['accounts', 'created_at'],
    ['accounts', 'last_signal_at'],
    ['people', 'created_at'],
    ['runs', 'created_at'],
  ] as const) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = '2026-11-01 08:00:00Z'`.execute(db)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = '2026-11-01 08:00:00.5Z'
      where id = (select max(id::text)::uuid from ${sql.table(table)})`.execute(db)
  }
  let times = 0
  // An export adds an entry to the audit log, which the log and the export of a person show.
  const reads = operations.filter(
    ({ method, path }) => method === 'GET' && !/^\/v1\/(audit|people\/\{id\})\/export$/.test(path),
  )
  for (const { path } of reads) {
    for (const id of path.includes('{id}') ? namedBy(path, records) : ['']) {
      const [plain, slashed] = [
        await client.get(path.replace('{id}', id)),
        await client.get(`${path.replace('{id}', id)}/`),
      ]
      assert.equal(
        slashed.text.replaceAll(/"(request_id|last_used_at)":"[^"]*"/g, ''),
        plain.text.replaceAll(/"(request_id|last_used_at)":"[^"]*"/g, ''),
        path,
      )
      for (const [, time] of plain.text.matchAll(/"(\d{4}-\d\d-\d\dT[^"]*)"/g)) {
        assert.match(time as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, path)
        times++
      }
    }
  }
  assert.ok(times > 40, `${times} times`)
  const csv = await client.get('/v1/accounts', { headers: { accept: 'text/csv' } })
  assert.match(csv.text, /,2026-11-01T08:00:00\.[05]00Z,/)
  assert.equal((await client.post('/v1/knowledge-base/', { title: 'a', content_md: '' })).status, 201)
  refused(await client.put('/v1/knowledge-base/', {}), 405, 'method_not_allowed')
})

test('common spellings of a boolean are accepted in a query', async () => {
  const { client } = await scene(service, {
    accounts: 1,
    people: [{ full_name: 'A', email: 'a@acme.com' }, { full_name: 'B' }],
  })
  const names = async (flag: string) =>
    (await client.expect(200, 'GET', `/v1/people?has_email=${flag}`)).map(
      ({ full_name }: { full_name: string }) => full_name,
    )
  for (const yes of ['true', 'True', 'TRUE', '1']) assert.deepEqual(await names(yes), ['A'], yes)
  for (const no of ['false', 'False', 'FALSE', '0']) assert.deepEqual(await names(no), ['B'], no)
  refused(await client.get('/v1/people?has_email=perhaps'), 400, 'invalid_request')
})

/** They change nothing, or have no workspace before they succeed: audit.test.ts signs in. */
const NOT_A_CHANGE = new Set([
  ...['previewSignal', 'previewFindPeople', 'previewCrmPush', 'previewAccountImport'],
  ...['signIn', 'authorizeSignIn', 'emailSignInLink'],
])
/** They need a vendor, a website, or a record that only a worker makes: the entry says that they failed. */
const FAILS = [
  ...['authorizeConnection', 'connect', 'disconnect', 'editDraft', 'enrichAccount', 'pushAccountsToCrm'],
  ...['pushPeopleToCrm', 'pushWorkItem', 'replayAlert', 'replayDelivery', 'resetDraft', 'resyncCrm', 'setCrmMapping'],
  ...['syncPeople', 'updateCrmSync'],
]
/** The check of rights finds no such record and refuses them before the handler, so that they change nothing. */
const REFUSED_BEFORE = ['replayAlert', 'replayDelivery']
/** The tables of which an operation changed a shown field. */
const COMPARED = [
  ...[
    'accounts',
    'alert_rules',
    'api_keys',
    'audit_streams',
    'company_profiles',
    'company_relations',
    'custom_signal_examples',
  ],
  ...[
    'knowledge_sections',
    'members',
    'notification_settings',
    'people',
    'signal_detections',
    'signals',
    'subscriptions',
  ],
  ...['webhook_destinations', 'work_items'],
]
type Fields = Record<string, unknown>
type Changes = Record<string, { before: unknown; after: unknown }>

/** The shown fields of a record as they are stored; null when there is none. */
async function readFields(
  { table = '', key = 'id', column = key ?? 'id' }: AuditedRecord,
  id: string | null,
  workspaceId: string,
) {
  if (key !== null && id === null) return null
  const owner = table === 'workspaces' ? 'id' : 'workspace_id'
  const same = key === null ? sql`` : sql` and ${sql.ref(column)}::text = ${id}`
  const { rows } = await sql<{ fields: Fields }>`select to_jsonb(record) as fields from ${sql.table(table)} as record
    where ${sql.ref(owner)} = ${workspaceId}${same}`.execute(service.deps.db)
  return rows[0]?.fields ?? null
}

const shown = (entries: { changes: unknown }[]) => entries.map(({ changes: _, ...entry }) => entry)
const SECRET = 'plugh-secret'

test('every changing operation leaves exactly one entry in the audit log, without a secret that was sent', async () => {
  const { client, records, workspaceId, detection, member } = await furnished()
  const { db } = service.deps
  const { id: workItem } = await db
    .selectFrom('work_items')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const account = await client.expect(201, 'POST', '/v1/service-accounts', { name: 'Sync' })
  const signal = records['/v1/signals']?.[1] as string
  const marked = { sentence: 'Acme orders robots.', verdict: 'right' }
  const example = await client.expect(201, 'POST', `/v1/signals/${signal}/examples`, marked)
  Object.assign(records, {
    '/v1/work-items': [workItem],
    '/v1/service-accounts': [account.id],
    '/v1/signals': [signal],
  })
  const [accountId, , rejected] = records['/v1/accounts'] as [string, string, string]
  const brand = { kind: 'brand', name: 'Lumo Pick' }
  const relation = await client.expect(201, 'POST', `/v1/accounts/${accountId}/relations`, brand)
  const record = { register: 'gleif' as const, register_id: 'LEI1', legal_name: 'Northwind AS', proof: 'Stated.' }
  await db
    .insertInto('account_registrations')
    .values({ workspace_id: workspaceId, account_id: accountId, ...record })
    .execute()
  const parts = { relation_id: relation.id, register_id: record.register_id }
  const others = { detection_id: detection, example_id: example.id, signal_id: 'funding', department: 'finance' }
  const inPath: Record<string, string> = { ...others, ...parts, provider: 'crm_one', delivery_id: crypto.randomUUID() }
  const fields: Record<string, unknown> = {
    ...{ owner_id: member, member_id: member, destination_id: records['/v1/webhook-destinations']?.[0] },
    ...{ account_id: accountId, account_ids: [accountId], contact_ids: records['/v1/people'], add: [], remove: [] },
    ...{
      token: SECRET,
      url: `https://93.184.216.34/hook?token=${SECRET}`,
      webhook_url: `https://93.184.216.34/${SECRET}`,
    },
  }
  const csv = { body: 'domain\nnorthwind.example\n', headers: { 'content-type': 'text/csv' } }
  const [failed, refusedBefore, compared] = [[] as string[], [] as string[], new Set<string>()]
  // The parts of a record are deleted before it.
  const isDeletion = ({ method }: { method: string }) => method === 'DELETE'
  const changing = [
    ...operations.filter((one) => !isDeletion(one)),
    ...operations.filter(isDeletion).sort((a, b) => b.path.length - a.path.length),
  ]
  for (const operation of changing) {
    const { method, operationId, path } = operation
    if (method === 'GET' || NOT_A_CHANGE.has(operationId)) continue
    const id = operationId === 'deleteAccount' ? rejected : (namedBy(path, records)[0] ?? crypto.randomUUID())
    // Feedback has closed it before.
    if (/^(close|snooze)WorkItem$/.test(operationId)) await client.expect(200, 'POST', `/v1/work-items/${id}/reopen`)
    // The destination of the stream cannot be deleted.
    if (operationId === 'deleteWebhookDestination')
      await client.expect(200, 'PUT', '/v1/settings/audit', { destination_id: null })
    const url = path.replace('{id}', id).replace(/\{(\w+)\}/g, (_, name) => inPath[name] ?? name)
    const given = bodyOf(operation)?.example
    const body =
      typeof given === 'object' && given !== null && !Array.isArray(given)
        ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fields[name] ?? value]))
        : given
    const requestId = `walk-${operationId}`
    const record = recordAt(path.replace(/^\/v1/, '').replaceAll(/\{(\w+)\}/g, ':$1'))
    const inUrl =
      record?.key === undefined || record.key === 'id' ? path.includes('{id}') && id : inPath[record.key ?? '']
    const target = record?.own ? null : inUrl || null
    const before = record?.table ? await readFields(record, target, workspaceId) : null
    const isFile = operationId.startsWith('import')
    const answer = await client.send(method, url, isFile ? undefined : body, {
      ...(isFile && { body: csv.body }),
      headers: { 'x-request-id': requestId, ...(isFile && csv.headers) },
    })
    const isDone = answer.status < 300
    if (!isDone) failed.push(operationId)
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor', 'outcome', 'status', 'changes'])
      .where('workspace_id', '=', workspaceId)
      .where('request_id', '=', requestId)
      .execute()
    const expected = { action: operationId, actor: 'key', outcome: isDone ? 'ok' : 'failed', status: answer.status }
    if (!isDone && entries.length === 0) refusedBefore.push(operationId)
    else assert.deepEqual(shown(entries), [expected], `${operationId}: ${answer.text}`)
    if (!isDone || !record?.table) continue
    // What the entry says about the fields is what the table says.
    const after = await readFields(record, target, workspaceId)
    const found = entries[0]?.changes as Changes
    for (const field of record.shown ?? []) {
      const [was, is] = [before?.[field] ?? null, after?.[field] ?? null]
      if (JSON.stringify(was) === JSON.stringify(is) || (target === null && record.key !== null)) continue
      assert.deepEqual(found[field], { before: was, after: is }, `${operationId}: ${field}`)
      compared.add(record.table)
    }
    if (before && after)
      for (const field of record.shown ?? [])
        if (JSON.stringify(before[field]) === JSON.stringify(after[field]))
          assert.equal(found[field], undefined, operationId)
  }
  assert.deepEqual(failed.sort(), FAILS)
  assert.deepEqual(refusedBefore.sort(), REFUSED_BEFORE)
  assert.deepEqual([...compared].sort(), COMPARED)
  const { rows } = await sql<{ text: string }>`select audit_entries::text as text from audit_entries
    where workspace_id = ${workspaceId}`.execute(db)
  assert.doesNotMatch(rows.map(({ text }) => text).join(), new RegExp(`${SECRET}|bw_|bwl_|whsec_`))
  assert.deepEqual(await sql`select from audit_pending`.execute(db).then(({ rows }) => rows), [])
})
