import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refused } from './support/client.ts'
import type { Document } from './support/contract.ts'
import { scene } from './support/scene.ts'
import { testService } from './support/service.ts'

/**
 * Walks every operation of the OpenAPI document: what a read-only key, a plain member and another workspace can do
 * with it. A new operation is walked without a line here; one for admins must be listed.
 */
// Operations that call out find nobody there.
const service = await testService({ env: { OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:9' } })
const document = (await service.as(null).get('/openapi.json')).body as Document & {
  paths: Record<string, Record<string, { requestBody?: { content: { 'application/json'?: { example: object } } } }>>
}

const ADMIN_ONLY = [
  'GET /v1/api-keys',
  'POST /v1/api-keys',
  'DELETE /v1/api-keys/{id}',
  'POST /v1/members',
  'PATCH /v1/members/{id}',
  'DELETE /v1/members/{id}',
  'PUT /v1/subscription',
  'POST /v1/company-profile/refresh',
  'POST /v1/companies/import',
  'PUT /v1/integrations/email-verification',
  'GET /v1/connections',
  'POST /v1/connections',
  'POST /v1/connections/authorize',
  'DELETE /v1/connections/{provider}',
]

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    body: operation.requestBody?.content['application/json']?.example,
  })),
)

const UNKNOWN = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'

test('a read-only key changes nothing, by any operation', async () => {
  const { client } = await service.member({ role: 'admin' }, { read_only: true })
  for (const { name, method, path, body } of operations) {
    const answer = await client.send(method, path.replace('{id}', UNKNOWN), body)
    if (method === 'GET') assert.notEqual(answer.status, 403, name)
    else refused(answer, 403, 'forbidden')
  }
})

test('exactly the listed operations are for admins', async () => {
  const { client } = await service.member()
  const refusedTo: string[] = []
  for (const { name, method, path, body } of operations) {
    const { status } = await client.send(method, path.replace('{id}', UNKNOWN), body)
    if (status === 403) refusedTo.push(name)
  }
  assert.deepEqual(refusedTo.sort(), ADMIN_ONLY.toSorted())
})

test('nothing answers without a key', async () => {
  for (const { method, path, body } of operations) {
    refused(await service.as(null).send(method, path.replace('{id}', UNKNOWN), body), 401, 'unauthenticated')
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
  const signal = await theirs.client.expect(201, 'POST', '/v1/signals', { name: secret, description: secret })
  const member = await theirs.client.expect(201, 'POST', '/v1/members', { name: secret, email: 'x@xyzzy.com' })
  const key = await theirs.client.expect(201, 'POST', '/v1/api-keys', { name: secret })
  await theirs.client.expect(200, 'PUT', '/v1/settings/notifications', { chat_channel: secret })
  await service.deps.db
    .updateTable('company_profiles')
    .set({ name: secret })
    .where('workspace_id', '=', theirs.workspaceId)
    .execute()
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
      const answer = await ours.client.send(method, path.replace('{id}', id), body)
      assert.ok(!answer.text.includes(secret), `${name} showed ${answer.text}`)
      assert.ok(answer.status !== 500, `${name}: ${answer.text}`)
    }
  }
  assert.deepEqual(await contents(theirs.workspaceId), before)
})
