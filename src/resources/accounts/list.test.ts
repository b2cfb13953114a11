import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Client, refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { searchFold } from '../../engine/text/fold.ts'

const service = await testService()
const { db } = service.deps

type Seed = {
  name: string
  domain?: string
  score?: number
  tags?: string[]
  industry?: string
  status?: string
  country?: string
  is_hot?: boolean
  last_signal_at?: string
  created_at?: string
}

async function seeded(accounts: Seed[]) {
  const { client, workspaceId, add } = await scene(service)
  for (const { name, domain, tags, ...fields } of accounts) {
    const { id } = await add({ name, domain, tags })
    if (Object.keys(fields).length > 0)
      await db
        .updateTable('accounts')
        .set(fields as object)
        .where('id', '=', id)
        .execute()
  }
  return { client, workspaceId }
}

const names = async (client: Client, query: string) =>
  (await client.expect(200, 'GET', `/v1/accounts?${query}`)).map(({ name }: { name: string }) => name)

test('the list has exactly the fields of the specification and the relationship', async () => {
  const { client } = await seeded([{ name: 'A' }])
  const [account] = await client.expect(200, 'GET', '/v1/accounts')
  const fields =
    'id name domain status score employees industry location country tags owner_id network_url short_description logo_url created_at last_signal_at is_hot qualified relationship'
  assert.deepEqual(Object.keys(account).sort(), fields.split(' ').sort())
})

test('accounts are ordered by score, highest first, by default', async () => {
  const { client } = await seeded([
    { name: 'low', score: 1, last_signal_at: '2026-03-01T00:00:00Z', created_at: '2026-01-03T00:00:00Z' },
    { name: 'high', score: 9, created_at: '2026-01-01T00:00:00Z' },
    { name: 'mid', score: 5, last_signal_at: '2026-05-01T00:00:00Z', created_at: '2026-01-02T00:00:00Z' },
  ])
  assert.deepEqual(await names(client, ''), ['high', 'mid', 'low'])
  assert.deepEqual(await names(client, 'order=asc'), ['low', 'mid', 'high'])
  assert.deepEqual(await names(client, 'sort=created_at'), ['low', 'mid', 'high'])
  assert.deepEqual(await names(client, 'sort=created_at&order=asc'), ['high', 'mid', 'low'])
  assert.deepEqual(await names(client, 'sort=last_signal_at'), ['mid', 'low', 'high'])
  assert.deepEqual(await names(client, 'sort=last_signal_at&order=asc'), ['low', 'mid', 'high'])
})

test('each filter narrows the list, and together they narrow it further', async () => {
  const { client, workspaceId } = await seeded([
    { name: 'Alpha Rail', domain: 'alpha-rail.com', score: 80, tags: ['vip', 'rail'], industry: 'Rail Transport' },
    { name: 'Beta', domain: 'beta.io', score: 50, tags: ['rail'], industry: 'Software', status: 'rejected' },
    { name: 'Gamma', score: 20, industry: 'Rail Equipment', status: 'unqualified' },
  ])
  const [member] = await db.selectFrom('members').select('id').where('workspace_id', '=', workspaceId).execute()
  await db
    .updateTable('accounts')
    .set({ owner_id: member?.id ?? null })
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', 'Beta')
    .execute()
  assert.deepEqual(await names(client, 'status=rejected'), ['Beta'])
  assert.deepEqual(await names(client, 'status=new'), [])
  assert.deepEqual(await names(client, `owner_id=${member?.id}`), ['Beta'])
  assert.deepEqual(await names(client, 'tag=rail'), ['Alpha Rail', 'Beta'])
  assert.deepEqual(await names(client, 'tag=RAIL'), [])
  assert.deepEqual(await names(client, 'domain=A-RAIL'), ['Alpha Rail'])
  assert.deepEqual(await names(client, 'industry=rail'), ['Alpha Rail', 'Gamma'])
  assert.deepEqual(await names(client, 'min_score=50'), ['Alpha Rail', 'Beta'])
  assert.deepEqual(await names(client, 'search=bet'), ['Beta'])
  assert.deepEqual(await names(client, 'search=.io'), ['Beta'])
  assert.deepEqual(await names(client, 'industry=rail&min_score=50&tag=vip&status=suggested&search=alpha'), [
    'Alpha Rail',
  ])
})

test('accounts are filtered by heat, by country and by the run that found them', async () => {
  const { client, workspaceId } = await seeded([
    { name: 'A', score: 9, country: 'Côte d’Ivoire', is_hot: true },
    { name: 'B', score: 8, country: 'Germany' },
    { name: 'C', score: 7, country: 'Germany', is_hot: true },
    { name: 'D', score: 6 },
  ])
  assert.deepEqual(await names(client, 'hot=true'), ['A', 'C'])
  assert.deepEqual(await names(client, 'hot=false'), ['B', 'D'])
  assert.deepEqual(await names(client, 'country=GERMANY'), ['B', 'C'])
  assert.deepEqual(await names(client, 'country=cote%20d%E2%80%99IVOIRE&hot=1'), ['A'])
  const { run_id } = await client.expect(202, 'POST', '/v1/runs', { signals: { any_of: ['funding'] } })
  for (const [name, state] of [
    ['B', 'matched'],
    ['C', 'unmatched'],
    ['D', 'existing'],
  ] as const)
    await sql`insert into run_candidates (workspace_id, run_id, domain, name, source, position, state, account_id)
      select workspace_id, ${run_id}::uuid, name, name, 'universe', 0, ${state}, id from accounts
      where workspace_id = ${workspaceId} and name = ${name}`.execute(db)
  assert.deepEqual(await names(client, `run_id=${run_id}`), ['B'])
  assert.deepEqual(await names(client, 'run_id=none'), [])
  const [{ id }] = await client.expect(200, 'GET', '/v1/accounts?per_page=1')
  const scan = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  const runs = async (asked: boolean) =>
    (await client.expect(200, 'GET', `/v1/runs?asked=${asked}`)).map((run: { id: string }) => run.id)
  assert.deepEqual([await runs(true), await runs(false)], [[run_id], [scan.run_id]])
  const [asked] = await client.expect(200, 'GET', '/v1/runs?asked=true')
  assert.deepEqual(asked.spec.signals.any_of, ['funding'])
  const stranger = await service.stranger()
  assert.deepEqual(await names(stranger.client, `run_id=${run_id}`), [])
})

test('all matching accounts can be listed by id in the order of the list, and exported', async () => {
  const { client, workspaceId } = await seeded([
    { name: '=cmd("x")', score: 3, tags: ['t'] },
    { name: 'B', score: 9, tags: ['t'] },
    { name: 'C', score: 5 },
  ])
  const listed = await client.expect(200, 'GET', '/v1/accounts?tag=t')
  const ids = listed.map(({ id }: { id: string }) => id)
  assert.deepEqual(await client.expect(200, 'GET', '/v1/accounts/ids?tag=t'), { ids, total: 2, truncated: false })
  assert.deepEqual((await client.expect(200, 'GET', '/v1/accounts/ids?tag=t&order=asc')).ids, ids.toReversed())
  assert.deepEqual(await client.expect(200, 'GET', '/v1/accounts/ids?owner_id=x'), {
    ids: [],
    total: 0,
    truncated: false,
  })
  const csv = await client.get('/v1/accounts/export?tag=t')
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(csv.headers.get('content-disposition') ?? '', /attachment; filename="accounts.csv"/)
  const lines = csv.text.trimEnd().split('\r\n')
  assert.deepEqual([lines.length, lines[0]?.split(',').slice(0, 3)], [3, ['id', 'name', 'domain']])
  assert.ok(lines[2]?.includes(`,"'=cmd(""x"")",`))
  await sql`insert into accounts (workspace_id, id, name, status, source, tags)
    select ${workspaceId}::uuid, gen_random_uuid(), n::text, 'suggested', 'api', '{many}' from generate_series(1, 10005) as n`.execute(
    db,
  )
  const many = await client.expect(200, 'GET', '/v1/accounts/ids?tag=many')
  assert.deepEqual([new Set(many.ids).size, many.total, many.truncated], [10_000, 10_005, true])
  assert.equal((await client.get('/v1/accounts/export?tag=many')).text.trimEnd().split('\r\n').length, 10_006)
  const stranger = await service.stranger()
  assert.deepEqual((await stranger.client.expect(200, 'GET', '/v1/accounts/ids')).ids, [])
  assert.equal((await stranger.client.get('/v1/accounts/export')).text.trimEnd().split('\r\n').length, 1)
})

test('an invalid filter value is rejected, an unknown id gives an empty list', async () => {
  const { client } = await seeded([{ name: 'A' }])
  for (const query of [
    'status=asleep',
    'sort=name',
    'order=up',
    'min_score=high',
    'page=0',
    'page=x',
    'per_page=0',
    'per_page=1.5',
  ]) {
    refused(await client.get(`/v1/accounts?${query}`), 400, 'invalid_request')
  }
  for (const id of ['nobody', '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87']) {
    const answer = await client.get(`/v1/accounts?owner_id=${id}`)
    assert.deepEqual([answer.status, answer.data, answer.body.pagination.total], [200, [], 0])
  }
})

test('substrings are literal and not case-sensitive', async () => {
  const { client } = await seeded([{ name: '100% Fun_Co\\X' }, { name: '100 Fun Co X' }, { name: 'FunXCo' }])
  assert.deepEqual(await names(client, `search=${encodeURIComponent('0% f')}`), ['100% Fun_Co\\X'])
  assert.deepEqual(await names(client, `search=${encodeURIComponent('fun_co')}`), ['100% Fun_Co\\X'])
  assert.deepEqual(await names(client, `search=${encodeURIComponent('co\\x')}`), ['100% Fun_Co\\X'])
  assert.deepEqual((await names(client, 'search=FUN')).length, 3)
  assert.deepEqual(await names(client, `search=${encodeURIComponent("'; drop table accounts; --")}`), [])
})

test('a search ignores accents in both directions', async () => {
  const { client } = await seeded([{ name: 'Müller Straße' }, { name: 'Muller Strasse' }, { name: 'Łódź Ærø' }])
  for (const search of ['müller', 'MULLER', 'muller straße', 'Strasse']) {
    assert.deepEqual((await names(client, `search=${encodeURIComponent(search)}`)).sort(), [
      'Muller Strasse',
      'Müller Straße',
    ])
  }
  assert.deepEqual(await names(client, 'search=lodz%20aero'), ['Łódź Ærø'])
})

test('the database and the service fold every letter in the same way', async () => {
  const letters = Array.from({ length: 0xd7ff }, (_, code) => String.fromCodePoint(code + 1)).filter((char) =>
    /\p{L}|\p{N}|\p{P}/u.test(char),
  )
  const { rows } = await sql<{
    letter: string
    folded: string
  }>`select letter, search_fold(letter) as folded from unnest(${letters}::text[]) as letter`.execute(db)
  const different = rows.filter(({ letter, folded }) => searchFold(letter) !== folded).map(({ letter }) => letter)
  // A few Latin letters are newer than the Unicode tables of PostgreSQL 18.
  assert.deepEqual(
    different.filter((letter) => letter < '\ua7ce' || letter > '\ua7f1'),
    [],
  )
  assert.ok(rows.length > 20_000)
})

test('paging shows every account once, also with equal scores', async () => {
  const { client } = await seeded([])
  await client.expect(
    201,
    'POST',
    '/v1/accounts',
    Array.from({ length: 120 }, (_, n) => ({ name: `N${n}` })),
  )
  for (const query of ['sort=score', 'sort=score&order=asc', 'sort=last_signal_at', 'sort=created_at&order=asc']) {
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const answer = await client.get(`/v1/accounts?${query}&per_page=50&page=${page}`)
      assert.equal(answer.body.pagination.total, 120)
      seen.push(...answer.data.map(({ id }: { id: string }) => id))
      if (!answer.body.pagination.has_more) break
    }
    assert.equal(seen.length, 120)
    assert.equal(new Set(seen).size, 120)
  }
})

test('a list returns every text unchanged', async () => {
  const texts = [
    'a\u001fb',
    'quote " and \\ and /',
    'line\nline\ttab',
    'null',
    '=',
    '日本 🎈\u2028!',
    '\u0001',
    '{"a":1}',
    "it's",
  ]
  const { client } = await seeded(
    texts.map((name, at) => ({ name, score: at + 1, tags: [name.trim()], industry: name })),
  )
  await client.expect(201, 'POST', '/v1/accounts', { name: 'nothing said', industry: null })
  const shown = async (query: string) =>
    (await client.expect(200, 'GET', `/v1/accounts?${query}`)).map(
      ({ name, industry, tags }: { name: string; industry: string | null; tags: string[] }) => [
        name,
        industry,
        ...tags,
      ],
    )
  const all = texts.map((text) => [text, text, text.trim()])
  // The first contains the separators that the transfer uses.
  assert.deepEqual(await shown('min_score=1&order=asc'), all)
  assert.deepEqual(await shown('min_score=2&order=asc'), all.slice(1))
  assert.deepEqual(await shown('search=nothing%20said'), [['nothing said', null]])
  for (const listed of await client.expect(200, 'GET', '/v1/accounts')) {
    const one = await client.expect(200, 'GET', `/v1/accounts/${listed.id}`)
    assert.deepEqual({ ...one, ...listed }, one)
  }
})

test('the page size is 50 by default and 100 at most', async () => {
  const { client } = await seeded([])
  await client.expect(
    201,
    'POST',
    '/v1/accounts',
    Array.from({ length: 130 }, (_, n) => ({ name: `N${n}` })),
  )
  const paging = async (query: string) => {
    const { data, body } = await client.get(`/v1/accounts${query}`)
    return [data.length, body.pagination]
  }
  assert.deepEqual(await paging(''), [50, { total: 130, page: 1, per_page: 50, has_more: true }])
  assert.deepEqual(await paging('?per_page=500'), [100, { total: 130, page: 1, per_page: 100, has_more: true }])
  assert.deepEqual(await paging('?per_page=100&page=2'), [30, { total: 130, page: 2, per_page: 100, has_more: false }])
  assert.deepEqual(await paging('?page=9'), [0, { total: 130, page: 9, per_page: 50, has_more: false }])
  assert.deepEqual(await paging('?page=99999999999999999999'), [
    0,
    { total: 130, page: 2147483647, per_page: 50, has_more: false },
  ])
})

test('the total is exact after every kind of change', async () => {
  const { client } = await seeded([])
  const accounts = await client.expect(
    201,
    'POST',
    '/v1/accounts',
    Array.from({ length: 60 }, (_, n) => ({ name: `N${n}`, tags: ['t'] })),
  )
  const total = async (query: string) => (await client.get(`/v1/accounts?per_page=10&${query}`)).body.pagination.total
  assert.deepEqual([await total(''), await total('tag=t'), await total('status=active')], [60, 60, 0])
  await client.expect(200, 'DELETE', `/v1/accounts/${accounts[0].id}`)
  assert.deepEqual([await total(''), await total('tag=t')], [59, 59])
  await client.expect(200, 'DELETE', `/v1/accounts/${accounts[1].id}/tags`, { tags: ['t'] })
  assert.deepEqual([await total(''), await total('tag=t')], [59, 58])
  await client.expect(200, 'POST', `/v1/accounts/${accounts[1].id}/tags`, { tags: ['t'] })
  assert.equal(await total('tag=t'), 59)
  await client.expect(201, 'POST', '/v1/accounts', { name: 'New', tags: ['t'] })
  assert.deepEqual([await total(''), await total('tag=t')], [60, 60])
  for (const { id } of accounts.slice(2, 14)) await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  assert.equal(await total('status=active'), 12)
  await client.expect(200, 'PATCH', `/v1/accounts/${accounts[20].id}`, { tags: [] })
  assert.equal(await total('tag=t'), 59)
})

test('Accept: text/csv streams all matching accounts with the same filters', async () => {
  const { client } = await seeded([
    { name: '=cmd("x")', tags: ['a', 'b'], score: 3 },
    { name: 'Quote "me", please', score: 2 },
    { name: '+49 40 1', score: 1 },
    // Split at semicolons, as in some locales, each part would be a separate cell.
    { name: 'Nuts; bolts', score: 8 },
    { name: 'a;=1+1;-2+3\t@x;"=2;+49 40 1', score: 7 },
    { name: '＝1+1', score: 6 },
    { name: '\tTab', score: 5 },
    { name: 'A\rB', score: 4 },
  ])
  await client.expect(
    201,
    'POST',
    '/v1/accounts',
    Array.from({ length: 120 }, (_, n) => ({ name: `N${n}`, tags: ['many'] })),
  )
  const csv = await client.get('/v1/accounts?min_score=1', { headers: { accept: 'text/csv' } })
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
  const lines = csv.text.trimEnd().split('\r\n')
  assert.equal(lines.length, 9)
  assert.ok(lines[0]?.startsWith('id,name,domain,status,score'))
  const cells = [
    `,"Nuts; bolts",`,
    `,"a;'=1+1;'-2+3\t'@x;'""=2;+49 40 1",`,
    `,'＝1+1,`,
    `,Tab,`,
    `,"A\rB",`,
    `,"'=cmd(""x"")",`,
    `,"Quote ""me"", please",`,
    `,+49 40 1,`,
  ]
  for (const [at, cell] of cells.entries()) assert.ok(lines[at + 1]?.includes(cell), lines[at + 1])
  assert.match(lines[6] ?? '', /,"a, b",/)
  const many = await client.get('/v1/accounts?tag=many&page=2&per_page=10', { headers: { accept: 'text/csv' } })
  assert.equal(many.text.trimEnd().split('\r\n').length, 121)
})

test('lists and exports contain only accounts of one workspace', async () => {
  await seeded([{ name: 'Theirs', tags: ['t'] }])
  const { client } = await seeded([{ name: 'Ours', tags: ['t'] }])
  assert.deepEqual(await names(client, ''), ['Ours'])
  assert.deepEqual(await names(client, 'tag=t&search=r'), ['Ours'])
  assert.ok(!(await client.get('/v1/accounts', { headers: { accept: 'text/csv' } })).text.includes('Theirs'))
})

test('a filter returns the same accounts before and after the number of its matches is known', async () => {
  const { client, workspaceId } = await seeded([])
  const kind = (n: number) => (n % 2 ? 'odd' : n % 40 ? 'even' : 'round')
  const rows = Array.from({ length: 120 }, (_, n) => ({ name: `${kind(n)} ${n}`, tags: [kind(n)] }))
  await client.expect(201, 'POST', '/v1/accounts', rows)
  const nameIndustries = () =>
    sql`update accounts set industry = 'In ' || tags[1] where workspace_id = ${workspaceId}`.execute(db)
  await nameIndustries()
  const shown = async (query: string) => {
    const { data, body } = await client.get(`/v1/accounts?per_page=10&${query}`)
    return { names: data.map(({ name }: { name: string }) => name), total: body.pagination.total }
  }
  const few = ['tag=round', 'search=round', 'industry=round']
  const many = ['tag=odd', 'search=odd', 'industry=odd']
  const before = await Promise.all([...few, ...many].map(shown))
  assert.deepEqual(
    before.map(({ total, names }) => [total, names.length]),
    [...few.map(() => [3, 3]), ...many.map(() => [60, 10])],
  )
  await shown('')
  for (const _ of [1, 2]) assert.deepEqual(await Promise.all([...few, ...many].map(shown)), before)
  await client.expect(201, 'POST', '/v1/accounts', { name: 'Round 1', tags: ['round'] })
  await nameIndustries()
  assert.deepEqual(
    (await Promise.all(few.map(shown))).map(({ total }) => total),
    [4, 4, 4],
  )
})
