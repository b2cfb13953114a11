import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, refused } from '../../../test/support/client.ts'
import { createDatabase } from '../../../test/support/databases.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ADMIN_KEY, testService } from '../../../test/support/service.ts'
import { html, type Paths, testWorld } from '../../../test/support/world.ts'
import { createWorkspace } from '../../setup/create-workspace.ts'
import { readCompanyProfile, readDueProfiles } from './read.ts'
import { setOwnDomain } from './refresh.ts'

const page = (title: string, body: string, head = '') =>
  `<html><head><title>${title}</title>${head}</head><body><nav><a href="/">Home</a></nav><main><h1>${title}</h1>${body}</main></body></html>`

const ABOUT = '<p>Harrow was founded in 1962 in Leeds. Harrow is a maker of gauges.</p>'
const organization = {
  '@type': 'Organization',
  name: 'Harrow',
  url: 'https://harrow.example',
  logo: 'https://harrow.example/logo.png',
  description: 'Harrow makes gauges.',
}
const site = (): Paths => ({
  '/': page(
    'Harrow',
    `<p>Harrow makes flow gauges for water utilities. Our platform collects readings every minute.</p>
     <a href="/about">About us</a><a href="/pricing">Pricing</a>`,
    `<script type="application/ld+json">${JSON.stringify(organization)}</script>`,
  ),
  '/about': page('About Harrow', ABOUT),
  '/pricing': { status: 500, body: 'no' },
})
const { internet, sites } = await testWorld({
  vendors: [],
  sites: { 'down.example': { status: 500, body: 'no' }, 'www.down.example': { status: 500, body: 'no' } },
})
const service = await testService({ worker: true, env: { ...internet.env, CRAWL_DELAY_MS: '0' } })
const { deps } = service
let serial = 0

/** A workspace, and a site at its own domain. */
async function fresh() {
  const domain = `harrow-${++serial}.example`
  const paths = site()
  sites.set(domain, paths)
  return { ...(await service.stranger()), domain, paths }
}

/** The profile after a read that started later than now. */
async function readAgain(client: Client, body: object = {}) {
  const from = new Date().toISOString()
  await client.expect(202, 'POST', '/v1/company-profile/refresh', body)
  return nextReading(client, from)
}

const nextReading = (client: Client, from: string) =>
  eventually('a reading', async () => {
    const profile = await client.expect(200, 'GET', '/v1/company-profile')
    return profile.scraped_meta.read_at >= from && profile
  })

const sections = async (client: Client) =>
  Object.fromEntries(
    (await client.expect(200, 'GET', '/v1/knowledge-base')).map((section: { type: string }) => [section.type, section]),
  )

test('the own site fills the profile and drafts sections from its sentences; pages that failed are reported', async () => {
  const { client, domain } = await fresh()
  const profile = await readAgain(client, { domain: `https://www.${domain}/` })
  const { name, logo_url, business_context, scraped_meta } = profile
  assert.deepEqual(
    { name, domain: profile.domain, logo_url, business_context },
    { name: 'Harrow', domain, logo_url: 'https://harrow.example/logo.png', business_context: 'Harrow makes gauges.' },
  )
  assert.equal(scraped_meta.outcome, 'items')
  assert.deepEqual(
    scraped_meta.pages.map(({ kind, url }: { kind: string; url: string }) => `${kind} ${url}`),
    [`home https://${domain}/`, `about https://${domain}/about`],
  )
  const failed = scraped_meta.failures.map(({ url }: { url: string }) => url)
  assert.ok(failed.includes(`https://${domain}/pricing`), 'a page that failed is named')
  const { overview, product, icp, ...others } = await sections(client)
  assert.deepEqual(others, {})
  assert.deepEqual(
    [overview.title, overview.content_md, overview.source_url, overview.is_ai_generated],
    [
      'About Harrow',
      '- Harrow was founded in 1962 in Leeds.\n- Harrow is a maker of gauges.',
      `https://${domain}/about`,
      true,
    ],
  )
  const about = `https://${domain}/about`
  assert.deepEqual(overview.drawn_from, [
    { url: about, sentence: 'Harrow was founded in 1962 in Leeds.' },
    { url: about, sentence: 'Harrow is a maker of gauges.' },
  ])
  assert.deepEqual([profile.refresh.state, profile.refresh.message], ['idle', null])
  assert.equal(product.content_md, '- Our platform collects readings every minute.')
  assert.equal(icp.content_md, '- Harrow makes flow gauges for water utilities.')
})

test('a section lists the sentences of the site from which it was drafted, as far as it still contains them', async () => {
  const { client, domain, paths } = await fresh()
  await readAgain(client, { domain })
  const { overview } = await sections(client)
  const [founded, maker] = overview.drawn_from
  const edit = (content_md: string) => client.expect(200, 'PATCH', `/v1/knowledge-base/${overview.id}`, { content_md })
  const mixed = await edit('* Harrow is a maker of gauges.\n\nHarrow was founded in 1962 in Leeds, by two sisters.')
  assert.deepEqual(mixed.drawn_from, [maker], 'what was changed is not a sentence of the site any more')
  assert.deepEqual((await edit('Ours')).drawn_from, [])
  const back = await edit(overview.content_md)
  assert.deepEqual(back.drawn_from, [founded, maker])
  // The same sentences at another address.
  paths['/'] = String(paths['/']).replace('/about', '/company/about')
  paths['/company/about'] = page('About Harrow', ABOUT)
  await readAgain(client)
  const moved = (await sections(client)).overview
  assert.deepEqual([moved.content_md, moved.drawn_from[0].url], [overview.content_md, moved.source_url])
  assert.match(moved.source_url, /company.about$/)
})

test('during a read the profile shows the pages read so far, and afterwards the outcome', async () => {
  const { client, domain, paths } = await fresh()
  const { refresh: before } = await client.expect(200, 'GET', '/v1/company-profile')
  assert.deepEqual(before, { state: 'idle', started_at: null, ended_at: null, pages_read: [], message: null })
  const held = Promise.withResolvers<void>()
  paths['/about'] = async () => {
    await held.promise
    return html(page('About Harrow', ABOUT))
  }
  const asked = await client.expect(202, 'POST', '/v1/company-profile/refresh', { domain })
  assert.deepEqual([asked.refresh.state, asked.refresh.pages_read], ['running', []])
  const refresh = async () => (await client.expect(200, 'GET', '/v1/company-profile')).refresh
  const running = await eventually('the first page', async () => {
    const now = await refresh()
    return now.pages_read.length > 0 && now
  })
  assert.deepEqual(
    [running.state, running.ended_at, running.pages_read],
    ['running', null, [{ url: `https://${domain}/`, title: 'Harrow' }]],
  )
  held.resolve()
  const done = await eventually('the end', async () => {
    const now = await refresh()
    return now.state !== 'running' && now
  })
  assert.deepEqual([done.state, done.started_at, done.message], ['idle', running.started_at, null])
  assert.ok(done.ended_at >= done.started_at)
  assert.equal(done.pages_read.length, 2)
  sites.set(domain, { '*': { status: 500, body: 'no' } })
  sites.set(`www.${domain}`, { '*': { status: 500, body: 'no' } })
  const failed = await readAgain(client)
  assert.deepEqual([failed.refresh.state, failed.refresh.pages_read], ['failed', []])
  assert.equal(failed.refresh.message, failed.scraped_meta.reason)
})

test('reading again updates unedited drafts; sections that a member changed, deleted or wrote do not change', async () => {
  const { client, domain, paths } = await fresh()
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'Ours', content_md: 'Big utilities', type: 'icp' })
  await readAgain(client, { domain })
  const { overview, product, icp } = await sections(client)
  assert.equal(icp.title, 'Ours')
  // Moving a section keeps it a draft.
  await client.expect(200, 'PATCH', `/v1/knowledge-base/${overview.id}`, { position: 2 })
  paths['/about'] = page('About Harrow', '<p>Harrow is a maker of meters.</p>')
  await readAgain(client)
  const second = await sections(client)
  assert.deepEqual(
    [second.overview.id, second.overview.content_md, second.overview.position],
    [overview.id, '- Harrow is a maker of meters.', 2],
  )
  assert.deepEqual([second.product, second.icp], [{ ...product, position: 1 }, icp])

  await client.expect(200, 'PATCH', `/v1/knowledge-base/${overview.id}`, { content_md: 'Mine' })
  await client.expect(200, 'DELETE', `/v1/knowledge-base/${product.id}`)
  paths['/about'] = page('About Harrow', ABOUT)
  await readAgain(client)
  const third = await sections(client)
  assert.deepEqual(Object.keys(third).sort(), ['icp', 'overview'])
  assert.equal(third.overview.content_md, 'Mine')
  assert.equal(third.icp.content_md, 'Big utilities')
})

test('members set the name, which reading the site does not change, and the products and proofs of their company', async () => {
  const { client, domain } = await fresh()
  const proof = {
    customer: 'Acme',
    result: 'cut leaks by half',
    industry: null,
    min_employees: 50,
    max_employees: null,
  }
  const seller = { name: 'Harrow Gauges', products: ['Flowline'], proofs: [proof] }
  const { name, is_name_set, products, proofs } = await client.expect(200, 'PATCH', '/v1/company-profile', {
    ...seller,
    products: ['Flowline', ' Flowline '],
    proofs: [{ customer: 'Acme', result: 'cut leaks by half', min_employees: 50 }],
  })
  assert.deepEqual({ name, is_name_set, products, proofs }, { ...seller, is_name_set: true })
  const read = await readAgain(client, { domain })
  assert.deepEqual([read.name, read.scraped_meta.organization.name], ['Harrow Gauges', 'Harrow'])
  assert.deepEqual(read.proofs, [proof])

  const invalid = [
    { name: '' },
    { products: Array.from({ length: 21 }, (_, at) => `p${at}`) },
    { proofs: [{ customer: 'Acme' }] },
    { proofs: [{ ...proof, max_employees: 49 }] },
    { proofs: Array.from({ length: 31 }, () => proof) },
  ]
  for (const body of invalid) refused(await client.patch('/v1/company-profile', body), 400, 'invalid_request')
  const scoped = await service.member({ visibility: 'scoped' })
  refused(await scoped.client.patch('/v1/company-profile', seller), 403, 'forbidden')
})

test('a site that cannot be read is reported as failed and changes nothing else', async () => {
  const { client, domain, workspaceId } = await fresh()
  const before = await readAgain(client, { domain })
  await readCompanyProfile.onLost?.(deps, { workspace_id: workspaceId })
  const lost = await client.expect(200, 'GET', '/v1/company-profile')
  assert.equal(lost.scraped_meta.outcome, 'failed')
  assert.match(lost.scraped_meta.reason, /died or stopped responding twice/)
  assert.equal(lost.business_context, before.business_context)
  sites.set(domain, { '*': { status: 500, body: 'no' } })
  sites.set(`www.${domain}`, { '*': { status: 500, body: 'no' } })
  const after = await readAgain(client)
  assert.equal(after.scraped_meta.outcome, 'failed')
  assert.match(after.scraped_meta.reason, /\w+.*\.$/)
  assert.deepEqual(
    [after.name, after.business_context, after.logo_url],
    [before.name, before.business_context, before.logo_url],
  )
  assert.deepEqual(Object.keys(await sections(client)).sort(), ['icp', 'overview', 'product'])
})

test('the site of a workspace is read after its creation with a domain, and after setting one on the command line', async () => {
  const from = new Date().toISOString()
  const { domain } = await fresh()
  const created = await deps.db
    .transaction()
    .execute((db) =>
      createWorkspace(db, { name: 'Harrow Ltd', domain, admin: { name: 'Ann', email: 'ann@harrow.example' } }),
    )
  const later = await fresh()
  await setOwnDomain(deps.db, later.workspaceId, later.domain)
  // Runs now what the schedule runs every minute.
  await deps.jobs.enqueue(deps.db, readDueProfiles, {})
  const profiles = await Promise.all([service.as(created.key), later.client].map((client) => nextReading(client, from)))
  assert.deepEqual(
    profiles.map((profile) => [profile.domain, profile.scraped_meta.outcome]),
    [
      [domain, 'items'],
      [later.domain, 'items'],
    ],
  )
})

test('a refresh without a domain, or with an invalid one, is rejected', async () => {
  const { client } = await service.stranger()
  refused(await client.post('/v1/company-profile/refresh'), 400, 'invalid_request')
  refused(await client.post('/v1/company-profile/refresh', { domain: 'not a domain' }), 400, 'invalid_request')
  assert.equal((await client.expect(200, 'GET', '/v1/company-profile')).domain, null)
})

test('WORKSPACE_DOMAIN sets the domain of a new database', async () => {
  const databaseUrl = await createDatabase(`profile_${process.pid}`, 'template0')
  const env = { WORKSPACE_DOMAIN: 'https://Harrow.example/', BELLWETHER_API_KEY: ADMIN_KEY }
  const { admin } = await testService({ databaseUrl, env })
  assert.equal((await admin.expect(200, 'GET', '/v1/company-profile')).domain, 'harrow.example')
})
