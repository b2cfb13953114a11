import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refused } from '../../../test/support/client.ts'
import { crmRecords } from '../../../test/support/crm-records.ts'
import { article, readAbout } from '../../../test/support/documents.ts'
import { idle } from '../../../test/support/eventually.ts'
import { scene, unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { type NewMove, recordMoves } from '../../people/moves/record.ts'
import { redactErasedPeople } from '../../privacy/redact.job.ts'
import { createKey } from '../../resources/api-keys/create.ts'
import { redraftAccounts } from '../../resources/drafts/redraft.ts'
import { applyRelationships } from './apply-relationships.job.ts'
import { openDueDeals } from './lost-deals.job.ts'

const service = await testService({ worker: true })
const { deps } = service
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const monthsAgo = async (months: number) => {
  const { rows } = await sql<{ on: string }>`select (now() - make_interval(months => ${months}))::date as on`.execute(
    deps.db,
  )
  return rows[0]?.on as string
}

/** Active accounts of a workspace with a CRM, and a function that reads a page about one of them. */
async function desk(names: readonly string[]) {
  const companies = names.map((name) => ({ name, domain: `${unique(name.toLowerCase())}.example` }))
  const world = await scene(service, { accounts: companies, active: true })
  const { client, workspaceId, ids } = world
  const read = async (at: number, text: string) => {
    const company = companies[at] as (typeof companies)[number]
    const page = article(`https://${company.domain}/${unique('news')}`, text.slice(0, 60), text)
    await readAbout(deps, world, ids[at] as string, company, [page])
    await idle(service)
  }
  const queue = async (query = '') => client.expect(200, 'GET', `/v1/work-items${query}`)
  const reasons = async (query = '') =>
    (await queue(query)).map(({ account, factors }: { account: { name: string }; factors: Factor[] }) => [
      account.name,
      factors.filter(({ name }) => !['event', 'fit', 'contact', 'caution'].includes(name)).map(({ why }) => why),
    ])
  const crm = await crmRecords(deps.db, workspaceId)
  return { ...world, companies, read, queue, reasons, crm }
}
type Factor = { name: string; points: number; why: string }

const ROUND = (name: string) =>
  `${name} today announced that it has raised $40 million in Series B funding led by Vantor Capital.`
const PARTNER = (name: string) => `${name} today announced a partnership with Vantor Systems.`

/** Records that a person of Northwind is now with Halden. */
async function recordMove(workspaceId: string, person_id: string, former: string, joined: string): Promise<void> {
  const job = { domain: null, account_id: null, title: null }
  const move: NewMove = {
    ...{ person_id, account_id: former, kind: 'joined', is_gone: true, happened_on: day(2) },
    from: { ...job, employer: 'Northwind' },
    to: { ...job, employer: 'Halden', account_id: joined, title: 'VP Sales' },
    evidence: [{ url: 'https://halden.example/team', source: 'website', seen_on: day(0) }],
  }
  await deps.db.transaction().execute((db) => recordMoves({ ...deps, db }, workspaceId, [move], day(0)))
}

test('a contact of a won deal who joins another company comes first; who may not see the person does not read the name', async () => {
  const { client, workspaceId, ids, read, queue, crm, save } = await desk(['Northwind', 'Halden', 'Cedarline'])
  const [former, joined] = ids as [string, string, string]
  const [ada] = await save([{ full_name: 'Ada Pike', title: 'Sales Director', account_id: former }])
  const company = await crm.company({ account_id: former, name: 'Northwind' })
  const contact = await crm.contact(company, ada?.id as string)
  const [bo] = await save([{ full_name: 'Bo Berg', title: 'Buyer', account_id: former }])
  await crm.contact(company, bo?.id as string)
  await crm.deal(company, { contacts: [contact], state: 'won', closes_on: '2025-03-14', name: 'Rollout with Ada Pike' })
  await crm.deal(company, { state: 'lost', lost_reason: 'Ada Pike said no' })
  await crm.relate(former, 'customer', '2025-03-14', 'Ada Pike said no')
  const about = { value: 'Freight forwarder led by Ada Pike', provider: 'crm_one', at: '2026-11-14T06:30:00.000Z' }
  const crm_fields = JSON.stringify({ short_description: about })
  await deps.db.updateTable('accounts').set({ crm_fields }).where('id', '=', former).execute()
  await recordMove(workspaceId, ada?.id as string, former, joined)
  const cedarline = ids[2] as string
  const [lind] = await save([{ full_name: 'Bo Lind', title: 'Buyer', account_id: cedarline }])
  await crm.relate(cedarline, 'lost_deal', '2025-06-02', 'Bo Lind said no')
  await read(2, ROUND('Cedarline'))
  const [first, second] = await queue()
  assert.deepEqual([first.account.id, second.account.name], [joined, 'Cedarline'])
  assert.ok(first.act_now >= 85, `${first.act_now}`)
  const champion = first.factors.find(({ name }: Factor) => name === 'champion')
  assert.equal(champion.why, 'Ada Pike, your contact at Northwind (customer, won March 2025), is now VP Sales here')
  assert.ok(champion.points > 30)

  // The owner of the new account who may not see people of the former one.
  const colleague = await client.expect(201, 'POST', '/v1/members', {
    ...{ name: 'Sam', email: `${unique('sam')}@n.example`, visibility: 'scoped' },
  })
  await client.expect(200, 'PUT', `/v1/accounts/${joined}/owner`, { owner_id: colleague.id })
  const scoped = service.as((await createKey(deps.db, workspaceId, { member_id: colleague.id, name: 'test' })).key)
  await read(1, PARTNER('Halden'))
  const [own, ...others] = await scoped.expect(200, 'GET', '/v1/work-items')
  assert.deepEqual([own.account.id, own.total_events, others.length], [joined, 1, 0])
  assert.doesNotMatch(JSON.stringify(own), /Ada|Pike/)
  const seen = await scoped.expect(200, 'GET', `/v1/accounts/${former}/crm`)
  assert.deepEqual([seen.total_deals, seen.contacts, seen.total_contacts], [2, [], 0])
  const all = await client.expect(200, 'GET', `/v1/accounts/${former}/crm`)
  assert.deepEqual(
    all.contacts.map(({ full_name, won_deals }: Record<string, unknown>) => [full_name, won_deals]),
    [
      ['Ada Pike', 1],
      ['Bo Berg', 0],
    ],
  )
  assert.deepEqual(all.contacts[0], {
    ...{ person_id: ada?.id, full_name: 'Ada Pike', title: 'Sales Director', left_on: day(0) },
    ...{ deleted_in_crm_on: null, won_deals: 1 },
  })
  const other = await scene(service, { accounts: 1 })
  refused(await other.client.get(`/v1/accounts/${former}/crm`), 404, 'not_found')

  // Erasure removes the name from the reasons and from the records of the CRM as well.
  await client.expect(200, 'DELETE', `/v1/people/${ada?.id}`)
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: former })
  assert.doesNotMatch(JSON.stringify(await queue('?view=all')), /Ada|Pike/)
  const left = await client.expect(200, 'GET', `/v1/accounts/${former}/crm`)
  assert.doesNotMatch(JSON.stringify(left), /Ada|Pike/)
  const cedarlines = async () => JSON.stringify(await queue(`?view=all&account_id=${cedarline}`))
  assert.match(await cedarlines(), /Lost on 2 June 2025 \(Bo Lind said no\): now they have raised money/)
  await client.expect(200, 'DELETE', `/v1/people/${lind?.id}`)
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: cedarline })
  assert.doesNotMatch(await cedarlines(), /Bo|Lind/)
  assert.match(await cedarlines(), /said no\): now they have raised money/)
  assert.match(`${left.relationship_reason} ${left.fields[0].crm_value}`, /said no Freight forwarder led by/)
})

test('a draft to a contact of a won deal names the former company, unless its sender may not see the people there', async () => {
  const { client, workspaceId, ids, read, crm, save } = await desk(['Northwind', 'Halden'])
  const [former, joined] = ids as [string, string]
  const present = { full_name: 'Ada Pike', title: 'Chief Financial Officer' }
  const [ada] = await save([{ ...present, account_id: former }])
  await save([{ ...present, account_id: joined }])
  const company = await crm.company({ account_id: former, name: 'Northwind' })
  await crm.deal(company, { contacts: [await crm.contact(company, ada?.id as string)], state: 'won' })
  await recordMove(workspaceId, ada?.id as string, former, joined)
  await read(1, ROUND('Halden'))
  const body = async () =>
    (await client.expect(200, 'GET', `/v1/accounts/${joined}/signals?present=true`))[0].draft.body
  assert.match(await body(), /Northwind/)

  const colleague = { name: 'Sam', email: `${unique('sam')}@n.example`, visibility: 'scoped' }
  const { id: owner_id } = await client.expect(201, 'POST', '/v1/members', colleague)
  const owns = async (account: string) => {
    await client.expect(200, 'PUT', `/v1/accounts/${account}/owner`, { owner_id })
    await service.run(redraftAccounts, { workspace_id: workspaceId, account_ids: [joined] })
  }
  await owns(joined)
  assert.doesNotMatch(await body(), /Northwind/)
  await owns(former)
  assert.match(await body(), /Northwind/)
})

test('a lost deal comes back with news that matters, or after the months of the workspace; an open deal ranks its news high', async () => {
  const { client, workspaceId, ids, read, queue, reasons, crm } = await desk([
    'Northwind',
    'Halden',
    'Cedarline',
    'Bramwell',
  ])
  const [lost, due, open, none] = ids as [string, string, string, string]
  await crm.relate(lost, 'lost_deal', '2025-06-02', 'price')
  const deal = await crm.company({ account_id: open, name: 'Cedarline' })
  await crm.deal(deal, { name: 'Rail rollout', stage: 'Negotiation', closes_on: '2026-12-15' })
  await crm.relate(open, 'open_deal', day(40))
  const [me] = await client.expect(200, 'GET', '/v1/members')
  await client.expect(200, 'PUT', `/v1/accounts/${open}/owner`, { owner_id: me.id })
  await read(0, ROUND('Northwind'))
  await read(2, PARTNER('Cedarline'))
  const OPEN_DEAL = ['Cedarline', ['Open deal: Negotiation, closes 15 December 2026']]
  assert.deepEqual(await reasons('?view=mine'), [OPEN_DEAL], 'at once, for the owner')
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${open}`)).is_hot, false)
  await read(3, PARTNER('Bramwell'))
  assert.deepEqual(await reasons(), [
    OPEN_DEAL,
    ['Northwind', ['Lost on 2 June 2025 (price): now they have raised money']],
    ['Bramwell', []],
  ])
  assert.deepEqual(
    (await queue('?relationship=lost_deal,customer')).map((one: Item) => one.account.id),
    [lost],
  )
  assert.equal((await queue('?relationship=none')).length, 1)
  refused(await client.get('/v1/work-items?relationship=friend'), 400, 'invalid_request')

  const whyReachOut = async () => {
    const [{ why_reach_out_md }] = await client.expect(200, 'GET', `/v1/accounts/${lost}/signals?present=true`)
    return why_reach_out_md
  }
  assert.match(await whyReachOut(), /\*\*In your CRM:\*\* lost deal, 2 June 2025(?: *$|\n)/m)

  // A change in the CRM is applied to findings that are known already; a day in the future is no day of a loss.
  await crm.relate(lost, 'lost_deal', day(-100), 'price')
  await service.run(applyRelationships, { workspace_id: workspaceId, account_ids: [lost] })
  assert.deepEqual(await reasons('?relationship=lost_deal'), [
    ['Northwind', ['Lost earlier (price): now they have raised money']],
  ])
  assert.match(await whyReachOut(), /\*\*In your CRM:\*\* lost deal$/m)
  await crm.relate(lost, 'customer', '2026-01-05')
  await service.run(applyRelationships, { workspace_id: workspaceId, account_ids: [lost] })
  assert.deepEqual(await reasons('?relationship=customer'), [['Northwind', []]])
  assert.match(await whyReachOut(), /\*\*In your CRM:\*\* customer, 5 January 2026/)

  await crm.relate(due, 'lost_deal', await monthsAgo(9), 'no budget')
  await crm.relate(none, 'lost_deal', await monthsAgo(7))
  await service.run(openDueDeals, {})
  await service.run(openDueDeals, {})
  const found = (await queue()).find((one: Item) => one.account.id === due)
  assert.deepEqual([found.total_events, found.events[0].kind, found.events[0].signal_name], [1, 'deal', 'Lost deal'])
  assert.match(found.events[0].headline, /^Lost on \d+ [A-Z][a-z]+ \d{4} \(no budget\): time for another try$/)
  assert.equal(found.factors[0].why, found.events[0].headline)
  assert.ok(found.act_now > 10, `${found.act_now}`)
  await client.expect(200, 'POST', `/v1/work-items/${found.id}/done`, { outcome: 'contacted' })
  await service.run(openDueDeals, {})
  assert.equal((await queue()).filter((one: Item) => one.account.id === due).length, 0, 'once')

  // The months are a setting; deals that were due long ago with a lower one come back as well.
  const other = async () => (await queue()).find((one: Item) => one.account.id === none)
  assert.equal((await other()).total_events, 1)
  await client.expect(200, 'PUT', '/v1/settings/workspace', { scoped_members_claim: false })
  const settings = await client.expect(200, 'PUT', '/v1/settings/workspace', { lost_deal_months: 3 })
  assert.deepEqual(settings, { scoped_members_claim: false, lost_deal_months: 3 })
  refused(await client.put('/v1/settings/workspace', {}), 400, 'invalid_request')
  await service.run(openDueDeals, {})
  assert.equal((await other()).total_events, 2)

  // A later loss is another event, which is not due yet.
  await crm.relate(none, 'lost_deal', day(10))
  await service.run(applyRelationships, { workspace_id: workspaceId, account_ids: [none] })
  const { total_events, factors } = await other()
  assert.deepEqual([total_events, factors.filter(({ name }: Factor) => name === 'lost_deal')], [1, []])
})
type Item = { account: { id: string } }

test('accounts, findings and the CRM of an account show the relationship', async () => {
  const { client, ids, read, crm } = await desk(['Northwind', 'Halden'])
  const [id] = ids as [string, string]
  const company = await crm.company({ account_id: id })
  await crm.deal(company, { state: 'lost', name: 'First', closes_on: '2024-01-05', lost_reason: 'timing' })
  await crm.deal(company, {
    ...{ state: 'lost', name: 'Second', stage: 'Closed lost', amount: '48000.50', currency: 'EUR' },
    ...{ closes_on: '2025-06-02', lost_reason: 'price' },
  })
  await crm.relate(id, 'lost_deal', '2025-06-02', 'price')
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { industry: 'Logistics' })
  const at = '2026-11-14T06:30:00.000Z'
  const crm_fields = {
    industry: { value: 'Transport', provider: 'crm_one', at },
    employees: { value: 640, provider: 'crm_one', at },
  }
  await deps.db
    .updateTable('accounts')
    .set({ crm_fields: JSON.stringify(crm_fields), from_crm: ['employees'], employees: 640 })
    .where('id', '=', id)
    .execute()
  const shown = await client.expect(200, 'GET', `/v1/accounts/${id}/crm`)
  assert.deepEqual(
    shown.deals.map(({ name, state, amount, lost_reason }: Record<string, unknown>) => [
      name,
      state,
      amount,
      lost_reason,
    ]),
    [
      ['Second', 'lost', 48000.5, 'price'],
      ['First', 'lost', null, 'timing'],
    ],
  )
  assert.deepEqual(
    shown.fields.map(({ field, used, used_value, crm_value }: Record<string, unknown>) => [
      field,
      used,
      used_value,
      crm_value,
    ]),
    [
      ['industry', 'member', 'Logistics', 'Transport'],
      ['employees', 'crm', 640, 640],
    ],
  )
  const account = await client.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.deepEqual(
    [account.relationship, account.relationship_on, account.relationship_reason],
    ['lost_deal', '2025-06-02', 'price'],
  )
  const listed = async (filter: string) =>
    (await client.expect(200, 'GET', `/v1/accounts?relationship=${filter}`)).map((one: { id: string }) => one.id)
  assert.deepEqual(await listed('lost_deal,customer'), [id])
  assert.deepEqual(await listed('customer'), [])
  assert.equal((await listed('none,lost_deal')).length, 2)
  refused(await client.get('/v1/accounts?relationship=friend'), 400, 'invalid_request')
  await read(0, ROUND('Northwind'))
  await read(1, ROUND('Halden'))
  assert.equal((await client.expect(200, 'GET', '/v1/detections')).length, 2)
  const [finding, ...others] = await client.expect(200, 'GET', '/v1/detections?relationship=lost_deal')
  assert.deepEqual([finding.account.id, others.length], [id, 0])
})
