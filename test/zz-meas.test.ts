import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testService } from '/tmp/w/accounts/test/support/service.ts'

const service = await testService({ env: { DATABASE_TIMEOUT_SECONDS: '200' } })
const { db } = service.deps
test('facets', async () => {
  const ws = service.workspaceId
  await sql`insert into company_facets (workspace_id, country_code, industry_key, size_band) select ${ws}::uuid, c, i, s from unnest(array['DE','FR','US','GB','']) c, unnest(array['software','saas','retail','logistics','']) i, generate_series(0,8) s`.execute(
    db,
  )
  for (let k = 0; k < 20; k++)
    await sql`insert into companies (workspace_id, domain, name, name_key, country_code, industry_key, industry_words, facet_id)
   select ${ws}::uuid, 'c'||n||'.com', 'c', 'c'||n, 'DE', 'x', case when n%10=0 then 'word '||(n%1000) end, (select min(id) from company_facets)+ (n::bigint*7919)%225 from generate_series(${k * 50000 + 1}::int,${k * 50000 + 50000}::int) n`.execute(
      db,
    )
  await sql`vacuum analyze companies`.execute(db)
  for (let i = 0; i < 4; i++) {
    const t = performance.now()
    const r = await service.admin.get('/v1/companies/facets')
    console.log('facets', r.status, r.data.total, Math.round(performance.now() - t), 'ms')
  }
  await sql`insert into accounts (workspace_id, id, name, domain, status, source, score, tags, country, industry, is_hot) select ${ws}::uuid, gen_random_uuid(), 'n'||n, 'd'||n||'.com', 'suggested','api',(100*power(random(),3))::int,'{}', case when n%50=0 then 'Austria' else 'Germany' end,'x', n%200=0 from generate_series(1,100000) n`.execute(
    db,
  )
  await sql`vacuum analyze accounts`.execute(db)
  for (const q of [
    '',
    '?hot=true',
    '?hot=true&sort=created_at',
    '?hot=true&order=asc',
    '?hot=false',
    '?country=german',
    '?country=austria',
    '?country=zz',
    '/ids',
    '/ids?hot=true',
    '?page=1500',
  ])
    for (let i = 0; i < 3; i++) {
      const t = performance.now()
      const r = await service.admin.get('/v1/accounts' + q)
      if (i !== 1) console.log(q, r.status, Math.round(performance.now() - t), 'ms')
    }
  const ids = (await service.admin.get('/v1/accounts/ids')).data.ids.slice(0, 500)
  for (const a of ['activate', 'tag', 'deactivate', 'reject', 'suggest', 'scan', 'delete']) {
    const t = performance.now()
    const r = await service.admin.post('/v1/accounts/bulk', { ids, action: a, tags: ['q'] })
    console.log(a, r.status, r.data.done, Math.round(performance.now() - t), 'ms')
  }
  let csv = 'Company;Website;Country;Employees\n'
  let n = 0
  while (csv.length < 10e6) csv += `Acme Müller Number ${n};https://www.acme-${n++}.com/;Germany;${n % 1000}\n`
  const h = monitorEventLoopDelay({ resolution: 1 })
  h.enable()
  const t = performance.now()
  const r = await service.admin.post('/v1/accounts/import/preview', undefined, {
    body: Buffer.from(csv, 'latin1'),
    headers: { 'content-type': 'text/csv' },
  })
  console.log(
    'preview',
    r.status,
    r.data.rows,
    r.data.created,
    r.data.encoding,
    Math.round(performance.now() - t),
    'ms; loop max',
    Math.round(h.max / 1e6),
    'p99',
    Math.round(h.percentile(99) / 1e6),
  )
})
