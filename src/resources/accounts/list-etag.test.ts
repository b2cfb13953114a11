import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Client } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { VersionLookups } from '../../db/list-versions.ts'

const service = await testService()
const { db } = service.deps

/** Polls pages like a client, with the etag of the last response; a request without one gets the same page. */
function poller(client: Client, path: string) {
  let etag = ''
  let page = ''
  return async () => {
    const answer = await client.get(path, etag ? { headers: { 'if-none-match': etag } } : {})
    const { status, headers, text } = answer
    if (status === 304) assert.deepEqual([text, headers.get('etag')], ['', etag])
    else page = text
    etag = headers.get('etag') ?? ''
    const plain = await client.get(path)
    assert.deepEqual([plain.text, plain.headers.get('etag')], [page, etag])
    assert.match(etag, /^W\/"[\w-]+"$/)
    return status
  }
}

test('a list is sent again after every change of what it shows', async () => {
  const { admin, workspaceId } = service
  const owner = await service.member({ visibility: 'scoped' })
  const colleague = await service.member({})
  const { accounts, save } = await scene(service, { accounts: 3, active: true, owner: { client: admin, workspaceId } })
  const [one, two, three] = accounts as { id: string }[] as [{ id: string }, { id: string }, { id: string }]
  const [person] = await save([{ account_id: one.id, full_name: 'Ann Lee' }])
  const list = await admin.expect(201, 'POST', '/v1/people/lists', { name: 'Polled' })
  const polled = {
    accounts: poller(admin, '/v1/accounts'),
    tagged: poller(admin, '/v1/accounts?tag=t&per_page=1&page=2'),
    people: poller(admin, '/v1/people'),
    listed: poller(admin, `/v1/people?list_id=${list.id}`),
    theirs: poller(owner.client, '/v1/people'),
    findings: poller(admin, '/v1/detections'),
  }
  type Name = keyof typeof polled
  const all = Object.keys(polled) as Name[]
  const again = async () =>
    (await Promise.all(all.map(async (name) => ((await polled[name]()) === 200 ? name : null)))).filter(Boolean)
  const act = (method: string, path: string, body?: object) => () => admin.send(method, `/v1${path}`, body)
  assert.deepEqual(await again(), all)
  assert.deepEqual(await again(), [])

  // Written by another process: this one can learn of it only through the database.
  const set = (fields: object) => () =>
    db
      .updateTable('accounts')
      .set(fields as object)
      .where('id', '=', two.id)
      .execute()
  const find = () =>
    sql`insert into signal_detections (workspace_id, id, account_id, signal_id, signal_present, alpha, icp_fit, detected_at, headline, evidence)
      values (${workspaceId}, gen_random_uuid(), ${one.id}, 'funding', true, 50, 50, '2026-01-01', 'It raised',
        '[{"claim": "It raised", "source_url": null, "published_date": null}]')`.execute(db)
  const everywhere = all
  const people: Name[] = ['people', 'listed', 'theirs']
  const changes: [string, () => Promise<unknown>, Name[]][] = [
    ['a new account', act('POST', '/accounts', { name: 'New' }), everywhere],
    ['an account changed', act('PATCH', `/accounts/${two.id}`, { location: 'Bremen' }), everywhere],
    ['a tag', act('POST', `/accounts/${two.id}/tags`, { tags: ['t'] }), everywhere],
    ['a tag less', act('DELETE', `/accounts/${two.id}/tags`, { tags: ['t'] }), everywhere],
    ['deactivated', act('POST', `/accounts/${two.id}/deactivate`), everywhere],
    ['activated', act('POST', `/accounts/${two.id}/activate`), everywhere],
    ['a scan by another process', set({ score: 77, is_hot: true, last_signal_at: '2026-03-01T00:00:00Z' }), everywhere],
    ['a logo', set({ logo_url: 'https://x.com/l.png' }), everywhere],
    ['an owner, who then sees its people', act('PATCH', `/accounts/${one.id}`, { owner_id: owner.id }), everywhere],
    ['a person', () => save([{ account_id: one.id, full_name: 'Bo Lee' }]), people],
    ['a person assigned', act('PUT', `/people/${person?.id}/owner`, { owner_id: owner.id }), people],
    ['somebody listed', act('POST', `/people/lists/${list.id}/members`, { add: [person?.id] }), people],
    ['somebody not listed', act('POST', `/people/lists/${list.id}/members`, { remove: [person?.id] }), people],
    ['a finding', find, ['findings']],
    ['a signal switched off', act('PATCH', '/signals/layoffs', { enabled: false }), ['findings']],
    ['a person deleted', act('DELETE', `/people/${person?.id}`), people],
    ['an account deleted', act('DELETE', `/accounts/${three.id}`), everywhere],
    ['given to a colleague', act('PATCH', `/accounts/${two.id}`, { owner_id: colleague.id }), everywhere],
    ['the colleague deleted', act('DELETE', `/members/${colleague.id}`), everywhere],
  ]
  for (const [what, change, expected] of changes) {
    const answer = await change()
    if (answer && typeof answer === 'object' && 'status' in answer) assert.ok(Number(answer.status) < 300, what)
    const sent = await again()
    assert.deepEqual(
      expected.filter((name) => !sent.includes(name)),
      [],
      `${what} is not shown`,
    )
    assert.deepEqual(await again(), [], what)
  }
})

test('filters, pages, members and workspaces have different etags', async () => {
  const { admin, workspaceId } = service
  const owner = await service.member({ visibility: 'scoped' })
  const stranger = await service.stranger()
  await scene(service, { accounts: 3, owner: { client: admin, workspaceId } })
  const etags: string[] = []
  const from: [Client, string][] = [
    ...[
      '',
      '?page=2',
      '?per_page=1',
      '?tag=a',
      '?tag=b',
      '?search=a',
      '?sort=created_at',
      '?order=asc',
      '?hot=true',
    ].map((query): [Client, string] => [admin, `/v1/accounts${query}`]),
    [admin, '/v1/people'],
    [admin, '/v1/detections'],
    [owner.client, '/v1/people'],
    [stranger.client, '/v1/accounts'],
    [stranger.client, '/v1/people'],
  ]
  for (const [client, path] of from) etags.push((await client.get(path)).headers.get('etag') as string)
  assert.equal(new Set(etags).size, from.length)
  for (const [at, [client, path]] of from.entries()) {
    const others = etags.filter((_, other) => other !== at).join(', ')
    assert.equal((await client.get(path, { headers: { 'if-none-match': others } })).status, 200, path)
    assert.equal((await client.get(path, { headers: { 'if-none-match': '*' } })).status, 304, path)
    const strong = `${others}, ${etags[at]?.replace('W/', '')}`
    assert.equal((await client.get(path, { headers: { 'if-none-match': strong } })).status, 304, path)
  }
  const csv = await admin.get('/v1/accounts', { headers: { accept: 'text/csv', 'if-none-match': etags.join(',') } })
  assert.deepEqual([csv.status, csv.headers.get('etag')], [200, null])
  // No version exists for changes of these.
  assert.equal((await admin.get(`/v1/accounts?run_id=${crypto.randomUUID()}`)).headers.get('etag'), null)
})

test('a request during a lookup of versions gets those of a later lookup', async () => {
  const { workspaceId, accounts } = await scene(service, { accounts: 1 })
  const asked = Promise.withResolvers<void>()
  const answers = Promise.withResolvers<void>()
  // The database with delayed responses.
  const slow: typeof db = Object.create(db, {
    executeQuery: {
      value: async (query: Parameters<typeof db.executeQuery>[0]) => {
        const result = await db.executeQuery(query)
        asked.resolve()
        await answers.promise
        return result
      },
    },
  })
  const lookups = new VersionLookups(slow)
  const read = () => lookups.read(workspaceId, ['accounts'])
  const early = [read(), read()]
  await asked.promise
  await db.updateTable('accounts').set({ score: 3 }).where('id', '=', accounts[0].id).execute()
  const late = [read(), read()]
  answers.resolve()
  const [first, second, third, fourth] = await Promise.all([...early, ...late])
  assert.deepEqual([first === second, third === fourth, Number(third) > Number(first)], [true, true, true])
})

test('concurrent transactions that change a list do not wait for each other', async () => {
  const { client, workspaceId, accounts } = await scene(service, { accounts: 9 })
  const etag = (await client.get('/v1/accounts')).headers.get('etag') ?? ''
  const open = await Promise.all(accounts.map(() => db.startTransaction().execute()))
  for (const [at, transaction] of open.entries()) {
    await sql`set local lock_timeout = 3000`.execute(transaction)
    await sql`update accounts set score = 50 where workspace_id = ${workspaceId} and id = ${accounts[at].id}`.execute(
      transaction,
    )
  }
  const sent = async () => (await client.get('/v1/accounts', { headers: { 'if-none-match': etag } })).status
  assert.equal(await sent(), 304)
  await open.pop()?.commit().execute()
  assert.equal(await sent(), 200)
  await Promise.all(open.map((transaction) => transaction.rollback().execute()))
})
