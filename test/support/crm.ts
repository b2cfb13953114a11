import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { Parser } from 'htmlparser2'
import { createHubspot, type Hubspot, type Recorded } from '../../sandbox/vendors/hubspot.ts'
import { createSalesforce, type Salesforce } from '../../sandbox/vendors/salesforce.ts'
import type { PersonToSave } from '../../src/people/save.ts'
import { scene, unique } from './scene.ts'
import { testService } from './service.ts'
import { testWorld } from './world.ts'

/** The CRMs the sandbox emulates. */
export type EmulatedCrm = 'crm_one' | 'crm_two'

type Shape = { method: string; path: string; documentation: string; schema: object }

const ajv = new Ajv2020({ strict: false })
const SHAPES = Object.fromEntries(
  ['hubspot', 'salesforce'].map((name) => {
    const file = new URL(`../fixtures/crm-shapes/${name}.json`, import.meta.url)
    const shapes = JSON.parse(readFileSync(file, 'utf8')) as Shape[]
    return [
      name,
      shapes.map(({ schema, path, ...shape }) => ({ ...shape, path: new RegExp(path), validate: ajv.compile(schema) })),
    ]
  }),
) as Record<string, { method: string; path: RegExp; validate: ValidateFunction }[]>

/** Checks every request that a vendor received against the vendor's documentation. */
export function assertDocumented({ name, calls }: { name: string; calls: Recorded[] }): void {
  assert.ok(calls.length > 0)
  for (const { method, path, body } of calls) {
    const shape = SHAPES[name]?.find((shape) => shape.method === method && shape.path.test(path))
    assert.ok(shape, `${method} ${path} is not documented`)
    assert.ok(
      shape.validate(body),
      `${method} ${path}: ${ajv.errorsText(shape.validate.errors)}\n${JSON.stringify(body)}`,
    )
  }
}

/** HubSpot without rate limits, so that tests do not wait. */
export function quickHubspot(options: { searchLagMs?: number; latencyMs?: number } = {}): Hubspot {
  return createHubspot({ limit: { calls: 100_000, ms: 10_000 }, searchesPerSecond: 1000, ...options })
}

/** A note or a task of a company. `text` is what a reader sees. */
export type HeldActivity = { id: string; text: string; companies: string[]; contacts: string[] }
export type HeldTask = HeldActivity & { subject: string; dueOn: string; isOpen: boolean }

type Held = {
  label: string
  companies: (domain: string) => Record<string, unknown>[]
  contacts: (email: string) => Record<string, unknown>[]
  companyOf: (contact: string) => string[]
  notes: (company: string) => HeldActivity[]
  tasks: (company: string) => HeldTask[]
  calls: () => number
}

/**
 * The service with both CRMs. At the end of the file, every request they received is checked against their documentation.
 * By default, HubSpot's search does not find new records.
 */
export async function startCrms({ searchLagMs = 600_000 } = {}) {
  const hubspot = quickHubspot({ searchLagMs })
  const salesforce = createSalesforce()
  const { internet } = await testWorld({ vendors: [hubspot, salesforce] })
  const service = await testService({
    worker: true,
    env: { ...internet.env, PUSH_RETRY_SECONDS: '0,0,0', CRM_PULL_MINUTES: '0' },
  })
  after(() => {
    assertDocumented(hubspot)
    assertDocumented(salesforce)
  })
  const credentials = {
    crm_one: { provider: 'crm_one', token: 'sandbox-key' },
    crm_two: { provider: 'crm_two', token: 'sandbox-token', instance_url: salesforce.instanceUrl },
  }

  /**
   * A scene connected to CRMs, with people who can be pushed, one by default. `contact_ids` are in the order
   * given, `fields` and `personId` are of the first.
   */
  async function connected(
    providers: EmulatedCrm[],
    { accounts = 1, people = [{}] }: { accounts?: number; people?: Partial<PersonToSave>[] } = {},
  ) {
    const made = await scene(service, { accounts })
    for (const provider of providers) await made.client.expect(201, 'POST', '/v1/connections', credentials[provider])
    const domains = made.accounts.map(({ domain }) => domain as string)
    const fields = people.map((person, n) => ({
      full_name: `Mara Lindqvist ${n}`,
      title: 'CEO',
      email: `p${n}@${domains[0]}`,
      network_url: `https://network.example/in/${unique('mara')}`,
      ...person,
    }))
    const idOf = new Map((await made.save(fields)).map(({ full_name, id }) => [full_name, id]))
    const contact_ids = fields.map(({ full_name }) => idOf.get(full_name) as string)
    const push = (body: object = {}) => made.client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids, ...body })
    const [first] = fields as { full_name: string; title: string; email: string; network_url: string }[]
    return {
      ...made,
      domains,
      contact_ids,
      push,
      fields: first as NonNullable<typeof first>,
      personId: contact_ids[0] ?? '',
    }
  }

  /** The records of each CRM, in the same form. */
  const crms: Record<EmulatedCrm, Held> = {
    crm_one: {
      label: 'HubSpot',
      companies: (domain) => held(hubspot.records.companies, 'domain', domain),
      contacts: (email) => held(hubspot.records.contacts, 'email', email),
      companyOf: (contact) =>
        [...hubspot.associations].flatMap((pair) =>
          pair.startsWith(`${contact} `) ? [pair.split(' ')[1] as string] : [],
        ),
      notes: (company) => heldActivities(hubspot, 'notes', company),
      tasks: (company) =>
        heldActivities(hubspot, 'tasks', company).map((task) => ({
          ...task,
          subject: task.hs_task_subject as string,
          // The time zone of the emulated account.
          dueOn: new Date(task.hs_timestamp as string).toLocaleDateString('sv', { timeZone: 'America/Los_Angeles' }),
          isOpen: task.hs_task_status === 'NOT_STARTED',
        })),
      calls: () => hubspot.calls.length,
    },
    crm_two: {
      label: 'Salesforce',
      companies: (domain) =>
        [...salesforce.records.Account.values()]
          .filter(({ Website }) => Website === domain)
          .map((row) => ({ ...row, id: row.Id })),
      contacts: (email) =>
        [...salesforce.records.Contact.values()]
          .filter(({ Email }) => Email === email)
          .map((row) => ({ ...row, id: row.Id })),
      companyOf: (contact) => [salesforce.records.Contact.get(contact)?.AccountId as string],
      notes: (company) => heldTasks(salesforce, company),
      tasks: (company) => heldTasks(salesforce, company),
      calls: () => salesforce.calls.length,
    },
  }

  return { hubspot, salesforce, internet, service, credentials, connected, crms }
}

function held(records: Hubspot['records']['companies'], name: string, value: string) {
  return [...records.values()]
    .filter(({ properties }) => properties[name] === value)
    .map(({ id, properties }) => ({ id, ...properties }))
}

function heldActivities({ activities }: Hubspot, type: 'notes' | 'tasks', company: string) {
  const bodyOf = { notes: 'hs_note_body', tasks: 'hs_task_body' }
  return [...activities[type].values()]
    .filter(({ companies }) => companies.includes(company))
    .map(({ properties, ...activity }) => ({
      ...properties,
      ...activity,
      text: textOf(properties[bodyOf[type]] ?? ''),
    })) as (HeldActivity & Record<string, unknown>)[]
}

/** The text a browser shows for HTML. Fails on elements other than line breaks. */
function textOf(html: string): string {
  let text = ''
  const parser = new Parser({
    onopentagname(name) {
      assert.equal(name, 'br')
      text += '\n'
    },
    ontext(part) {
      text += part
    },
    oncomment: () => assert.fail('a comment'),
  })
  parser.end(html)
  return text
}

function heldTasks({ tasks }: Salesforce, company: string): HeldTask[] {
  return [...tasks.values()]
    .filter(({ WhatId }) => WhatId === company)
    .map(({ Id, Subject, Description, ActivityDate, WhoId, Status }) => ({
      id: Id,
      text: String(Description),
      companies: [company],
      contacts: WhoId ? [String(WhoId)] : [],
      subject: String(Subject),
      dueOn: String(ActivityDate),
      isOpen: Status === 'Not Started',
    }))
}
