import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()
const { db } = service.deps

const names = async (client: Client, query = '') =>
  (await client.expect(200, 'GET', `/v1/accounts${query}`)).map(({ name }: { name: string }) => name)

test('an account is created as suggested, with source api and only the given values', async () => {
  const { client } = await scene(service)
  const answer = await client.post('/v1/accounts', { name: ' Acme ', domain: 'acme.com', tags: ['x', 'y', 'x'] })
  assert.equal(answer.status, 201)
  const { id, created_at, ...rest } = answer.data
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(Date.parse(created_at) > Date.now() - 60_000)
  assert.deepEqual(rest, {
    name: 'Acme',
    domain: 'acme.com',
    status: 'suggested',
    score: 0,
    employees: null,
    industry: null,
    location: null,
    country: null,
    tags: ['x', 'y'],
    owner_id: null,
    network_url: null,
    short_description: null,
    logo_url: null,
    last_signal_at: null,
    is_hot: false,
    qualified: false,
    relationship: 'none',
    relationship_on: null,
    relationship_reason: null,
    why_now_md: null,
    suggestion_reason: null,
    unqualified_reason: null,
    source: 'api',
    import: null,
    last_scanned_at: null,
    activated_at: null,
    founded_year: null,
    technologies: [],
    technology_facts: [],
    workforce_by_department: null,
    workforce_by_country: null,
    workforce_basis: null,
    overridden: [],
    created: true,
  })
  const { created, ...stored } = answer.data
  assert.deepEqual(await client.expect(200, 'GET', `/v1/accounts/${id}`), stored)
})

test('a pasted address becomes the domain and not the name, and a page at a network is not the domain', async () => {
  const { client, add } = await scene(service)
  const named = async (body: object) => {
    const { name, domain, network_url } = await add(body)
    return [name, domain, network_url]
  }
  assert.deepEqual(await named({ name: 'https://www.acme.example/about' }), ['Acme', 'acme.example', null])
  assert.deepEqual(await named({ name: 'blue-heron.example', domain: 'blue-heron.example' }), [
    'Blue Heron',
    'blue-heron.example',
    null,
  ])
  const page = 'https://www.linkedin.com/company/tall-pines/'
  assert.deepEqual(await named({ name: page }), ['Tall Pines', null, page])
  assert.deepEqual(await named({ name: 'Node.js' }), ['Node.js', null, null])
  assert.deepEqual(await named({ name: 'Booking.com', domain: 'booking.com' }), ['Booking.com', 'booking.com', null])
  assert.equal((await client.post('/v1/accounts', { name: 'www.acme.example' })).data.created, false)
  for (const domain of [page, 'info@gmail.com']) {
    refused(await client.post('/v1/accounts', { name: 'Acme', domain }), 400, 'invalid_request')
  }
})

test('posting an existing domain changes nothing and returns the existing account', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'Acme', domain: 'acme.com' })
  const again = await client.post('/v1/accounts', {
    name: 'Other',
    domain: 'HTTPS://www.ACME.com/about?x=1',
    tags: ['new'],
  })
  assert.equal(again.status, 200)
  assert.deepEqual([again.data.id, again.data.name, again.data.tags, again.data.created], [id, 'Acme', [], false])
})

test('domains are normalized before they are compared', async () => {
  const { add } = await scene(service)
  const forms = [
    'Müller.de',
    'https://müller.de/',
    'www.müller.de',
    'xn--mller-kva.de.',
    'http://user@müller.de:8080/jobs#x',
  ]
  const accounts = await add(forms.map((domain, n) => ({ name: `M${n}`, domain })))
  assert.deepEqual(
    accounts.map(({ created }: { created: boolean }) => created),
    [true, false, false, false, false],
  )
  assert.equal(new Set(accounts.map(({ id }: { id: string }) => id)).size, 1)
  assert.equal(accounts[0].domain, 'xn--mller-kva.de')
})

test('the response to an array keeps its order, and accounts without a domain are never merged', async () => {
  const { client, add } = await scene(service)
  await add({ name: 'Known', domain: 'known.com' })
  const sent = [
    { name: 'Z', domain: 'z.com' },
    { name: 'None' },
    { name: 'K2', domain: 'known.com' },
    { name: 'None', domain: null },
    { name: 'A', domain: 'a.com' },
  ]
  const answer = await client.post('/v1/accounts', sent)
  assert.equal(answer.status, 201)
  assert.deepEqual(
    answer.data.map((one: { name: string; created: boolean }) => [one.name, one.created]),
    [
      ['Z', true],
      ['None', true],
      ['Known', false],
      ['None', true],
      ['A', true],
    ],
  )
  assert.notEqual(answer.data[1].id, answer.data[3].id)
  assert.equal((await client.post('/v1/accounts', [{ name: 'Z', domain: 'z.com' }])).status, 200)
})

test('500 accounts are accepted, 501 are rejected and nothing is written', async () => {
  const { client, add } = await scene(service)
  const many = Array.from({ length: 501 }, (_, n) => ({ name: `N${n}`, domain: `n${n}.com` }))
  refused(await client.post('/v1/accounts', many), 400, 'invalid_request')
  assert.deepEqual(await names(client), [])
  assert.equal((await add(many.slice(0, 500))).length, 500)
  assert.equal((await client.get('/v1/accounts')).body.pagination.total, 500)
})

test('invalid input is rejected with the field, and writes nothing', async () => {
  const { client } = await scene(service)
  const answer = await client.post('/v1/accounts', [
    { name: 'Fine', domain: 'fine.com' },
    { domain: 'x.com' },
    { name: 'Bad', tags: [5] },
  ])
  refused(answer, 400, 'invalid_request')
  assert.deepEqual(answer.error.details.map(({ path }: { path: string }) => path).sort(), ['1.name', '2.tags.0'])
  for (const domain of ['nodot', 'a b.com', '10.0.0.1', 'http://', '-x.com', `${'a'.repeat(300)}.com`]) {
    const bad = await client.post('/v1/accounts', [
      { name: 'Fine', domain: 'fine.com' },
      { name: 'Bad', domain },
    ])
    refused(bad, 400, 'invalid_request')
    assert.deepEqual(bad.error.details[0].path, '1.domain')
  }
  refused(await client.post('/v1/accounts', []), 400, 'invalid_request')
  refused(await client.post('/v1/accounts', { name: '  ' }), 400, 'invalid_request')
  refused(await client.post('/v1/accounts', 'Acme'), 400, 'invalid_request')
  assert.deepEqual(await names(client), [])
})

test('errors of an array have the index; with partial the valid accounts are stored and errors replace the others', async () => {
  const { client, add } = await scene(service)
  await add({ name: 'Known', domain: 'known.com' })
  const [{ id: owner_id }] = await client.expect(200, 'GET', '/v1/members')
  const rows = [
    { name: 'Fine', domain: 'fine.com', owner_id },
    { domain: 'nameless.com' },
    { name: 'Known', domain: 'known.com' },
    { name: 'Bad', domain: 'nodot' },
    { name: 'Lost', owner_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87' },
    { name: 'Last' },
  ]
  const whole = await client.post('/v1/accounts', rows)
  refused(whole, 400, 'invalid_request')
  assert.deepEqual(
    whole.error.details.map(({ path }: { path: string }) => path),
    ['1.name', '3.domain', '4.owner_id'],
  )
  assert.match(whole.error.message, /^3 of 6 accounts cannot be stored.*1\.name is required.*partial=true/)
  assert.deepEqual(await names(client), ['Known'])
  // A list of one is a list.
  const one = await client.post('/v1/accounts', [{ name: 'Bad', domain: 'nodot' }])
  assert.deepEqual(one.error.details[0].path, '0.domain')

  const partial = await client.post('/v1/accounts?partial=true', rows)
  assert.equal(partial.status, 201)
  const shown = (row: { name?: string; created?: boolean; error?: { code: string; details: { path: string }[] } }) =>
    row.error ? [row.error.code, row.error.details[0]?.path] : [row.name, row.created]
  assert.deepEqual(partial.data.map(shown), [
    ['Fine', true],
    ['invalid_request', '1.name'],
    ['Known', false],
    ['invalid_request', '3.domain'],
    ['unknown_member', '4.owner_id'],
    ['Last', true],
  ])
  assert.equal(partial.data[3].error.message, '3.domain must be a domain such as acme.com.')
  assert.deepEqual((await names(client)).toSorted(), ['Fine', 'Known', 'Last'])
  assert.equal((await client.post('/v1/accounts?partial=true', rows.slice(1, 4))).status, 200)
  // Where no account is valid, or the body is not a list of accounts, the request is rejected as without partial.
  refused(await client.post('/v1/accounts?partial=true', rows.slice(3, 4)), 400, 'invalid_request')
  refused(await client.post('/v1/accounts?partial=true', []), 400, 'invalid_request')
  refused(await client.post('/v1/accounts?partial=true', { name: '' }), 400, 'invalid_request')
  const unstorable = [{ name: 'Nul\u0000' }, { name: 'Beside' }]
  refused(await client.post('/v1/accounts?partial=true', unstorable), 400, 'invalid_request')
  assert.ok(!(await names(client)).includes('Beside'))
  for (const no of ['maybe', 'false', '0'])
    refused(await client.post(`/v1/accounts?partial=${no}`, rows), 400, 'invalid_request')
})

test('fifty concurrent posts of one domain create one account', async () => {
  const { client } = await scene(service)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => client.post('/v1/accounts', { name: `N${n}`, domain: 'once.com' })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1)
  assert.equal((await names(client)).length, 1)
})

test('overlapping arrays in opposite order do not deadlock', async () => {
  const { client } = await scene(service)
  const rows = Array.from({ length: 100 }, (_, n) => ({ name: `N${n}`, domain: `n${n}.com` }))
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => client.post('/v1/accounts', n % 2 ? rows : rows.toReversed())),
  )
  assert.ok(answers.every(({ status }) => status < 300))
  assert.equal((await client.get('/v1/accounts')).body.pagination.total, 100)
})

test('an owner must be a member of the workspace, in every operation', async () => {
  const { client, add } = await scene(service)
  const { id: outsider } = await service.member()
  const { id } = await add({ name: 'A' })
  for (const owner_id of [outsider, '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', 'nobody']) {
    refused(await client.post('/v1/accounts', { name: 'B', owner_id }), 422, 'unknown_member')
    refused(await client.post('/v1/accounts', [{ name: 'C' }, { name: 'B', owner_id }]), 422, 'unknown_member')
    refused(await client.patch(`/v1/accounts/${id}`, { owner_id }), 422, 'unknown_member')
    refused(await client.put(`/v1/accounts/${id}/owner`, { owner_id }), 422, 'unknown_member')
    refused(await client.post(`/v1/accounts/${id}/activate`, { owner_id }), 422, 'unknown_member')
  }
  assert.deepEqual(await names(client), ['A'])
})

test('PUT owner assigns and null clears; the field is required', async () => {
  const { client, add } = await scene(service)
  const [{ id: adminId }] = await client.expect(200, 'GET', '/v1/members')
  const { id } = await add({ name: 'A' })
  assert.deepEqual(await client.expect(200, 'PUT', `/v1/accounts/${id}/owner`, { owner_id: adminId }), {
    id,
    owner_id: adminId,
  })
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${id}`)).owner_id, adminId)
  assert.deepEqual(await client.expect(200, 'PUT', `/v1/accounts/${id}/owner`, { owner_id: null }), {
    id,
    owner_id: null,
  })
  refused(await client.put(`/v1/accounts/${id}/owner`, {}), 400, 'invalid_request')
})

test('a member who is removed no longer owns accounts', async () => {
  const { client, add } = await scene(service)
  const { id: owner_id } = await client.expect(201, 'POST', '/v1/members', { name: 'O', email: 'o@x.example' })
  const { id } = await add({ name: 'A', owner_id })
  await client.expect(200, 'DELETE', `/v1/members/${owner_id}`)
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${id}`)).owner_id, null)
  assert.deepEqual(await names(client, `?owner_id=${owner_id}`), [])
})

test('PATCH updates the given fields, replaces tags and records overrides', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A', domain: 'a.com', tags: ['old'] })
  const changed = await client.expect(200, 'PATCH', `/v1/accounts/${id}`, {
    name: 'B',
    domain: 'www.b.com',
    tags: ['n', 'n'],
    employees: 12,
    industry: 'Rail',
    country: 'DE',
  })
  assert.deepEqual(
    [changed.name, changed.domain, changed.tags, changed.employees, changed.industry, changed.country],
    ['B', 'b.com', ['n'], 12, 'Rail', 'DE'],
  )
  assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { employees: null })).employees, null)
  const { domain } = await client.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.ok(domain)
  assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { domain: null })).domain, domain)
  assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${id}`, {})).name, 'B')
  const { overridden } = await db
    .selectFrom('accounts')
    .select('overridden')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(overridden.sort(), ['country', 'industry'])
  // A researched value that a member confirms is not overwritten either.
  await db.updateTable('accounts').set({ location: 'Oslo' }).where('id', '=', id).execute()
  const confirmed = await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { location: 'Oslo' })
  assert.deepEqual(confirmed.overridden.sort(), ['country', 'industry', 'location'])
  refused(await client.patch(`/v1/accounts/${id}`, { employees: -1 }), 400, 'invalid_request')
  refused(await client.patch(`/v1/accounts/${id}`, { domain: 'nodot' }), 400, 'invalid_request')
})

test('links are http or https, from members and from sources', async () => {
  const { client, ids, save } = await scene(service, { accounts: ['linked.com'] })
  const path = `/v1/accounts/${ids[0]}`
  const hostile = [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'java\nscript:x',
    'http:x',
    'https://network.example/a\nb',
    'acme',
    '',
  ]
  for (const network_url of hostile) {
    const answer = await client.patch(path, { network_url })
    refused(answer, 400, 'invalid_request')
    const message = 'must be a link that begins with https:// or http://'
    assert.deepEqual(answer.error.details, [{ path: 'network_url', message }])
    const [person] = await save([{ full_name: `P ${network_url}`, network_url, profile_picture_url: network_url }])
    const stored = await client.expect(200, 'GET', `/v1/people/${person?.id}`)
    assert.deepEqual([stored.network_url, stored.profile_picture_url], [null, null])
  }
  for (const network_url of ['https://network.example/a', 'http://network.example/a', ' https://network.example/b\n'])
    assert.equal((await client.expect(200, 'PATCH', path, { network_url })).network_url, network_url.trim())
})

test('the domain of another account is rejected', async () => {
  const { client, add } = await scene(service)
  await add({ name: 'A', domain: 'a.com' })
  const { id } = await add({ name: 'B', domain: 'b.com' })
  refused(await client.patch(`/v1/accounts/${id}`, { domain: 'https://A.com' }), 409, 'domain_taken')
  assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { domain: 'b.com' })).domain, 'b.com')
})

test('tags are merged without duplicates and removed by name', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A', tags: ['one'] })
  assert.deepEqual(await client.expect(200, 'POST', `/v1/accounts/${id}/tags`, { tags: ['two', 'one', 'two'] }), {
    id,
    tags: ['one', 'two'],
  })
  assert.deepEqual(await client.expect(200, 'DELETE', `/v1/accounts/${id}/tags`, { tags: ['one', 'none'] }), {
    id,
    tags: ['two'],
  })
  refused(await client.post(`/v1/accounts/${id}/tags`, {}), 400, 'invalid_request')
  refused(await client.post(`/v1/accounts/${id}/tags`, { tags: [''] }), 400, 'invalid_request')
})

test('concurrent additions of tags are all stored', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A' })
  await Promise.all(Array.from({ length: 20 }, (_, n) => client.post(`/v1/accounts/${id}/tags`, { tags: [`t${n}`] })))
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${id}`)).tags.length, 20)
})

test('deleting an account deletes its people, detections and events', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A', domain: 'a.com' })
  const row = { workspace_id: workspaceId, account_id: id }
  await db
    .insertInto('people')
    .values({ ...row, id: crypto.randomUUID(), identity: 'x', full_name: 'P', sources: ['employee'] })
    .execute()
  await db
    .insertInto('signal_detections')
    .values({
      ...row,
      id: crypto.randomUUID(),
      signal_id: 'funding',
      signal_present: false,
      alpha: 0,
      icp_fit: 0,
      detected_at: '2026-01-01',
    })
    .execute()
  await db
    .insertInto('monitor_events')
    .values({
      ...row,
      id: crypto.randomUUID(),
      url: 'https://a.com',
      status: 'new',
      search_status: 'pending',
      meaningful: false,
      confidence: 0,
      reason: 'first check',
      run_id: crypto.randomUUID(),
    })
    .execute()
  assert.deepEqual(await client.expect(200, 'DELETE', `/v1/accounts/${id}`), { id, deleted: true })
  refused(await client.delete(`/v1/accounts/${id}`), 404, 'not_found')
  for (const table of ['people', 'signal_detections', 'monitor_events'] as const) {
    const left = await db.selectFrom(table).select('id').where('workspace_id', '=', workspaceId).execute()
    assert.deepEqual(left, [], table)
  }
  assert.equal((await add({ name: 'A again', domain: 'a.com' })).created, true)
})

test('an account of another workspace is not found, by any path', async () => {
  const { add } = await scene(service)
  const { id } = await add({ name: 'Theirs' })
  const { client } = await scene(service)
  for (const wrong of [id, '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', 'not-an-id']) {
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/activate'],
      ['POST', '/deactivate'],
      ['POST', '/reject'],
      ['POST', '/scan'],
      ['POST', '/enrich'],
      ['POST', '/tags', { tags: ['x'] }],
      ['DELETE', '/tags', { tags: ['x'] }],
      ['PUT', '/owner', { owner_id: null }],
      ['GET', '/score'],
      ['GET', '/signals'],
      ['GET', '/monitor-events'],
    ]
    for (const [method, path, body] of calls)
      refused(await client.send(method, `/v1/accounts/${wrong}${path}`, body), 404, 'not_found')
  }
})
