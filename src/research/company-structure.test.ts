import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Host, startInternet } from '../../sandbox/internet.ts'
import type { RegisteredCompany, Release, World } from '../../sandbox/types.ts'
import { vendorResponse } from '../../sandbox/vendors/index.ts'
import { type Answer, type Client, refused } from '../../test/support/client.ts'
import { day, EVENTS } from '../../test/support/companies.ts'
import { idle } from '../../test/support/eventually.ts'
import { testService } from '../../test/support/service.ts'
import { insertCandidates } from './discovery/candidate-store.ts'
import { updateProfile } from './enrich.ts'
import { loadOwnCompany, resolveLeads, type SourcedLead } from './resolve-leads.ts'
import { readAllStreams } from './streams/match.ts'

type Data = Answer['data']

const HALDEN: RegisteredCompany = {
  legal_name: 'Halden Robotics GmbH',
  lei: '5493001KJTIIGC8Y1R12',
  number: 'HRB 266840',
  former_names: ['Kestrel Automation GmbH'],
  trading_names: ['Halden Robotics', 'Pickwell'],
  country_code: 'DE',
  street: 'Hafenstrasse 12',
  city: 'Leipzig',
  postal_code: '04109',
  parent: 'HRB 900100',
}
/** A record with the same name and address. */
const TWIN = '5493001KJTIIGC8Y1R17'
const other = (legal_name: string, lei: string, number: string, parent: string): RegisteredCompany => ({
  ...{ ...HALDEN, former_names: [], trading_names: [] },
  ...{ legal_name, lei, number, parent },
})
const world: World = {
  ...{ today: day(0), companies: [], stories: [], filings: [], releases: [] },
  registered: [
    HALDEN,
    other('Vantor Holding SE', '5493001KJTIIGC8Y1R13', 'HRB 900100', 'HRB 900200'),
    other('Vantor Group AG', '5493001KJTIIGC8Y1R14', 'HRB 900200', 'none'),
    other('Halden Service GmbH', '5493001KJTIIGC8Y1R15', 'HRB 266841', 'HRB 266840'),
    other('Orrin Sensors GmbH', '5493001KJTIIGC8Y1R16', 'HRB 266842', 'HRB 266840'),
    other('Halden Robotics GmbH', TWIN, 'HRB 111111', 'none'),
  ],
}
const html = (title: string, body: string, head = '') => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${title}</title>${head}</head><body><main>${body}</main></body></html>`,
})
const STATED = {
  ...{ '@context': 'https://schema.org', '@type': 'Organization', name: 'Halden', legalName: 'Halden Robotics GmbH' },
  url: 'https://halden.example/',
  brand: [
    { '@type': 'Brand', name: 'Lumo Pick', url: 'https://lumo-pick.example/' },
    { '@type': 'Brand', name: 'Tarn Grip', url: 'https://halden.example/tarn-grip' },
    { '@type': 'Brand', name: 'Fell Lift', url: 'https://www.facebook.com/fell-lift' },
    'Halden',
  ],
}
const halden: Host = ({ url }) => {
  if (url.pathname === '/') {
    const head = `<script type="application/ld+json">${JSON.stringify(STATED)}</script>`
    return html('Halden', '<p>Halden makes robots for warehouses.</p><a href="/impressum">Impressum</a>', head)
  }
  if (url.pathname !== '/impressum') return { status: 404 }
  return html(
    'Impressum',
    '<p>Halden Robotics GmbH, Hafenstrasse 12, 04109 Leipzig. Amtsgericht Leipzig, HRB 266840.</p>',
  )
}
/** A domain that leads to the site of an acquirer. */
const moved: Host = () => ({ status: 301, headers: { location: 'https://halden.example/' } })
const sites: Record<string, Host> = { 'halden.example': halden, 'tern.example': moved }
const internet = await startInternet(
  async (request) => (await vendorResponse(request, world)) ?? (await sites[request.url.hostname]?.(request)) ?? null,
)
after(() => internet[Symbol.asyncDispose]())
const env = { ...internet.env, CRAWL_DELAY_MS: '0', OUTBOUND_CONTACT: 'ops@bellwether.example' }
const service = await testService({ worker: true, env: { ...env, SOURCES: 'website,gleif,globenewswire' } })
const client = service.admin

async function account(by: Client, name: string, domain: string): Promise<string> {
  const { id } = await by.expect(201, 'POST', '/v1/accounts', { name, domain })
  await by.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  await idle(service)
  return id
}

/** Returns the outcome of GLEIF in the scan. */
async function scan(id: string): Promise<Data> {
  const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  await idle(service)
  const { stats } = await client.expect(200, 'GET', `/v1/runs/${run_id}`)
  return stats.sources.find(({ name }: Data) => name === 'GLEIF')
}

const structure = (id: string): Promise<Data> => client.expect(200, 'GET', `/v1/accounts/${id}/relations`)
const lines = ({ relations }: Data): string[] =>
  relations.map(
    ({ kind, name, source, counts_as_account, status }: Data) =>
      `${kind} ${name} ${source}${counts_as_account ? ' counts' : ''}${status === 'rejected' ? ' rejected' : ''}`,
  )

let releases = 7_000_000
/** Publishes a release, and returns the signals that the account has after it was read. */
async function publish(id: string, company: string, title: string, text: string, site: string | null = null) {
  const release: Release = {
    ...{ id: String(++releases), company, title, summary: text, paragraphs: [text], published: day(2), site },
    signals: ['acquisition'],
  }
  world.releases = [...(world.releases ?? []), release]
  await service.deps.db
    .updateTable('stream_feeds')
    .set({ due_at: day(1) })
    .execute()
  await service.run(readAllStreams, {})
  await idle(service)
  const signals: Data[] = await client.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  const proofs = signals.flatMap(({ signal_present, evidence }) => (signal_present ? evidence : []))
  return proofs.filter(({ source_url }: Data) => source_url.includes(`/${release.id}/`)).length > 0
}

const FOUND = [
  'parent Vantor Holding SE gleif',
  'ultimate_parent Vantor Group AG gleif',
  'subsidiary Halden Service GmbH gleif',
  'subsidiary Orrin Sensors GmbH gleif',
  'brand Fell Lift website counts',
  'brand Lumo Pick website',
  'brand Pickwell gleif counts',
  'brand Tarn Grip website counts',
  'former_name Kestrel Automation GmbH gleif counts',
]

const id = await account(client, 'Halden', 'halden.example')

test('a scan finds the register record that the imprint proves, its group and the brands of the site', async () => {
  const orrin = await client.expect(201, 'POST', '/v1/accounts', { name: 'Lumo', domain: 'lumo-pick.example' })
  const found = await structure(id)
  assert.deepEqual(lines(found), FOUND)
  const [record, none] = found.registrations
  assert.equal(none, undefined)
  assert.deepEqual(
    [record.register_id, record.legal_name, record.proof, record.source_url],
    [
      HALDEN.lei,
      'Halden Robotics GmbH',
      'The website states its registration number.',
      `https://search.gleif.org/#/record/${HALDEN.lei}`,
    ],
  )
  const brand = found.relations.find(({ name }: Data) => name === 'Lumo Pick')
  assert.deepEqual([brand.domain, brand.related_account_id], ['lumo-pick.example', orrin.id])
  assert.equal(found.relations.find(({ name }: Data) => name === 'Fell Lift').domain, null)
  const profile = await client.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.deepEqual([profile.country, profile.location], ['Germany', 'Leipzig'])
  await client.expect(200, 'DELETE', `/v1/accounts/${orrin.id}`)
})

test('a domain that leads to the site of an acquirer does not make the account the acquirer', async () => {
  const tern = await account(client, 'Tern Sensors', 'tern.example')
  const { registrations, relations } = await structure(tern)
  assert.deepEqual([registrations, relations], [[], []])
  await client.expect(200, 'DELETE', `/v1/accounts/${tern}`)
})

test('a failed register is reported and removes nothing', async () => {
  world.outages = { gleif: 'misshapen' }
  const source = await scan(id)
  world.outages = {}
  assert.equal(source.outcome, 'failed')
  assert.match(source.reason, /unexpected response format/)
  assert.deepEqual(lines(await structure(id)), FOUND)
})

test('of a group with more subsidiaries than are read, only the parents that are no longer reported are removed', async () => {
  const known = world.registered ?? []
  const units = Array.from({ length: 101 }, (_, i) =>
    other(`Unit ${i} GmbH`, `5493001KJTIIGC8Y1${i + 100}`, `HRB ${300_000 + i}`, HALDEN.number),
  )
  world.registered = [...units, ...known.map((one) => (one === HALDEN ? { ...HALDEN, parent: 'none' } : one))]
  assert.match((await scan(id)).reason, /lists 103 subsidiaries: only 100 were read/)
  assert.deepEqual(
    lines(await structure(id)).filter((line) => !line.startsWith('subsidiary Unit')),
    FOUND.filter((line) => !line.includes('parent')),
  )
  world.registered = known
  await scan(id)
  assert.deepEqual(lines(await structure(id)), FOUND)
})

test('a record is not the only one of its name if not all of them were read', async () => {
  const known = world.registered ?? []
  sites['tarrow-pumps.example'] = () => html('Tarrow Pumps', '<p>Tarrow Pumps GmbH makes pumps for ships.</p>')
  const tarrow = await account(client, 'Tarrow Pumps GmbH', 'tarrow-pumps.example')
  const record = other('Tarrow Pumps GmbH', '5493001KJTIIGC8Y1R18', 'HRB 400000', 'none')
  const similar = Array.from({ length: 201 }, (_, i) =>
    other(`Tarrow Pumps ${i} GmbH`, `5493001KJTIIGC8Y1${i + 300}`, `HRB ${400_001 + i}`, 'none'),
  )
  world.registered = [record, ...similar]
  const source = await scan(tarrow)
  assert.deepEqual([source.outcome, (await structure(tarrow)).registrations], ['failed', []])
  assert.match(source.reason, /lists 202 companies/)
  world.registered = [record]
  await scan(tarrow)
  const [proven] = (await structure(tarrow)).registrations
  assert.match(proven.proof, /the only record with exactly this name/)
  world.registered = known
})

test('news under a former name or a brand is found, that of a namesake or a subsidiary is not', async () => {
  const buys = (name: string) => `${name} today announced that it has acquired Marrow Field for $25 million in cash.`
  const kestrel = 'Kestrel Automation GmbH'
  assert.equal(await publish(id, kestrel, 'Kestrel Automation Acquires Marrow Field', buys(kestrel)), true)
  const site = 'lumo-pick.example'
  // A brand with its own domain may be that of a maker whose products the company sells.
  assert.equal(await publish(id, 'Lumo Pick', 'Lumo Pick Buys Marrow Dale', buys('Lumo Pick'), site), false)
  const lumo = (await structure(id)).relations.find(({ name }: Data) => name === 'Lumo Pick')
  await client.expect(200, 'PATCH', `/v1/accounts/${id}/relations/${lumo.id}`, { counts_as_account: true })
  assert.equal(await publish(id, 'Lumo Pick', 'Lumo Pick Acquires Marrow Glen', buys('Lumo Pick'), site), true)
  // The legal form differs from the one in the register.
  const namesake = 'Halden Robotics LLC'
  assert.equal(await publish(id, namesake, 'Halden Robotics Acquires Marrow Hill', buys(namesake)), false)
  assert.equal(await publish(id, namesake, 'Halden Robotics Buys Marrow Lake', buys(namesake), 'halden.example'), true)
  // The document names the account, but reports what its subsidiary does.
  const unit =
    'Halden unit Orrin Sensors has acquired Marrow Moor for $9 million. Halden (halden.example) makes robots.'
  const title = 'Halden Unit Orrin Sensors Acquires Marrow Moor'
  assert.equal(await publish(id, 'Halden', title, unit, 'halden.example'), false)
})

test('what a member corrects stays when research runs again', async () => {
  const path = `/v1/accounts/${id}/relations`
  const idOf = async (name: string) =>
    (await structure(id)).relations.find((one: Data) => one.name === name).id as string
  const change = async (name: string, body: object) => client.expect(200, 'PATCH', `${path}/${await idOf(name)}`, body)
  await change('Orrin Sensors GmbH', { counts_as_account: true })
  await change('Halden Service GmbH', { status: 'rejected' })
  await change('Vantor Holding SE', { name: 'Vantor Holding', domain: 'https://www.vantor.example/' })
  const added = await client.expect(201, 'POST', path, {
    kind: 'brand',
    name: 'Brightpath',
    domain: 'brightpath.example',
  })
  assert.deepEqual([added.source, added.counts_as_account], ['member', true])
  refused(await client.post(path, { kind: 'brand', name: 'BRIGHTPATH Inc.' }), 409, 'name_taken')
  refused(await client.post(path, { kind: 'brand', name: 'X', domain: 'no domain' }), 400, 'invalid_request')
  const gone = await client.expect(201, 'POST', path, { kind: 'subsidiary', name: 'Mistake Ltd' })
  assert.equal((await client.expect(200, 'DELETE', `${path}/${gone.id}`)).deleted, true)
  // Research would find it again.
  assert.equal((await client.expect(200, 'DELETE', `${path}/${await idOf('Pickwell')}`)).deleted, false)
  world.registered = world.registered?.map((one) => (one === HALDEN ? { ...HALDEN, former_names: [] } : one)) ?? []
  await scan(id)
  assert.deepEqual(lines(await structure(id)), [
    'parent Vantor Holding gleif',
    'ultimate_parent Vantor Group AG gleif',
    'subsidiary Halden Service GmbH gleif rejected',
    'subsidiary Orrin Sensors GmbH gleif counts',
    'brand Brightpath member counts',
    'brand Fell Lift website counts',
    'brand Lumo Pick website counts',
    'brand Pickwell gleif counts rejected',
    'brand Tarn Grip website counts',
  ])
  const orrin = 'Orrin Sensors GmbH'
  const text = `${orrin} today announced that it has acquired Marrow Park for $25 million in cash.`
  assert.equal(await publish(id, orrin, 'Orrin Sensors Acquires Marrow Park', text), true)
})

test('a rejected register record is not used again, until a member restores it', async () => {
  const path = `/v1/accounts/${id}/registrations/${HALDEN.lei}`
  await client.expect(200, 'PATCH', path, { status: 'rejected' })
  await scan(id)
  const without = await structure(id)
  const records = ({ registrations }: Data) =>
    registrations.map(({ register_id, status }: Data) => `${register_id} ${status}`)
  // The next one that the address on the imprint proves.
  assert.deepEqual(records(without), [`${TWIN} active`, `${HALDEN.lei} rejected`])
  // Corrections of members stay.
  assert.deepEqual(
    lines(without).filter((line) => line.includes('gleif')),
    [
      'parent Vantor Holding gleif',
      'subsidiary Halden Service GmbH gleif rejected',
      'subsidiary Orrin Sensors GmbH gleif counts',
      'brand Pickwell gleif counts rejected',
    ],
  )
  await client.expect(200, 'PATCH', path, { status: 'active' })
  await scan(id)
  assert.deepEqual(records(await structure(id)), [`${HALDEN.lei} active`])
  assert.ok(lines(await structure(id)).includes('ultimate_parent Vantor Group AG gleif'))
})

test('a brand of an account is not discovered as a new company, and the group of the own company is its own', async () => {
  const lead = (name: string): SourcedLead => {
    const document = { url: `https://news.example/${name}`, kind: 'article' as const, ...EVENTS.funding(name) }
    return {
      company: { name, domain: null },
      signal_id: 'funding',
      document: { ...document, published_date: null },
      source: 'News',
    }
  }
  const never = new AbortController().signal
  const resolve = async (workspaceId: string, name: string) => {
    const { candidates } = await resolveLeads(service.deps, workspaceId, [lead(name)], never, never)
    return [...candidates.keys()]
  }
  const { db } = service.deps
  assert.deepEqual(await resolve(service.workspaceId, 'Brightpath, Inc.'), ['halden.example'])
  assert.deepEqual(await resolve(service.workspaceId, 'Vantor Group'), [])
  // A name that two accounts have names neither.
  const twin = await client.expect(201, 'POST', '/v1/accounts', { name: 'Aster', domain: 'aster.example' })
  await client.expect(201, 'POST', `/v1/accounts/${twin.id}/relations`, { kind: 'brand', name: 'Brightpath' })
  assert.deepEqual(await resolve(service.workspaceId, 'Brightpath, Inc.'), [])
  await client.expect(200, 'DELETE', `/v1/accounts/${twin.id}`)
  const stranger = await service.stranger()
  assert.deepEqual(await resolve(stranger.workspaceId, 'Brightpath'), [])
  const run = await client.expect(202, 'POST', '/v1/runs', { mode: 'discovery', signals: { any_of: ['funding'] } })
  await idle(service)
  const candidate = { domain: 'brightpath.example', name: 'Brightpath', source: 'universe', documents: null }
  await insertCandidates(db, service.workspaceId, run.run_id, [candidate])
  const stored = await db.selectFrom('run_candidates').select('state').where('domain', '=', candidate.domain).execute()
  assert.deepEqual(stored, [{ state: 'existing' }])
  await db
    .insertInto('company_profiles')
    .values({ workspace_id: service.workspaceId, domain: 'halden.example', scraped_meta: '{}' })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ domain: 'halden.example' }))
    .execute()
  const own = await loadOwnCompany(service.deps, service.workspaceId)
  assert.deepEqual((await resolve(service.workspaceId, 'Vantor Group')).map(own.hasDomain), [true])
})

test('another workspace, and a member with scoped visibility who does not own the account, change nothing', async () => {
  const { relations } = await structure(id)
  const [relation] = relations
  const path = `/v1/accounts/${id}/relations`
  const stranger = (await service.stranger()).client
  refused(await stranger.get(path), 404, 'not_found')
  refused(await stranger.post(path, { kind: 'brand', name: 'Theirs' }), 404, 'not_found')
  refused(await stranger.patch(`${path}/${relation.id}`, { status: 'rejected' }), 404, 'not_found')
  refused(await stranger.delete(`${path}/${relation.id}`), 404, 'not_found')
  refused(
    await stranger.patch(`/v1/accounts/${id}/registrations/${HALDEN.lei}`, { status: 'rejected' }),
    404,
    'not_found',
  )
  const scoped = await service.member({ visibility: 'scoped' })
  assert.equal((await scoped.client.expect(200, 'GET', path)).relations.length, relations.length)
  refused(await scoped.client.patch(`${path}/${relation.id}`, { status: 'rejected' }), 403, 'forbidden')
  assert.deepEqual((await structure(id)).relations, relations)
  // Another domain may be another company.
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { domain: 'brightpath.example' })
  const left = await structure(id)
  assert.deepEqual(left.registrations, [])
  assert.ok(left.relations.every(({ edited_at }: Data) => edited_at !== null))
  // A scan that began before is about the earlier one.
  const registrations = [
    { register: 'gleif', register_id: TWIN, legal_name: 'Halden Robotics GmbH', proof: 'x', source_url: 'x' },
  ] as const
  const late = { domain: 'halden.example', registrations, relations: [], read: [] }
  await updateProfile(service.deps, service.workspaceId, id, { structure: late })
  assert.deepEqual(await structure(id), left)
})
