import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { saveConnection } from '../../src/resources/connections/store.ts'
import { startSync } from '../../src/resources/crm-sync/store.ts'
import { insertPushRun } from '../../src/resources/push-runs/store.ts'
import { insertDeliveries } from '../../src/resources/webhook-destinations/delivery-store.ts'
import { newId } from '../../src/shared/ids.ts'
import { detect } from '../support/alerts.ts'
import { type Answer, type Client, refused } from '../support/client.ts'
import { differences } from '../support/examples.ts'
import { type Operation, readOperations, readTables } from '../support/operations.ts'
import { scene, unique } from '../support/scene.ts'
import { testService } from '../support/service.ts'

/**
 * Walks every operation of the OpenAPI document with every role, and holds what it answers against the table in
 * docs/rights.md; then without a key, and from another workspace. A new operation needs a row there, and a line here only
 * where it is about something that no other operation is about.
 */
// Outbound calls of the operations are refused.
const env = { OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:9', PUSH_RETRY_SECONDS: '0', PUSH_INLINE_SECONDS: '1' }
const service = await testService({ env })
const { admin, workspaceId } = service
const { db, secrets } = service.deps
const operations = readOperations()
const [table = []] = readTables('docs/rights.md')

const ROLES = ['admin', 'member', 'scoped member', 'read-only key', 'work key'] as const
type Role = (typeof ROLES)[number]
const members: Record<Role, { id: string; key: string; client: Client }> = {
  admin: await service.member({ role: 'admin' }),
  member: await service.member(),
  'scoped member': await service.member({ visibility: 'scoped' }),
  'read-only key': await service.member({ role: 'admin' }, { read_only: true }),
  'work key': await service.member({ role: 'admin' }, { scope: 'work' }),
}
/** The columns of docs/rights.md: a work key of an admin has the rights of a member. */
const COLUMNS: readonly Role[] = ['admin', 'member', 'scoped member', 'read-only key']
const columnOf = (role: Role) => COLUMNS.indexOf(role === 'work key' ? 'member' : role) + 1
const SECRET = 'Xyzzy'
const TOKEN = 'plugh'

async function account(owner_id: string | null) {
  const { ids, save } = await scene(service, {
    accounts: [{ name: 'A', owner_id }],
    owner: { client: admin, workspaceId },
  })
  return { id: ids[0] as string, save }
}

/** A person without an owner has a name by which the test recognises a response that contains them. */
async function person(owner: string | null): Promise<string> {
  const [saved] = await (await account(owner)).save([{ full_name: `${owner ? 'Own' : SECRET} ${unique('p')}` }])
  return saved?.id as string
}

const made = async (path: string, body: object) => (await admin.expect(201, 'POST', `/v1${path}`, body)).id as string
const destination = () =>
  made('/webhook-destinations', { name: unique('Destination'), url: `https://${unique('x')}.example.com/${TOKEN}` })

/** A rule that needs no mail server for its test. */
const alertRule = (owner: Role | null) =>
  (owner && owner !== 'read-only key' ? members[owner].client : admin).expect(201, 'POST', '/v1/alert-rules', {
    ...{ name: unique('Rule'), events: ['signal.detected'], channel: 'chat_dm' },
  })

/** What a path is about: something new, which belongs to this member or has no owner. A read-only key starts no run. */
const TARGETS: Record<string, (owner: Role | null) => Promise<string | string[]>> = {
  '/accounts/{id}/signals/{detection_id}': async (owner) => {
    const { id: account_id } = await account(owner && members[owner].id)
    const found = await detect(service.deps, workspaceId, { account_id, run_id: null }, [{ headline: 'Raised' }])
    const draft = JSON.stringify({ to: null, message: null, is_signed: false, note: null })
    const proof = {
      claim: 'Raised',
      quote: null,
      details: null,
      source_url: null,
      published_date: null,
      judged_by: null,
    }
    await db
      .updateTable('signal_detections')
      .set({ draft, evidence: JSON.stringify([proof]) })
      .where('account_id', '=', account_id)
      .execute()
    return [account_id, ...found.ids]
  },
  '/accounts/{id}/relations/{relation_id}': async (owner) => {
    const { id } = await account(owner && members[owner].id)
    return [id, await made(`/accounts/${id}/relations`, { kind: 'brand', name: 'Northwind Express' })]
  },
  '/accounts/{id}/registrations/{register_id}': async (owner) => {
    const { id: account_id } = await account(owner && members[owner].id)
    const record = {
      register: 'gleif' as const,
      register_id: unique('LEI'),
      legal_name: 'Northwind AS',
      proof: 'Stated.',
    }
    await db
      .insertInto('account_registrations')
      .values({ workspace_id: workspaceId, account_id, ...record })
      .execute()
    return [account_id, record.register_id]
  },
  '/playbook/{signal_id}/{department}': async () => ['funding', 'finance'],
  '/work-items/{id}': async (owner) => {
    const { id: account_id } = await account(owner && members[owner].id)
    await detect(service.deps, workspaceId, { account_id, run_id: null }, [{ headline: 'Raised' }])
    const { id } = await db
      .selectFrom('work_items')
      .select('id')
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    return id
  },
  '/accounts/{id}': async (owner) => (await account(owner && members[owner].id)).id,
  '/people/{id}': (owner) => person(owner && members[owner].id),
  '/people/searches/{id}': async (owner) => {
    const { id, save } = await account(owner && members[owner].id)
    await save([{ full_name: `${owner ? 'Own' : SECRET} ${unique('p')}`, title: 'CFO' }])
    await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
    const client = owner && owner !== 'read-only key' ? members[owner].client : admin
    const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO', account_ids: [id] })
    return found.search_id
  },
  '/companies/imports/{id}': async () => {
    const body = 'domain\nnorthwind.example\n'
    const headers = { 'content-type': 'text/csv' }
    return (await admin.post('/v1/companies/import', undefined, { body, headers })).data.id
  },
  '/accounts/imports/{id}': async () => {
    const body = 'domain\nnorthwind.example\n'
    const headers = { 'content-type': 'text/csv' }
    return (await admin.post('/v1/accounts/import', undefined, { body, headers })).data.id
  },
  '/people/lists/{id}': async (owner) => {
    const client = owner && owner !== 'read-only key' ? members[owner].client : admin
    const { id } = await client.expect(201, 'POST', '/v1/people/lists', { name: unique('List') })
    await admin.expect(200, 'POST', `/v1/people/lists/${id}/members`, {
      add: [await person(owner && members[owner].id)],
    })
    return id
  },
  '/push-runs/{id}': async (owner) => {
    const contact_ids = Array.from({ length: 101 }, () => crypto.randomUUID())
    const client = owner && owner !== 'read-only key' ? members[owner].client : admin
    const push = { destination_id: await destination(), contact_ids }
    return (await client.expect(202, 'POST', '/v1/people/webhook-push', push)).run_id
  },
  '/runs/{id}': async () =>
    (await admin.expect(202, 'POST', '/v1/runs', { signals: { any_of: ['funding'] } })).run_id as string,
  '/signals/{id}/examples/{example_id}': async () => {
    const id = await made('/signals', { name: unique('Signal'), description: 'They open a warehouse.' })
    const example = { sentence: 'Acme opens a warehouse in Graz.', verdict: 'right' }
    return [id, (await admin.expect(201, 'POST', `/v1/signals/${id}/examples`, example)).id]
  },
  '/signals/{id}': () => made('/signals', { name: unique('Signal'), description: 'They open a warehouse.' }),
  '/knowledge-base/{id}': () => made('/knowledge-base', { title: 'T', content_md: '' }),
  '/webhook-destinations/{id}/deliveries/{delivery_id}': async (owner) => {
    const destination_id = await destination()
    const record_id = await person(owner && members[owner].id)
    const run = { channel: 'webhook', recordType: 'people', destinationId: destination_id } as const
    const { run_id } = await insertPushRun(
      db,
      { workspace_id: workspaceId, scoped_to: null },
      { ...run, ids: [], surplus: [] },
    )
    const sent = {
      webhook_id: 'msg_1',
      attempt: 1,
      sent_at: Date.parse('2026-11-01T08:00:00Z'),
      body_digest: '00',
      answer: TOKEN,
    }
    const outcome = { status: 422, message: 'The receiver answered 422.', latency_ms: 1 }
    await insertDeliveries(db, workspaceId, { destination_id, run_id }, [{ ...sent, ...outcome, record_id }])
    const [{ id }] = await admin.expect(200, 'GET', `/v1/webhook-destinations/${destination_id}/deliveries`)
    return [destination_id, id]
  },
  '/webhook-destinations/{id}': destination,
  '/alert-rules/{id}': async (owner) => (await alertRule(owner)).id,
  // Stored directly: a scoped member is not alerted about the accounts of others.
  '/alerts/{id}': async (owner) => {
    const ids = {
      workspace_id: workspaceId,
      rule_id: (await alertRule(owner)).id,
      account_id: (await account(null)).id,
    }
    const alert = {
      ...ids,
      id: newId(),
      type: 'signal.detected',
      is_open: false,
      run_id: null,
      member_id: null,
    } as const
    await db.insertInto('alerts').values(alert).execute()
    const failed = { state: 'failed', finished_at: new Date(), message: 'No chat is connected.' } as const
    const nothing = { lease_id: null, status: null, target: null }
    const delivery = {
      workspace_id: workspaceId,
      alert_id: alert.id,
      channel: 'chat_dm',
      ...failed,
      ...nothing,
    } as const
    await db.insertInto('alert_deliveries').values(delivery).execute()
    return alert.id
  },
  '/members/{id}': () => made('/members', { name: 'M', email: `${unique('m')}@team.example` }),
  '/api-keys/{id}': () => made('/api-keys', { name: 'K' }),
  '/service-accounts/{id}': () => made('/service-accounts', { name: unique('Service') }),
  '/sessions/{id}': async (owner) =>
    (await service.as(null).expect(201, 'POST', '/v1/sessions', { key: members[owner ?? 'admin'].key })).id,
  '/connections/{provider}': async () => {
    const connection = { credential: { token: 'x' }, vendorAccount: '1', expires_at: null }
    await saveConnection(db, workspaceId, 'crm_one', secrets, connection)
    return 'crm_one'
  },
  // It is not connected here.
  '/crm/mapping/{provider}': async () => 'crm_two',
  '/crm/sync/{provider}': async () => {
    await startSync(db, { workspace_id: workspaceId, provider: 'crm_one' }, '42')
    return 'crm_one'
  },
}

/** Makes a call about something new that belongs to this member or has no owner. */
async function call({ method, path, body }: Operation, role: Role, owner: Role | null): Promise<Answer> {
  const about = Object.keys(TARGETS).find((prefix) => path.startsWith(`/v1${prefix}`) && prefix.includes('{'))
  const named = about ? [await TARGETS[about]?.(owner)].flat() : []
  const url = path.replaceAll(/\{\w+\}/g, () => named.shift() ?? '')
  return members[role].client.send(method, url, await bodyFor(path, body, owner))
}

/** The example of a body, about what there is. */
async function bodyFor(path: string, example: unknown, owner: Role | null): Promise<unknown> {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  const { owner_id, ...body } = example as Record<string, unknown>
  if (path.endsWith('/owner')) return { owner_id: members.admin.id }
  if (path === '/v1/sessions') return { key: members.admin.key }
  if (path === '/v1/sign-in-links') return {}
  // Without the owner: a call that gives away an account is refused for that, and the one for it shows so.
  if (path !== '/v1/people/sync' && path !== '/v1/people/find') return body
  const { id } = await account(owner && members[owner].id)
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  return path.endsWith('sync') ? { account_id: id } : { ...body, account_ids: [id] }
}

/** Open to everyone. The second and third need a provider or a mail server, and respond 404 here. */
const OPEN = ['GET /sign-in-options', 'POST /sign-in-requests', 'POST /sign-in-links/email']

/** What the walk cannot show: these operations need more than it has, and are refused. */
const NOT_ANSWERED = [
  ...OPEN.slice(1),
  // Its example names a destination of another workspace.
  'PUT /settings/audit',
  'POST /accounts/{id}/deactivate',
  'POST /accounts/{id}/enrich',
  'POST /accounts/webhook-push',
  'POST /people/webhook-push',
  'POST /accounts/crm-push',
  'POST /people/crm-push',
  'POST /work-items/{id}/push',
  'GET /crm/mapping/{provider}',
  'PUT /crm/mapping/{provider}',
  'POST /crm/mapping/{provider}/dry-run',
  'POST /connections',
  'POST /connections/authorize',
  'POST /companies/import',
  'POST /accounts/import',
  'POST /accounts/import/preview',
]
const compared = new Set<string>()

/** An answer has the fields that its example in the documentation shows, and no others. */
function compareExample(operation: Operation, answer: Answer): void {
  const { name } = operation
  if (answer.status >= 300) return
  compared.add(name)
  // A run says more of itself once it has looked into something.
  const wrong = differences(operation, answer).filter((one) => !/^\.data\.stats\..*only in the example/.test(one))
  assert.deepEqual(wrong, [], `${name}: the example is not what is answered`)
}

const READS_SECRETS = [
  'GET /webhook-destinations',
  'GET /settings/notifications',
  'GET /webhook-destinations/{id}/deliveries/{delivery_id}',
]

test('docs/rights.md has a row for every operation, and none for another', () => {
  assert.deepEqual(table.map(([name]) => name).toSorted(), operations.map(({ name }) => name).toSorted())
})

for (const role of ROLES) {
  test(`every operation lets a key of ${role} do what docs/rights.md says, and no more`, async () => {
    await destination()
    await admin.expect(200, 'PUT', '/v1/settings/notifications', { webhook_url: `https://x.example.com/${TOKEN}` })
    for (const operation of operations) {
      const { name } = operation
      const right = table.find(([row]) => row === name)?.[columnOf(role)] ?? 'missing'
      const refusal = /^own, else (\d{3})$/.exec(right)?.[1]
      const theirs = await call(operation, role, role)
      const foreign = await call(operation, role, null)
      const said = `${role}, ${name} (${right}): `
      const allowed = ({ status, text }: Answer) =>
        assert.ok(![401, 403, 500].includes(status) && (status !== 404 || OPEN.includes(name)), said + status + text)
      if (right === 'no') for (const answer of [theirs, foreign]) refused(answer, 403, 'forbidden')
      else if (refusal) assert.equal(foreign.status, Number(refusal), said + foreign.text)
      else {
        assert.ok(right === 'yes' || right === 'seen', `${said}no such right`)
        allowed(foreign)
      }
      if (right !== 'no') allowed(theirs)
      if (role === 'admin') for (const answer of [theirs, foreign]) compareExample(operation, answer)
      // What signs deliveries, and the part of a URL that may be a password.
      const hasSecret = new RegExp(`whsec_|${TOKEN}`).test(theirs.text + foreign.text)
      if (role === 'admin' && READS_SECRETS.includes(name)) assert.ok(hasSecret, said + theirs.text)
      else if (role !== 'admin') assert.ok(!hasSecret, said + theirs.text)
      if (role === 'scoped member') assert.ok(!(theirs.text + foreign.text).includes(SECRET), said + foreign.text)
    }
  })
}

test('the documented examples equal the responses', () => {
  const others = operations.filter(({ name }) => !compared.has(name)).map(({ name }) => name)
  assert.deepEqual(others.toSorted(), NOT_ANSWERED.toSorted())
})

const UNKNOWN = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'

test('no operation works without a key, except those for signing in', async () => {
  for (const { method, path, body, name } of operations) {
    const answer = await service.as(null).send(method, path.replaceAll(/\{\w+\}/g, UNKNOWN), body)
    if (OPEN.includes(name)) assert.ok([200, 404, 429].includes(answer.status), answer.text)
    else refused(answer, 401, 'unauthenticated')
  }
})

/** Every table with a workspace, as text. */
async function contents(workspaceId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id' order by 1`.execute(service.deps.db)
  const tables: Record<string, unknown> = {}
  for (const { name } of rows) {
    // When a key was used and what lists were counted is no data of the workspace.
    if (name === 'list_versions' || name === 'idempotency_keys') continue
    const { rows } = await sql`select to_jsonb(t) - 'last_used_at' as row from ${sql.table(name)} t
      where workspace_id = ${workspaceId} order by 1`.execute(service.deps.db)
    tables[name] = rows
  }
  return tables
}

test('no operation of one workspace reads or changes anything of another', async () => {
  const secret = 'Xyzzy'
  const theirs = await scene(service, {
    accounts: [{ name: secret, domain: 'xyzzy.com', tags: ['rail', 'q4'] }],
    active: true,
    people: [{ full_name: secret, email: 'x@xyzzy.com' }],
  })
  const list = await theirs.client.expect(201, 'POST', '/v1/people/lists', { name: secret })
  const section = await theirs.client.expect(201, 'POST', '/v1/knowledge-base', {
    title: secret,
    content_md: secret,
    position: 0,
  })
  const signal = await theirs.client.expect(201, 'POST', '/v1/signals', {
    name: secret,
    description: `They order robots from ${secret}`,
  })
  const member = await theirs.client.expect(201, 'POST', '/v1/members', { name: secret, email: 'x@xyzzy.com' })
  const key = await theirs.client.expect(201, 'POST', '/v1/api-keys', { name: secret })
  await theirs.client.expect(200, 'PUT', '/v1/settings/notifications', { chat_channel: secret })
  await service.deps.db
    .updateTable('company_profiles')
    .set({ name: secret })
    .where('workspace_id', '=', theirs.workspaceId)
    .execute()
  const { ids: found } = await detect(
    service.deps,
    theirs.workspaceId,
    { account_id: theirs.ids[0] as string, run_id: null },
    [{ headline: secret }],
  )
  const before = await contents(theirs.workspaceId)

  const ours = await service.stranger()
  const ids = [
    theirs.ids[0],
    theirs.people[0]?.id,
    list.id,
    section.id,
    signal.id,
    member.id,
    key.id,
    'funding',
  ] as string[]
  for (const { name, method, path, body } of operations) {
    for (const id of path.includes('{id}') ? ids : [UNKNOWN]) {
      const url = path
        .replace('{id}', id)
        .replace('{detection_id}', found[0] as string)
        .replaceAll(/\{\w+\}/g, UNKNOWN)
      const answer = await ours.client.send(method, url, body)
      assert.ok(!answer.text.includes(secret), `${name} showed ${answer.text}`)
      assert.ok(answer.status !== 500, `${name}: ${answer.text}`)
    }
  }
  assert.deepEqual(await contents(theirs.workspaceId), before)
})
