import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxResponse, Vendor } from '../../../sandbox/types.ts'
import { type CrmEdits, hubspotEdits, salesforceEdits } from '../../../sandbox/vendors/crm-edits.ts'
import { seedCrm } from '../../../sandbox/vendors/crm-seed.ts'
import type { Fault, Recorded } from '../../../sandbox/vendors/hubspot.ts'
import { createHubspot } from '../../../sandbox/vendors/hubspot.ts'
import { createSalesforce } from '../../../sandbox/vendors/salesforce.ts'
import { assertDocumented } from '../../../test/support/crm.ts'
import { providerDeps } from '../../../test/support/provider-deps.ts'
import { testWorld } from '../../../test/support/world.ts'
import { hubspot } from './hubspot/index.ts'
import { salesforce } from './salesforce/index.ts'
import {
  type CrmApi,
  CrmError,
  type CrmReader,
  PULLED_OBJECTS,
  type PulledObject,
  type PulledOf,
  type PulledPage,
} from './vendor/types.ts'

const HOUR_MS = 3_600_000

/** The emulated CRM that answers at the moment. */
let vendor: Vendor
const { internet } = await testWorld({
  vendors: [],
  others: (request) => vendor.answer(request, undefined as never) as Promise<SandboxResponse>,
})
/** Counts the pauses between calls instead of waiting. */
let elapsed = 0
const clock = {
  now: () => elapsed,
  wait: async (ms: number) => {
    elapsed += ms
  },
}
const { outbound } = providerDeps(internet.env, { clock })

type Emulated = Vendor & {
  edits: CrmEdits
  calls: Recorded[]
  api: CrmApi
  base: string
  token: string
  fail: (...faults: Fault[]) => void
  startDay: () => void
  /** Takes the right to read deals away. */
  hideDeals: () => string
  /** What the server keeps of queries between two pages is lost. */
  forget: () => void
  /** Changes a contact in a way that reads of the next minutes do not see, as this vendor does. */
  editUnseen: (contactId: string, last_name: string) => void
  /** Answers of the vendor for too many calls, for a used up day, with records of another shape, and a page after itself. */
  limited: SandboxResponse
  spent: SandboxResponse
  misshapen: (object: PulledObject) => Fault
  endless: SandboxResponse
}
type Options = { now: () => number }

const json = (status: number, body: object, headers = {}) => ({
  ...{ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
})

const EMULATED: Record<string, (options: Options) => Emulated> = {
  HubSpot(options) {
    const made = createHubspot({
      ...options,
      ...{ limit: { calls: 100_000, ms: 10_000 }, searchesPerSecond: 10_000, searchLagMs: 5_000 },
    })
    return {
      ...made,
      edits: hubspotEdits(made),
      api: hubspot.create(),
      base: 'https://api.hubapi.com',
      token: 'sandbox-key',
      hideDeals() {
        made.missingScopes.add('crm.objects.deals.read')
        return 'crm.objects.deals.read'
      },
      forget() {},
      // Searches lag behind writes.
      editUnseen: (id, lastname) => made.edit('contacts', id, { lastname }),
      limited: json(429, { status: 'error', policyName: 'TEN_SECONDLY_ROLLING' }, { 'retry-after': '0' }),
      spent: json(429, { status: 'error', policyName: 'DAILY' }),
      misshapen: () => ({
        path: /\/companies$/,
        answer: json(200, {
          results: [
            null,
            'text',
            { id: 1 },
            { id: 'x'.repeat(5_000), properties: {} },
            { id: 77, properties: { name: 5, numberofemployees: 'many', country: {} } },
          ],
        }),
      }),
      endless: json(200, { results: [], paging: { next: { after: 'again' } } }),
    }
  },
  Salesforce(options) {
    const made = createSalesforce(options)
    return {
      ...made,
      edits: salesforceEdits(made),
      api: salesforce.create(),
      base: made.instanceUrl,
      token: 'sandbox-token',
      hideDeals() {
        made.unreadable.add('Opportunity')
        return 'Opportunity'
      },
      forget: made.expireCursors,
      // A long transaction becomes visible after the date of its records.
      editUnseen(id, LastName) {
        const begun = new Date(options.now() - 5 * 60_000).toISOString()
        made.edit('Contact', id, { LastName, SystemModstamp: `${begun.slice(0, 19)}.000+0000` })
      },
      limited: json(403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'ConcurrentRequests limit exceeded.' }]),
      spent: json(403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'TotalRequests Limit exceeded.' }]),
      misshapen: () => ({
        path: /\/queryAll$/,
        answer: json(200, {
          records: [
            ...[null, 'text', {}, { Id: 'x'.repeat(5_000) }],
            { Id: '77', Name: 5, NumberOfEmployees: 'many', BillingCountry: {} },
          ],
        }),
      }),
      endless: json(200, { records: [], nextRecordsUrl: '/services/data/query/again' }),
    }
  },
}

/** What the service would hold: every page is applied in turn. */
type Mirror = Record<PulledObject, Map<string, object>>

function emulate(name: string, { skewMs = 0 } = {}) {
  let offset = skewMs
  let frozen: number | null = null
  const made = (EMULATED[name] as (typeof EMULATED)['HubSpot'])?.({
    now: () => frozen ?? Date.now() + offset,
  }) as Emulated
  vendor = made
  const session = {
    vendorAccount: `account-${crypto.randomUUID()}`,
    base: () => made.base,
    token: async () => made.token,
    renew: async () => made.token,
  }
  /** A reader of a process that has just started. */
  const open = (): CrmReader => made.api.open({ outbound, session, signal: AbortSignal.timeout(60_000) }, {}).reader
  const mirror: Mirror = { company: new Map(), contact: new Map(), deal: new Map() }
  const positions: Record<PulledObject, string | null> = { company: null, contact: null, deal: null }
  const read: string[] = []

  async function step(reader: CrmReader, object: PulledObject): Promise<boolean> {
    const page = await reader.readPage(object, positions[object])
    const held = mirror[object]
    for (const record of page.records) {
      read.push(record.id)
      for (const id of record.merged_ids) held.delete(id)
      held.set(record.id, comparable(object, record))
    }
    for (const { id } of page.gone) held.delete(id)
    positions[object] = page.position
    return page.is_last
  }

  /** Reads every object until nothing is left, with something done between two pages. */
  async function pull(between: (object: PulledObject) => void = () => {}, reader = open()) {
    for (const object of PULLED_OBJECTS) while (!(await step(reader, object))) between(object)
  }

  const assertEqual = () => {
    const there = made.edits.contents()
    for (const object of PULLED_OBJECTS)
      assert.deepEqual(new Map([...mirror[object]].sort()), new Map([...there[object]].sort() as [string, object][]))
  }
  return {
    ...made,
    ...{ open, pull, step, mirror, positions, read, assertEqual },
    advance: (ms: number) => {
      offset += ms
    },
    /** Everything within happens at the same moment of the vendor. */
    atOnce(work: () => void) {
      frozen = Math.floor(Date.now() / 1000) * 1000 + offset
      work()
      frozen = null
    },
  }
}

function comparable(object: PulledObject, record: object): object {
  const one = record as Record<string, unknown>
  const state = one.is_won ? 'won' : one.is_closed ? 'lost' : 'open'
  if (object === 'company') return { name: one.name, domain: one.website, owner_id: one.owner_id }
  if (object === 'contact') return { company_id: one.company_id, last_name: one.last_name, email: one.email }
  return { name: one.name, company_id: one.company_id, contact_ids: one.contact_ids, state }
}

for (const name of Object.keys(EMULATED)) {
  test(`${name}: a full read gives every record once, in pages, with its values`, async () => {
    const crm = emulate(name)
    const { owners } = seedCrm(crm.edits, { owners: 3, companies: 120, contacts: 2_100, deals: 130 })
    const company_id = crm.edits.addCompany({ name: 'Acme', domain: 'acme.example', customer: 'former' })
    const contact_id = crm.edits.addContact({ company_id, first_name: 'Ada', last_name: 'Ek', title: 'CFO' })
    const deal_id = crm.edits.addDeal({
      ...{ name: 'Pilot', company_id, contact_ids: [contact_id], state: 'lost', lost_reason: 'Price' },
      ...{ amount: 1_200.5, closes_on: '2026-03-31', owner_id: owners[0] as string },
    })
    crm.advance(HOUR_MS)
    await crm.pull()
    crm.assertEqual()
    assert.equal(new Set(crm.read).size, crm.read.length)
    const reader = crm.open()
    const all = (await reader.listOwners()) ?? []
    assert.ok(owners.every((id) => all.some((owner) => owner.id === id && owner.email && owner.is_active)))
    const { records } = await lastWith(reader, 'deal', deal_id)
    const deal = records.find(({ id }) => id === deal_id)
    assert.equal(deal?.lost_reason, 'Price')
    assert.equal(deal?.amount, 1_200.5)
    assert.equal(deal?.closes_on, '2026-03-31')
    assert.match(deal?.stage ?? '', /closed lost/i)
    const found = (await lastWith(reader, 'company', company_id)).records.find(({ id }) => id === company_id)
    assert.equal(found?.is_customer, false)
    assert.equal(found?.is_former_customer, true)
    assert.ok((reader.callsLeft()?.left ?? 0) > 0)
    assertDocumented(crm)
  })

  for (const skewMs of [-HOUR_MS, 0, HOUR_MS]) {
    const clock = skewMs === 0 ? 'our clock' : `a clock ${skewMs > 0 ? 'ahead of' : 'behind'} ours`
    test(`${name}, ${clock}: changes, deletions, merges and moved associations are found`, async () => {
      const crm = emulate(name, { skewMs })
      const { edits } = crm
      const { companies, contacts, deals } = seedCrm(
        edits,
        { companies: 30, contacts: 60, deals: 20 },
        Date.now() + skewMs,
      )
      const ids = (all: string[], ...at: number[]) => at.map((one) => all[one] as string)
      await crm.pull()
      crm.assertEqual()
      for (let round = 0; round < 3; round++) {
        crm.advance(HOUR_MS)
        const [edited, kept, other, deleted] = ids(companies, 0, 1 + round * 3, 2 + round * 3, 3 + round * 3) as [
          ...[string, string, string, string],
        ]
        edits.editCompany(edited, { name: `Renamed ${round}` })
        edits.merge('company', kept, other)
        edits.delete('company', deleted)
        const [person, samePerson] = ids(contacts, 20 + round * 2, 21 + round * 2) as [string, string]
        edits.merge('contact', person, samePerson)
        const [deal, closed, lost] = ids(deals, round, 5 + round, 10 + round) as [string, string, string]
        const there = edits.contents()
        const [moved] = [...there.contact.keys()].slice(-1 - round)
        if (there.deal.has(deal)) edits.editDeal(deal, { contact_ids: moved ? [moved] : [] })
        if (there.deal.has(closed)) edits.editDeal(closed, { state: 'won' })
        if (there.deal.has(lost)) edits.delete('deal', lost)
        edits.addCompany({ name: `New ${round}`, domain: `new${round}.example` })
        crm.advance(30 * 60_000)
        await crm.pull()
        crm.assertEqual()
      }
    })

    test(`${name}, ${clock}: a record that changes during the first read is not lost`, async () => {
      const crm = emulate(name, { skewMs })
      const { companies, contacts, deals } = seedCrm(
        crm.edits,
        { companies: 250, contacts: 250, deals: 250 },
        Date.now() + skewMs,
      )
      let n = 0
      await crm.pull(() => {
        n++
        // The read takes hours.
        crm.advance(20 * 60_000)
        crm.edits.editCompany(companies[n] as string, { name: `Changed ${n}` })
        crm.edits.editContact(contacts[n] as string, { last_name: `Changed ${n}` })
        crm.edits.editDeal(deals[n] as string, { state: 'won', contact_ids: [contacts[n + 50] as string] })
        crm.edits.delete('contact', contacts[n + 100] as string)
        crm.edits.addCompany({ name: `Late ${n}` })
      })
      crm.advance(20 * 60_000)
      await crm.pull()
      crm.assertEqual()
    })
  }

  test(`${name}: a change that a read does not see at once is found by the next`, async () => {
    const crm = emulate(name)
    const { contacts } = seedCrm(crm.edits, { companies: 1, contacts: 5, deals: 0 })
    await crm.pull()
    crm.advance(HOUR_MS)
    for (const id of contacts) {
      crm.advance(2_000)
      crm.editUnseen(id, `Late ${id}`)
      crm.advance(2_000)
      await crm.pull()
    }
    crm.advance(10_000)
    await crm.pull()
    crm.assertEqual()
  })

  test(`${name}: more records than a page may have the same date`, async () => {
    const crm = emulate(name)
    const { contacts } = seedCrm(crm.edits, { companies: 1, contacts: 2_100, deals: 0 })
    await crm.pull()
    crm.advance(HOUR_MS)
    crm.atOnce(() => {
      for (const id of contacts) crm.edits.editContact(id, { last_name: `Same ${id}` })
    })
    crm.advance(HOUR_MS)
    await crm.pull(crm.forget)
    crm.assertEqual()
  })

  test(`${name}: a new process continues from any stored position without a loss`, async () => {
    const crm = emulate(name)
    const { contacts } = seedCrm(crm.edits, { companies: 220, contacts: 2_050, deals: 210 })
    let n = 0
    // Every page is read by a new process, which finds nothing of the former queries at the server.
    for (let round = 0; round < 2; round++) {
      for (const object of PULLED_OBJECTS) {
        for (let isLast = false; !isLast; ) {
          const before = crm.positions[object]
          isLast = await crm.step(crm.open(), object)
          crm.forget()
          if (++n % 3 > 0) continue
          // A process that ended before it stored the position reads the page again.
          crm.positions[object] = before
          isLast = false
          crm.edits.editContact(contacts[n] as string, { last_name: `Again ${n}` })
        }
      }
      crm.advance(HOUR_MS)
    }
    await crm.pull()
    crm.assertEqual()
  })

  test(`${name}: a missing right is named, and the rest is read`, async () => {
    const crm = emulate(name)
    seedCrm(crm.edits, { companies: 5, contacts: 5, deals: 5 })
    const right = crm.hideDeals()
    const reader = crm.open()
    const missing = await reader.missingRights()
    assert.equal(missing.length, 1)
    assert.ok(missing[0]?.includes(right), missing[0])
    await crm.pull(undefined, reader)
    assert.deepEqual(
      PULLED_OBJECTS.map((object) => crm.mirror[object].size),
      [5, 5, 0],
    )
  })

  test(`${name}: faults and limits are waited for, and a used up day ends with its reason`, async () => {
    const crm = emulate(name)
    seedCrm(crm.edits, { companies: 20, contacts: 20, deals: 20 })
    const busy = json(503, {}, { 'retry-after': '0' })
    crm.fail({ path: /./, answer: busy }, { path: /./, answer: crm.limited }, { path: /./, answer: busy })
    await crm.pull()
    crm.assertEqual()
    crm.fail({ path: /./, answer: crm.spent })
    await assert.rejects(crm.pull(), (error) => error instanceof CrmError && error.kind === 'quota')
    await crm.pull()
    crm.assertEqual()
  })

  test(`${name}: a record of another shape is read as far as possible`, async () => {
    const crm = emulate(name)
    crm.fail(crm.misshapen('company'))
    const { records } = await crm.open().readPage('company', null)
    assert.equal(records.length, 1)
    assert.equal(records[0]?.name, '5')
    assert.equal(records[0]?.employees, null)
    assert.equal(records[0]?.country, null)
    await crm.pull()
    crm.assertEqual()
  })

  test(`${name}: a list that never ends is refused`, async () => {
    const crm = emulate(name)
    const reader = crm.open()
    const again = { path: /\/(companies|queryAll|query|again)$|owners/, answer: crm.endless }
    crm.fail(again, again)
    const { position } = await reader.readPage('company', null)
    await assert.rejects(reader.readPage('company', position), /the same page twice/)
    crm.fail(...Array(201).fill(again))
    await assert.rejects(reader.listOwners(), /more than 200 pages/)
  })
}

/** The page of a new read that has the record. */
async function lastWith<O extends PulledObject>(reader: CrmReader, object: O, id: string) {
  for (let position: string | null = null; ; ) {
    const page: PulledPage<PulledOf[O]> = await reader.readPage(object, position)
    if (page.is_last || page.records.some((record) => record.id === id)) return page
    position = page.position
  }
}
