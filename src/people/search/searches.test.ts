import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refused } from '../../../test/support/client.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { type Contact, findWorld, namesOf } from '../../../test/support/find-world.ts'
import { home, teamPage } from '../../../test/support/people.ts'
import { scene } from '../../../test/support/scene.ts'
import { purgeOldSearches } from './purge.job.ts'

const { internet, putUp, service, sites } = await findWorld()

test('a search stores its result, and sets the tier and source of the people it returned', async () => {
  const { client, id } = await scene(service, { accounts: ['north.example'], active: true })
  const find = (query: string) => client.expect(200, 'POST', '/v1/people/find', { query })
  const first = await find('VP of Sales')
  const second = await find('Director of Sales')
  assert.deepEqual(namesOf(first.contacts), [
    ['Ada Pike', 1],
    ['Noor Falk', 2],
  ])
  assert.deepEqual(namesOf(second.contacts), [
    ['Noor Falk', 1],
    ['Ada Pike', 2],
  ])
  await find('warehouse managers')
  const people: Contact[] = await client.expect(200, 'GET', '/v1/people?sort=full_name&order=asc')
  // The tier of the latest search that returned them; a later one that did not return them left it.
  assert.deepEqual(
    people.map(({ full_name, icp_tier, source }) => [full_name, icp_tier, source]),
    [
      ['Ada Pike', 2, 'waterfall'],
      ['Ivo Lindt', null, 'employee'],
      ['Noor Falk', 1, 'waterfall'],
      ['Tess Noble', 1, 'waterfall'],
    ],
  )
  const kept = await client.expect(200, 'GET', `/v1/people/searches/${first.search_id}`)
  assert.deepEqual([kept.query, namesOf(kept.contacts)], ['VP of Sales', namesOf(first.contacts)])
  await client.expect(200, 'DELETE', `/v1/people/${first.contacts[0].id}`)
  const after = await client.expect(200, 'GET', `/v1/people/searches/${first.search_id}`)
  assert.deepEqual(namesOf(after.contacts), [['Noor Falk', 2]])
  const { client: stranger } = await service.stranger()
  refused(await stranger.get(`/v1/people/searches/${first.search_id}`), 404, 'not_found')
  assert.ok(id('north.example'))
})

test('people matched by searches can be listed, also those of a roster, and filtered by email status', async () => {
  const { client } = await scene(service, { accounts: ['north.example', 'south.example'], active: true })
  const list = (query: string) => client.get(`/v1/people?sort=full_name&order=asc&${query}`)
  const before = await list('source=waterfall')
  assert.deepEqual(before.data, [])
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP of Sales' })
  assert.deepEqual([found.found, found.found_with_email], [3, 2])
  const told = ({
    full_name,
    source,
    sources,
    email_status,
  }: Contact & { sources: string[]; email_status: string }) => [...[full_name, source, sources, email_status]]
  const both = ['employee', 'waterfall']
  const matches = [
    ['Ada Pike', 'waterfall', both, 'verified'],
    ['Noor Falk', 'waterfall', both, 'verified'],
    ['Tomas Moreno', 'waterfall', both, 'not_found'],
  ]
  assert.deepEqual(found.contacts.map(told), matches)
  const headers = { 'if-none-match': before.headers.get('etag') as string }
  const listed = await client.get('/v1/people?sort=full_name&order=asc&source=waterfall', { headers })
  assert.deepEqual([listed.status, listed.data.map(told)], [200, matches])
  const names = async (query: string) => (await list(query)).data.map(({ full_name }: Contact) => full_name)
  assert.deepEqual(await names('source=waterfall&has_email=false'), ['Tomas Moreno'])
  assert.deepEqual(await names('source=waterfall&email_status=not_found'), ['Tomas Moreno'])
  assert.ok((await names('source=employee')).includes('Ada Pike'), 'the roster has them, too')
  assert.ok((await names('email_status=unchecked')).includes('Ivo Lindt'))
  const csv = await client.get('/v1/people?source=waterfall&has_email=false', { headers: { accept: 'text/csv' } })
  assert.match(csv.text, /Tomas Moreno/)
  assert.match(csv.text, /"employee, waterfall"/)
  assert.doesNotMatch(csv.text, /Ada Pike|Lena Okafor/)
})

test('a search can be read by the caller’s id while it runs, with its hits and progress', async () => {
  const { client, workspaceId } = await scene(service, { accounts: ['north.example', 'west.example'], active: true })
  const held = Promise.withResolvers<void>()
  sites.set('west.example', {
    '/': async () => {
      await held.promise
      return home()
    },
    '/team': teamPage([{ name: 'Gwen Reed', title: 'VP Sales' }]),
  })
  const search_id = crypto.randomUUID()
  const finding = client.expect(200, 'POST', '/v1/people/find', { query: 'VP of Sales', search_id })
  const read = () => client.get(`/v1/people/searches/${search_id}`)
  const { data: running } = await eventually('the first account', async () => {
    const answer = await read()
    return answer.status === 200 && answer.data.accounts_done > 0 && answer
  })
  assert.deepEqual(
    [running.state, running.accounts, running.accounts_done, running.finished_at, namesOf(running.contacts)],
    [
      'running',
      2,
      1,
      null,
      [
        ['Ada Pike', 1],
        ['Noor Falk', 2],
      ],
    ],
  )
  assert.equal(running.contacts[0].account_name, 'north')
  const { client: stranger } = await service.stranger()
  refused(await stranger.get(`/v1/people/searches/${search_id}`), 404, 'not_found')
  const again = await client.post('/v1/people/find', { query: 'VP of Sales', search_id })
  refused(again, 400, 'invalid_request')
  assert.equal(again.error.details[0].path, 'search_id')
  held.resolve()
  const found = await finding
  assert.deepEqual([found.search_id, found.found], [search_id, 3])
  const { data: done } = await read()
  assert.deepEqual([done.state, done.accounts_done, done.contacts.length], ['finished', 2, 3])
  assert.deepEqual(done.problems, found.problems)
  // The process died without finishing the search.
  await sql`update people_searches set finished_at = null, ends_by = now() where workspace_id = ${workspaceId}`.execute(
    service.deps.db,
  )
  assert.equal((await read()).data.state, 'interrupted')
  putUp()
})

test('a preview returns how a request is understood without searching', async () => {
  const { client, workspaceId } = await scene(service, { accounts: ['north.example'], active: true })
  const preview = (query: string) => client.expect(200, 'POST', '/v1/people/find/preview', { query })
  const requests = internet.requests.length
  const understood = await preview('VP of Sales in Germany, not interns')
  assert.deepEqual(
    understood.cascade.map(({ tier, label }: { tier: number; label: string }) => [tier, label]),
    [
      [1, 'ideal'],
      [2, 'adjacent'],
      [3, 'fallback'],
    ],
  )
  assert.deepEqual([understood.places, understood.message, understood.notice], [['Germany'], null, null])
  assert.equal(understood.without[0], 'intern')
  assert.deepEqual((await preview('CFO, not in Sweden or Bavaria')).without, ['Bavaria', 'Sweden'])
  assert.deepEqual((await preview('a CFO named Mara Lind')).names, ['mara lind'])
  const nothing = await preview('asdfgh please')
  assert.equal(internet.requests.length, requests, 'no network request is made')
  const searched = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP of Sales in Germany, not interns' })
  assert.deepEqual(understood.cascade, searched.cascade)
  assert.ok(nothing.cascade.length < 2, JSON.stringify(nothing))
  assert.match((await preview('?!')).message, /names no role/)
  refused(await client.post('/v1/people/find/preview', { query: ' ' }), 400, 'invalid_request')
  const { count } = await service.deps.db
    .selectFrom('people_searches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  assert.equal(count, 1, 'a preview is not kept')
})

test('searches are kept as long as documents', async () => {
  const { client, workspaceId } = await scene(service, { accounts: ['north.example'], active: true })
  const { search_id, contacts } = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP of Sales' })
  const { db } = service.deps
  await sql`update people_searches set created_at = now() - interval '500 days' where workspace_id = ${workspaceId}`.execute(
    db,
  )
  for (let time = 0; time < 2; time++) await service.run(purgeOldSearches, {})
  refused(await client.get(`/v1/people/searches/${search_id}`), 404, 'not_found')
  assert.equal((await client.expect(200, 'GET', `/v1/people/${contacts[0].id}`)).icp_tier, 1)
})
