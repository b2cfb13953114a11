import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type Client, refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import type { PersonToSave } from '../../people/save.ts'

const service = await testService()
const { db } = service.deps

async function fresh() {
  const made = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }], active: true })
  return { ...made, accountId: made.ids[0] as string }
}

const names = async (client: Client, query = '') =>
  (await client.expect(200, 'GET', `/v1/people?${query}`)).map(({ full_name }: { full_name: string }) => full_name)

test('a person has the fields of the specification, and one read adds list_ids', async () => {
  const { client, save, accountId } = await fresh()
  const [saved] = await save([
    {
      full_name: 'Mara Lind',
      title: 'VP Sales',
      network_url: 'https://network.example/in/mara',
      country_code: 'DE',
      job_level: 'VP',
      connections_count: 500,
    },
  ])
  const [listed] = await client.expect(200, 'GET', '/v1/people')
  const { id, created_at, ...rest } = listed
  assert.equal(id, saved?.id)
  assert.ok(Date.parse(created_at) > Date.now() - 60_000)
  assert.deepEqual(rest, {
    account_id: accountId,
    full_name: 'Mara Lind',
    title: 'VP Sales',
    headline: null,
    network_url: 'https://network.example/in/mara',
    email: null,
    email_checked_at: null,
    phone: null,
    phone_checked_at: null,
    location: null,
    country_code: 'DE',
    connections_count: 500,
    profile_picture_url: null,
    job_level: 'VP',
    source: 'employee',
    icp_tier: null,
    ranking: null,
    owner_id: null,
    account_name: 'Acme',
    sources: ['employee'],
    email_status: 'unchecked',
    email_reason: null,
    phone_reason: null,
    left_on: null,
  })
  const beyond = {
    list_ids: [],
    email_source: null,
    title_history: [],
    found_source: null,
    found_url: null,
    phone_url: null,
    history: [],
  }
  assert.deepEqual(await client.expect(200, 'GET', `/v1/people/${id}`), { ...listed, ...beyond })
})

test('people are sorted newest first, or by name', async () => {
  const { client, save } = await fresh()
  for (const full_name of ['Bea', 'Cid', 'Ann']) await save([{ full_name }])
  assert.deepEqual(await names(client), ['Ann', 'Cid', 'Bea'])
  assert.deepEqual(await names(client, 'order=asc'), ['Bea', 'Cid', 'Ann'])
  assert.deepEqual(await names(client, 'sort=full_name'), ['Cid', 'Bea', 'Ann'])
  assert.deepEqual(await names(client, 'sort=full_name&order=asc'), ['Ann', 'Bea', 'Cid'])
})

test('each filter narrows the list', async () => {
  const { client, save, accountId } = await fresh()
  const [ann] = await save([
    {
      full_name: 'Ann Ünal',
      title: 'Chief Revenue Officer',
      job_level: 'C-Team',
      country_code: 'US',
      email: 'ann@acme.com',
    },
  ])
  await save([{ full_name: 'Bob Stone', headline: '100% rail', job_level: 'Staff', country_code: 'DE' }])
  await save([{ full_name: 'Cyd Ray', title: 'VP Sales', job_level: 'VP', icp_tier: 2 }], 'waterfall')
  const other = await client.expect(201, 'POST', '/v1/accounts', { name: 'Other' })
  await save([{ account_id: other.id, full_name: 'Dot Else' }])
  const [member] = await client.expect(200, 'GET', '/v1/members')
  await client.expect(200, 'PUT', `/v1/people/${ann?.id}/owner`, { owner_id: member.id })
  const list = await client.expect(201, 'POST', '/v1/people/lists', { name: 'L' })
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: [ann?.id] })

  assert.deepEqual((await names(client, `account_id=${accountId}`)).length, 3)
  assert.deepEqual(await names(client, `account_id=${other.id}`), ['Dot Else'])
  assert.deepEqual(await names(client, 'job_level=C-Team'), ['Ann Ünal'])
  assert.deepEqual(await names(client, 'country_code=de'), ['Bob Stone'])
  assert.deepEqual(await names(client, 'source=waterfall'), ['Cyd Ray'])
  assert.deepEqual(await names(client, 'has_email=true'), ['Ann Ünal'])
  assert.deepEqual((await names(client, 'has_email=false')).length, 3)
  assert.deepEqual(await names(client, 'email_status=verified'), ['Ann Ünal'])
  assert.deepEqual((await names(client, 'email_status=unchecked')).length, 3)
  assert.deepEqual(await names(client, 'email_status=not_found'), [])
  assert.deepEqual(await names(client, `list_id=${list.id}`), ['Ann Ünal'])
  assert.deepEqual(await names(client, `owner_id=${member.id}`), ['Ann Ünal'])
  assert.deepEqual(await names(client, 'search=unal'), ['Ann Ünal'])
  assert.deepEqual(await names(client, 'search=REVENUE'), ['Ann Ünal'])
  assert.deepEqual(await names(client, `search=${encodeURIComponent('0% r')}`), ['Bob Stone'])
  assert.deepEqual(await names(client, 'search=sales&job_level=VP&source=waterfall'), ['Cyd Ray'])
  for (const query of [
    'job_level=Boss',
    'source=web',
    'has_email=maybe',
    'email_status=maybe',
    'country_code=DEU',
    'sort=title',
    'per_page=0',
  ]) {
    refused(await client.get(`/v1/people?${query}`), 400, 'invalid_request')
  }
  for (const query of ['account_id=x', 'list_id=x', 'owner_id=x', 'list_id=019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87']) {
    assert.deepEqual(await names(client, query), [])
  }
})

test('the total is exact after every kind of change', async () => {
  const { client, save, accountId } = await fresh()
  const people = await save(Array.from({ length: 30 }, (_, n) => ({ full_name: `P ${n}` })))
  const list = await client.expect(201, 'POST', '/v1/people/lists', { name: 'L' })
  const total = async (query: string) => (await client.get(`/v1/people?per_page=5&${query}`)).body.pagination.total
  const onList = `list_id=${list.id}`
  assert.deepEqual([await total(''), await total(onList), await total('has_email=true')], [30, 0, 0])
  const ids = people.toSorted((a, b) => Number(a.full_name.slice(2)) - Number(b.full_name.slice(2))).map(({ id }) => id)
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: ids.slice(0, 20) })
  assert.equal(await total(onList), 20)
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { remove: ids.slice(0, 5) })
  assert.equal(await total(onList), 15)
  await client.expect(200, 'DELETE', `/v1/people/${ids[6]}`)
  assert.deepEqual([await total(''), await total(onList)], [29, 14])
  await save(Array.from({ length: 8 }, (_, n) => ({ full_name: `P ${n}`, email: `p${n}@acme.com` })))
  assert.deepEqual([await total(''), await total('has_email=true')], [29, 7])
  await client.expect(200, 'DELETE', `/v1/accounts/${accountId}`)
  assert.deepEqual([await total(''), await total(onList)], [0, 0])
})

test('any form of a profile URL identifies one person of an account', async () => {
  const { client, save } = await fresh()
  await save([{ full_name: 'Mara', network_url: 'https://www.network.example/in/Mara/', title: 'VP' }])
  const [again] = await save([
    { full_name: 'Mara Lind', network_url: 'http://network.example/in/mara?src=x', headline: 'New' },
  ])
  assert.equal(again?.created, false)
  const people = await client.expect(200, 'GET', '/v1/people')
  assert.equal(people.length, 1)
  assert.deepEqual([people[0].full_name, people[0].title, people[0].headline], ['Mara Lind', 'VP', 'New'])
})

test('without a profile page, name and title identify the person', async () => {
  const { client, save } = await fresh()
  await save([{ full_name: 'Zoë  Šimek', title: 'CTO' }])
  await save([
    { full_name: 'zoe simek', title: 'cto' },
    { full_name: 'Zoe Simek', title: 'CFO' },
  ])
  assert.equal((await names(client)).length, 2)
})

test('a re-sync updates a person and loses neither owner, lists, email nor phone', async () => {
  const { client, save } = await fresh()
  const page = 'https://network.example/in/kim'
  const [person] = await save([
    { full_name: 'Kim', network_url: page, email: 'kim@acme.com', phone: '+14155550100', title: 'Director' },
  ])
  const [member] = await client.expect(200, 'GET', '/v1/members')
  await client.expect(200, 'PUT', `/v1/people/${person?.id}/owner`, { owner_id: member.id })
  const list = await client.expect(201, 'POST', '/v1/people/lists', { name: 'Keep' })
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: [person?.id] })
  const before = await client.expect(200, 'GET', `/v1/people/${person?.id}`)
  await save([{ full_name: 'Kim', network_url: page, title: 'VP', email: 'other@acme.com' }])
  const after = await client.expect(200, 'GET', `/v1/people/${person?.id}`)
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(after, { ...before, title: 'VP', title_history: [{ title: 'Director', until: today }] })
})

test('both sources update one record, which keeps its tier and all sources', async () => {
  const { client, save } = await fresh()
  const page = 'https://network.example/in/lee'
  await save([{ full_name: 'Lee', network_url: page }])
  await save([{ full_name: 'Lee', network_url: page, icp_tier: 2 }], 'waterfall')
  await save([{ full_name: 'Lee', network_url: page }])
  const people = await client.expect(200, 'GET', '/v1/people')
  assert.deepEqual(
    people.map((one: { source: string; sources: string[]; icp_tier: number }) => [
      one.source,
      one.sources,
      one.icp_tier,
    ]),
    [['waterfall', ['employee', 'waterfall'], 2]],
  )
  for (const source of ['employee', 'waterfall']) assert.deepEqual(await names(client, `source=${source}`), ['Lee'])
})

test('ten concurrent saves of one roster produce one roster', async () => {
  const { client, save } = await fresh()
  const roster = Array.from({ length: 30 }, (_, n) => ({
    full_name: `P ${n}`,
    network_url: `https://network.example/in/p${n}`,
  }))
  await Promise.all(Array.from({ length: 10 }, (_, n) => save(n % 2 ? roster : roster.toReversed())))
  assert.equal((await client.get('/v1/people')).body.pagination.total, 30)
})

test('an erased person is not stored again by either source, by page or by email', async () => {
  const { client, save } = await fresh()
  const page = 'https://network.example/in/gone'
  const [person] = await save([{ full_name: 'Gone', network_url: page, email: 'gone@acme.com' }])
  assert.deepEqual(await client.expect(200, 'DELETE', `/v1/people/${person?.id}`), { id: person?.id, deleted: true })
  refused(await client.get(`/v1/people/${person?.id}`), 404, 'not_found')
  assert.deepEqual(await save([{ full_name: 'Gone', network_url: `${page}/` }]), [])
  assert.deepEqual(await save([{ full_name: 'Gone', network_url: page }], 'waterfall'), [])
  assert.deepEqual(await save([{ full_name: 'G. One', email: 'GONE@acme.com' }]), [])
  assert.equal((await save([{ full_name: 'Someone Else', network_url: 'https://network.example/in/else' }])).length, 1)
})

test('an erased name without page or address is suppressed only at its account', async () => {
  const { client, save } = await fresh()
  const [person] = await save([{ full_name: 'Jane Smith', title: 'CEO' }])
  await client.expect(200, 'DELETE', `/v1/people/${person?.id}`)
  assert.deepEqual(await save([{ full_name: 'jane smith', title: 'ceo' }]), [])
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Other' })
  const namesake = { account_id: id, full_name: 'Jane Smith', title: 'CEO' }
  assert.equal((await save([namesake])).length, 1)
})

test('an erased person is recognized by any spelling of the name and any form of the profile URL', async () => {
  const { client, save } = await fresh()
  const erase = async (person: Partial<PersonToSave>) => {
    const [saved] = await save([person])
    await client.expect(200, 'DELETE', `/v1/people/${saved?.id}`)
  }
  await erase({ full_name: 'Zoë B. Lindqvist', title: 'CEO' })
  for (const full_name of ['Zoe Lindqvist', 'ZOË C Lindqvist', 'Zoë B. Lindqvist'])
    assert.deepEqual(await save([{ full_name, title: 'Chair' }]), [], full_name)
  await erase({ full_name: 'Omar Reyes', network_url: 'https://de.linkedin.com/in/omar' })
  for (const network_url of [
    'linkedin.com/in/omar',
    'https://WWW.LinkedIn.com/in/omar/?trk=x',
    'fr.linkedin.com/in/Omar/de',
  ])
    assert.deepEqual(await save([{ full_name: 'O. R.', network_url }]), [], network_url)
  await erase({ full_name: 'J. Smith' })
  assert.equal((await save([{ full_name: 'K. Smith' }])).length, 1)
})

test('a person erased by an earlier version with stricter comparison stays erased', async () => {
  const { save, workspaceId, accountId } = await fresh()
  const kept = [`${accountId} name:ada b. pike`, 'page:de.linkedin.com/in/ben', 'page:people.example/profile.php']
  const { suppressionKey } = service.deps.secrets
  const hashes = kept.map((of) => createHmac('sha256', suppressionKey).update(`${workspaceId}\n${of}`).digest())
  await db
    .insertInto('people_suppressions')
    .values(hashes.map((hash) => ({ workspace_id: workspaceId, hash })))
    .execute()
  assert.deepEqual(await save([{ full_name: 'Ada B. Pike' }]), [])
  assert.deepEqual(await save([{ network_url: 'https://de.linkedin.com/in/ben' }]), [])
  assert.deepEqual(await save([{ network_url: 'https://people.example/profile.php?id=1' }]), [])
})

test('an invalid profile URL identifies no one, and a number in a URL distinguishes people', async () => {
  const { client, save } = await fresh()
  for (const network_url of [
    'N/A',
    'none',
    '-',
    'https://www.linkedin.com/in/',
    'linkedin.com/in/none',
    'linkedin.com',
  ])
    await save([
      { full_name: `Ada ${network_url}`, network_url },
      { full_name: `Ben ${network_url}`, network_url },
    ])
  assert.equal((await names(client)).length, 12)
  const saved = await save(
    ['id=1', 'id=2', 'id=1&ref=x'].map((query) => ({ network_url: `https://people.example/profile.php?${query}` })),
  )
  assert.equal(saved.length, 2)
})

test('the earliest departure day is kept, and a person who left has no ranking', async () => {
  const { client, save } = await fresh()
  const [person] = await save([{ full_name: 'Ada Pike', ranking: 1 }])
  const state = async () => {
    const { left_on, ranking } = await client.expect(200, 'GET', `/v1/people/${person?.id}`)
    return [left_on, ranking]
  }
  assert.deepEqual(await state(), [null, 1])
  await save([{ full_name: 'Ada Pike', left_on: '2026-03-01' }])
  assert.deepEqual(await state(), ['2026-03-01', null])
  await save([{ full_name: 'Ada Pike', left_on: '2026-09-01' }])
  await save([{ full_name: 'Ada Pike', ranking: 2 }])
  assert.deepEqual(await state(), ['2026-03-01', null])
})

test('the stored data of an erased person reveals nothing about them', async () => {
  const { client, save, workspaceId } = await fresh()
  const [person] = await save([
    { full_name: 'Quiet', email: 'quiet@acme.com', network_url: 'https://network.example/in/quiet' },
  ])
  await client.expect(200, 'DELETE', `/v1/people/${person?.id}`)
  const kept = await db.selectFrom('people_suppressions').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.deepEqual(
    kept.map(({ hash }) => hash.length),
    [32, 32, 32],
  )
  const elsewhere = await fresh()
  assert.equal((await elsewhere.save([{ full_name: 'Quiet', email: 'quiet@acme.com' }])).length, 1)
})

test('an owner is assigned, and absent or null unassigns', async () => {
  const { client, save } = await fresh()
  const [person] = await save([{}])
  const [member] = await client.expect(200, 'GET', '/v1/members')
  const path = `/v1/people/${person?.id}/owner`
  const id = person?.id
  assert.deepEqual(await client.expect(200, 'PUT', path, { owner_id: member.id }), { id, owner_id: member.id })
  assert.deepEqual(await client.expect(200, 'PUT', path, {}), { id, owner_id: null })
  await client.expect(200, 'PUT', path, { owner_id: member.id })
  assert.deepEqual(await client.expect(200, 'PUT', path, { owner_id: null }), { id, owner_id: null })
  const { id: outsider } = await service.member()
  refused(await client.put(path, { owner_id: outsider }), 422, 'unknown_member')
  refused(await client.put(path, { owner_id: 'nobody' }), 422, 'unknown_member')
})

test('a known email or phone is revealed without a lookup', async () => {
  const { client, save } = await fresh()
  const [known] = await save([{ full_name: 'A', email: 'a@acme.com', phone: '+14155550100' }])
  const id = known?.id
  assert.deepEqual(await client.expect(200, 'POST', `/v1/people/${id}/email`), {
    id,
    email: 'a@acme.com',
    reason: null,
  })
  assert.deepEqual(await client.expect(200, 'POST', `/v1/people/${id}/phone`), {
    id,
    phone: '+14155550100',
    phone_url: null,
    reason: null,
  })
})

test('without a configured source no contact is found, and no lookup is stored', async () => {
  const { client, save } = await fresh()
  const [person] = await save([{ full_name: 'Bea Lund' }])
  const { email, reason } = await client.expect(200, 'POST', `/v1/people/${person?.id}/email`)
  assert.equal(email, null)
  assert.match(reason, /EMAIL_VERIFY_FROM/)
  assert.equal((await client.expect(200, 'GET', `/v1/people/${person?.id}`)).email_checked_at, null)
})

test('a roster is loaded for an active account only', async () => {
  const { client } = await fresh()
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Idle' })
  refused(await client.post('/v1/people/sync', { account_id: id }), 409, 'account_not_active')
  refused(await client.post('/v1/people/sync', { account_id: 'x' }), 404, 'not_found')
  refused(await client.post('/v1/people/sync', {}), 400, 'invalid_request')
})

test('Find People names the accounts it cannot search', async () => {
  const { client, accountId } = await fresh()
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Idle' })
  const answer = await client.post('/v1/people/find', { query: 'VP Sales', account_ids: [accountId, id, 'x'] })
  refused(answer, 422, 'account_not_searchable')
  assert.deepEqual(
    answer.error.details.map(({ message }: { message: string }) => message),
    [id, 'x'],
  )
  refused(await client.post('/v1/people/find', { query: ' ' }), 400, 'invalid_request')
  refused(await client.post('/v1/people/find', { query: 'x', max_accounts: 0 }), 400, 'invalid_request')
})

test('Accept: text/csv streams the people the filters match', async () => {
  const { client, save } = await fresh()
  await save([{ full_name: 'Ann', job_level: 'VP' }, { full_name: 'Bob' }])
  const csv = await client.get('/v1/people?job_level=VP', { headers: { accept: 'text/csv' } })
  const lines = csv.text.trimEnd().split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', /,Ann,/)
})
