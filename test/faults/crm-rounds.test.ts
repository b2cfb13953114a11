import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInternet } from '../../sandbox/internet.ts'
import type { SandboxResponse } from '../../sandbox/types.ts'
import { type CrmEdits, hubspotEdits, salesforceEdits } from '../../sandbox/vendors/crm-edits.ts'
import { createHubspot } from '../../sandbox/vendors/hubspot.ts'
import { createSalesforce } from '../../sandbox/vendors/salesforce.ts'
import { pullCrms } from '../../src/research/crm/pull.ts'
import { eventually } from '../support/eventually.ts'
import { beside, type Running, run, stop } from '../support/process.ts'
import { type Scene, scene } from '../support/scene.ts'
import { testService } from '../support/service.ts'
import { Draws } from './seeded.ts'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 60)
const SEED = Number(process.env.FAULT_SEED ?? 34)
const EMPTY = { today: '2026-11-18', companies: [], stories: [], filings: [] }
const MINUTE = 60_000

// Both clocks are wrong, in different directions.
const hubspot = createHubspot({
  ...{ limit: { calls: 100_000, ms: 10_000 }, searchesPerSecond: 10_000, searchLagMs: 300 },
  ...{ now: () => Date.now() + 47 * MINUTE, keepCalls: false },
})
const salesforce = createSalesforce({ now: () => Date.now() - 63 * MINUTE, keepCalls: false })
const isHubspot = (host: string) => hubspot.hosts.includes(host)

/** What happens at one of the next calls to a CRM: an edit, an interruption or the death of the worker. */
const planned: { calls: number; act: () => void | Promise<void> }[] = []
const internet = await startInternet(
  async (request) => {
    for (const plan of planned) plan.calls--
    const due = planned.filter(({ calls }) => calls <= 0)
    for (const plan of due) planned.splice(planned.indexOf(plan), 1)
    for (const { act } of due) await act()
    if (isHubspot(request.url.hostname)) return hubspot.answer(request, EMPTY)
    return request.url.hostname.endsWith('.salesforce.com') ? salesforce.answer(request, EMPTY) : null
  },
  { keep: false },
)
after(() => internet[Symbol.asyncDispose]())
// Only the API: jobs run here when a round wants them, or in processes that are killed.
const service = await testService({
  env: { ...internet.env, PUSH_RETRY_SECONDS: '0,0', RATE_LIMIT_PER_MINUTE: '1000000' },
})
const { db } = service.deps
const env = { ...internet.env, ...beside(service) }

const SIDES = [
  { provider: 'crm_one', vendor: hubspot, crm: hubspotEdits(hubspot), connection: { token: 'sandbox-key' } },
  {
    provider: 'crm_two',
    vendor: salesforce,
    crm: salesforceEdits(salesforce),
    connection: { token: 'sandbox-token', instance_url: salesforce.instanceUrl },
  },
] as const

/** A workspace with its CRM, and what people entered on both sides. */
class Side {
  readonly provider: string
  readonly crm: CrmEdits
  readonly owners: string[] = []
  /** Fields that members set here. */
  readonly typed = new Map<string, { industry?: string; employees?: number; owner_id?: string | null }>()
  readonly erased = new Set<string>()
  readonly members: string[] = []
  readonly scene: Scene
  readonly draws: Draws
  #serial = 0

  constructor(provider: string, crm: CrmEdits, made: Scene, draws: Draws) {
    this.provider = provider
    this.crm = crm
    this.scene = made
    this.draws = draws
  }

  get client() {
    return this.scene.client
  }

  #next(): number {
    return ++this.#serial
  }

  #one(object: 'company' | 'contact' | 'deal'): string | null {
    const ids = [...this.crm.contents()[object].keys()]
    return ids.length > 0 ? this.draws.pick(ids) : null
  }

  /** A domain of an account here, or a new one. */
  #domain(): string {
    const n = this.#next()
    return this.draws.fraction() < 0.4 ? `shared-${this.draws.between(1, 60)}.example` : `side-${n}.example`
  }

  /** A random change by a person in the CRM. */
  edit(): void {
    const { crm, draws } = this
    const n = this.#next()
    const company = this.#one('company')
    const contact = this.#one('contact')
    const deal = this.#one('deal')
    const person = () => ({ first_name: `First${n}`, last_name: `Last${n}`, email: `p${n}@side-${n}.example` })
    const acts: (() => void)[] = [
      () =>
        crm.addCompany({
          name: `Company ${n}`,
          domain: this.#domain(),
          employees: n,
          owner_id: draws.pick(this.owners),
        }),
      () => crm.addContact({ ...person(), company_id: company, title: 'Buyer' }),
      () => crm.addDeal({ name: `Deal ${n}`, company_id: company, contact_ids: contact ? [contact] : [] }),
    ]
    if (company)
      acts.push(
        () => crm.editCompany(company, { employees: 1_000 + n }),
        () => crm.editCompany(company, { name: `Renamed ${n}` }),
        () => crm.editCompany(company, { owner_id: draws.pick(this.owners) }),
        () => crm.editCompany(company, { customer: draws.pick(['present', 'former', 'never'] as const) }),
      )
    if (contact)
      acts.push(
        () => crm.editContact(contact, { title: `Title ${n}` }),
        () => crm.editContact(contact, { company_id: company }),
      )
    if (deal)
      acts.push(
        () => crm.editDeal(deal, { state: draws.pick(['open', 'won', 'lost'] as const), closes_on: '2026-10-01' }),
        () => crm.editDeal(deal, { company_id: company, contact_ids: contact ? [contact] : [] }),
      )
    if (draws.fraction() < 0.15) {
      const object = draws.pick(['company', 'contact', 'deal'] as const)
      const id = this.#one(object)
      const other = this.#one(object)
      if (id && other && id !== other && object !== 'deal' && draws.fraction() < 0.5) crm.merge(object, id, other)
      else if (id) crm.delete(object, id)
      return
    }
    draws.pick(acts)()
  }

  /** A random change by a member here. */
  async act(): Promise<void> {
    const { client, draws } = this
    const n = this.#next()
    const accounts: { id: string }[] = await client.expect(200, 'GET', '/v1/accounts?per_page=100')
    const account = accounts.length > 0 ? draws.pick(accounts) : null
    const kind = draws.between(1, 6)
    if (kind === 1 || !account) {
      const answer = await client.post('/v1/accounts', { name: `Account ${n}`, domain: this.#domain() })
      assert.ok([200, 201].includes(answer.status), JSON.stringify(answer.body))
    } else if (kind === 2) await this.#type(account.id, { industry: `Industry ${n}` })
    else if (kind === 3) await this.#type(account.id, { employees: 100_000 + n })
    else if (kind === 4) await this.#type(account.id, { owner_id: draws.pick(this.members) })
    else if (kind === 5) await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: [account.id] })
    else await this.#erase()
  }

  async #type(id: string, fields: { industry?: string; employees?: number; owner_id?: string }) {
    await this.client.expect(200, 'PATCH', `/v1/accounts/${id}`, fields)
    this.typed.set(id, { ...this.typed.get(id), ...fields })
  }

  async #erase() {
    const people: { id: string }[] = await this.client.expect(200, 'GET', '/v1/people?source=crm&per_page=100')
    if (people.length === 0) return
    const { id } = this.draws.pick(people)
    const row = await db.selectFrom('people').select('given_email').where('id', '=', id).executeTakeFirstOrThrow()
    await this.client.expect(200, 'DELETE', `/v1/people/${id}`)
    if (row.given_email) this.erased.add(row.given_email)
  }
}

async function connect({ provider, crm, connection }: (typeof SIDES)[number], draws: Draws): Promise<Side> {
  const made = await scene(service)
  const side = new Side(provider, crm, made, draws)
  for (const n of [1, 2, 3]) {
    const email = `seller${n}@team.example`
    side.owners.push(crm.addOwner({ name: `Seller ${n}`, email }))
    side.members.push((await made.client.expect(201, 'POST', '/v1/members', { name: `Seller ${n}`, email })).id)
  }
  for (let n = 0; n < 40; n++) side.edit()
  await made.client.expect(201, 'POST', '/v1/connections', { provider, ...connection })
  await made.client.expect(200, 'PATCH', `/v1/crm/sync/${provider}`, { account_rules: ['open_deals'] })
  return side
}

/** Makes every CRM due, and frees those of a killed worker. */
async function makeDue() {
  await db
    .updateTable('crm_syncs')
    .set({ next_at: new Date(0), lease_id: null, lease_until: null })
    .execute()
}

async function pull(signal = new AbortController().signal) {
  await makeDue()
  await pullCrms.run(service.deps, {}, { signal, attempt: 0, progressed: async () => {} })
}

const now = { 'retry-after': '0' }
const FAULTS: SandboxResponse[] = [
  { status: 500, headers: now, body: '{}' },
  { status: 503, headers: now, body: 'over capacity' },
  { status: 429, headers: now, body: '{"policyName":"SECONDLY"}' },
]

/** The rounds in which a real worker process is killed: it starts with a pull. */
const KILLS = Math.ceil(ROUNDS / 20)

test(`${ROUNDS} rounds of edits on both sides with kills, limits, faults and wrong clocks lose and double nothing`, async () => {
  const draws = new Draws(SEED)
  const sides = [] as Side[]
  for (const one of SIDES) sides.push(await connect(one, draws))
  let killed = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of sides) {
      for (let edits = draws.between(0, 3); edits > 0; edits--) side.edit()
      if (draws.fraction() < 0.5) await side.act()
      // During the pull.
      if (draws.fraction() < 0.5) planned.push({ calls: draws.between(1, 12), act: () => side.edit() })
    }
    if (draws.fraction() < 0.3) {
      const { vendor } = draws.pick(SIDES)
      vendor.fail({ path: /./, answer: draws.pick(FAULTS), isCarriedOut: draws.fraction() < 0.3 })
    }
    if (draws.fraction() < 0.1) salesforce.expireCursors()
    if (Math.floor((round * KILLS) / ROUNDS) !== Math.floor(((round + 1) * KILLS) / ROUNDS)) {
      await makeDue()
      let worker: Running | null = null
      const dead = Promise.withResolvers<void>()
      planned.push({
        calls: draws.between(2, 14),
        act: async () => {
          if (worker) await stop(worker, 'SIGKILL')
          killed++
          dead.resolve()
        },
      })
      worker = run(['serve', '--only', 'worker'], { env })
      await dead.promise
    } else {
      const interruption = new AbortController()
      if (draws.fraction() < 0.2) planned.push({ calls: draws.between(1, 10), act: () => interruption.abort() })
      await pull(interruption.signal)
    }
    planned.splice(0)
    hubspot.drop()
    salesforce.drop()
  }
  assert.equal(killed, KILLS)
  for (const side of sides) {
    await eventually(`${side.provider} is in step`, async () => {
      await pull()
      const wrong = await differences(side)
      return wrong.length === 0 ? true : null
    }).catch(async () => assert.deepEqual(await differences(side), []))
  }
})

/** What is not as the rules say, in sentences. */
async function differences(side: Side): Promise<string[]> {
  const { provider, crm, typed, erased } = side
  const workspace_id = side.scene.workspaceId
  const contents = crm.contents()
  const wrong: string[] = []
  const of = (table: 'pulled_companies' | 'pulled_contacts' | 'pulled_deals') =>
    db.selectFrom(table).selectAll().where('workspace_id', '=', workspace_id).where('provider', '=', provider).execute()
  const companies = (await of('pulled_companies')) as Row[]
  const contacts = (await of('pulled_contacts')) as Row[]
  const deals = (await of('pulled_deals')) as Row[]
  const live = (rows: Row[]) =>
    new Map(rows.filter(({ deleted_at }) => !deleted_at).map((row) => [String(row.crm_id), row]))
  const compare = (object: string, rows: Row[], there: Map<string, object>, read: (row: Row) => object | null) => {
    const here = live(rows)
    for (const id of new Set([...here.keys(), ...there.keys()])) {
      const row = here.get(id)
      const [ours, theirs] = [row ? read(row) : undefined, there.get(id)]
      if (ours === null && theirs) continue
      const [left, right] = [JSON.stringify(ours), JSON.stringify(theirs)]
      if (left !== right) wrong.push(`${object} ${id}: here ${left}, in the CRM ${right}`)
    }
  }
  compare('company', companies, contents.company, ({ name, domain, owner_crm_id }) => ({
    name,
    domain,
    owner_id: owner_crm_id,
  }))
  compare('contact', contacts, contents.contact, ({ company_crm_id, full_name, email, is_erased }) =>
    is_erased ? null : { company_id: company_crm_id, last_name: String(full_name).split(' ').at(-1) ?? null, email },
  )
  compare('deal', deals, contents.deal, ({ name, company_crm_id, contact_crm_ids, is_won, is_closed }) => ({
    ...{ name, company_id: company_crm_id, contact_ids: contact_crm_ids },
    state: is_won ? 'won' : is_closed ? 'lost' : 'open',
  }))

  const accounts = await db.selectFrom('accounts').selectAll().where('workspace_id', '=', workspace_id).execute()
  const people = await db.selectFrom('people').selectAll().where('workspace_id', '=', workspace_id).execute()
  for (const account of accounts) {
    for (const [field, value] of Object.entries(typed.get(account.id) ?? {}))
      if (account[field as 'industry'] !== value)
        wrong.push(`${field} of ${account.name} is not as typed: ${account[field as 'industry']}`)
    const own = [...live(companies).values()].filter(({ account_id }) => account_id === account.id)
    const related = relationshipOf(own, [...live(deals).values()])
    if (account.relationship !== related)
      wrong.push(`${account.name} is ${account.relationship}, but the CRM says ${related}`)
    // A record that another account was pushed to stays with that account, also when it was merged into one with this domain.
    for (const { crm_id, domain, account_id, matched_by } of live(companies).values())
      if (domain !== null && domain === account.domain && account_id !== account.id && matched_by !== 'id')
        wrong.push(
          `company ${crm_id} with ${domain} is not matched with its account but ${account_id} by ${matched_by}`,
        )
  }
  // A push may not add a second company with a domain that a person entered.
  const keyed = hasOurKey(side)
  for (const [domain, count] of keyed) if (count > 1) wrong.push(`${domain} was pushed ${count} times`)
  const emails = people.map(({ account_id, given_email }) => `${account_id} ${given_email}`)
  for (const person of people) {
    if (person.given_email && erased.has(person.given_email)) wrong.push(`${person.given_email} returned as a person`)
    if (person.given_email && emails.filter((one) => one === `${person.account_id} ${person.given_email}`).length > 1)
      wrong.push(`${person.given_email} is there twice`)
  }
  for (const { email, crm_id, company_crm_id, person_id, is_erased, deleted_at } of contacts) {
    if (email && erased.has(String(email))) wrong.push(`${email} returned as a contact`)
    const isAtAccount = live(companies).get(String(company_crm_id))?.account_id
    if (!deleted_at && isAtAccount && !person_id && !is_erased) wrong.push(`contact ${crm_id} is no person`)
  }
  return wrong
}

type Row = Record<string, unknown>

/** The rule, written independently of the service. */
function relationshipOf(companies: Row[], deals: Row[]): string {
  const own = deals.filter(({ company_crm_id }) => companies.some(({ crm_id }) => crm_id === company_crm_id))
  const isFormer = companies.some(({ is_former_customer }) => is_former_customer)
  if (companies.some(({ is_customer }) => is_customer)) return 'customer'
  if (own.some(({ is_won }) => is_won) && !isFormer) return 'customer'
  if (own.some(({ is_closed }) => !is_closed)) return 'open_deal'
  if (isFormer) return 'former_customer'
  return own.length > 0 ? 'lost_deal' : 'none'
}

/** How many companies with a key of the service each domain has in the CRM. */
function hasOurKey({ provider }: Side): Map<string, number> {
  const keyed =
    provider === 'crm_one'
      ? [...hubspot.records.companies.values()]
          .filter(({ properties }) => properties.bellwether_id)
          .map(({ properties }) => properties.domain)
      : [...salesforce.records.Account.values()].filter((row) => row.Bellwether_Id__c).map(({ Website }) => Website)
  const counts = new Map<string, number>()
  for (const domain of keyed) if (domain) counts.set(String(domain), (counts.get(String(domain)) ?? 0) + 1)
  return counts
}
