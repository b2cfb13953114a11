// Records are created, changed, used and deleted in any order, and concurrently: the service agrees with a small
// model, and deleted records stay deleted.
import assert from 'node:assert/strict'
import fc, { type Arbitrary, type AsyncCommand } from 'fast-check'
import type { Answer, Client } from '../support/client.ts'
import { testService } from '../support/service.ts'
import { fuzz } from './support.ts'

const service = await testService({ env: { OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:9' } })

type Fields = Record<string, unknown>
type Kind = {
  path: string
  /** The body that creates one; all of it is returned. */
  make: Arbitrary<Fields>
  /** The body that changes one. */
  change?: Arbitrary<Fields>
  /** Sent in addition, and not returned. */
  secret?: Fields
  /** Whether one can be read by its id; from the list otherwise. */
  single?: boolean
  /** How it is used, by its id and the id of a person. */
  uses?: ((client: Client, id: string, member: string) => Promise<Answer>)[]
}

/** Letters of many scripts, without whitespace at the ends that would be trimmed. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((some) => `n${some.replaceAll(/[\s\p{Cc}\p{Cf}\u2800\u3164]/gu, ' ')}n`)
const serial = fc.uuid()
const optional = <T>(of: Arbitrary<T>) => fc.option(of)

const KINDS: Record<string, Kind> = {
  account: {
    path: '/v1/accounts',
    make: fc.record({
      name: text,
      domain: fc.oneof(
        fc.constant(null),
        serial.map((id) => `${id}.com`),
      ),
      tags: fc.uniqueArray(text, { maxLength: 3 }),
    }),
    change: fc.record(
      { name: text, industry: optional(text), employees: optional(fc.nat(100_000_000)) },
      { requiredKeys: [] },
    ),
    single: true,
    uses: [
      (client, id) => client.post(`/v1/accounts/${id}/activate`),
      (client, id) => client.post(`/v1/accounts/${id}/deactivate`),
      (client, id) => client.post(`/v1/accounts/${id}/reject`),
      (client, id) => client.post(`/v1/accounts/${id}/scan`),
      (client, id) => client.get(`/v1/accounts/${id}/score`),
      (client, id) => client.get(`/v1/accounts/${id}/signals`),
      (client, id, owner_id) => client.put(`/v1/accounts/${id}/owner`, { owner_id }),
    ],
  },
  section: {
    path: '/v1/knowledge-base',
    make: fc.record({ title: text, content_md: text, type: fc.constantFrom('icp', 'product', 'custom') }),
    change: fc.record({ title: text, content_md: text }, { requiredKeys: [] }),
    uses: [(client, id) => client.patch(`/v1/knowledge-base/${id}`, { position: 0 })],
  },
  signal: {
    path: '/v1/signals',
    make: fc.record({
      name: serial,
      description: fc.constantFrom('Orders robots', 'Opens a warehouse in Poland', 'Replaces its ERP software'),
    }),
    change: fc.record(
      // Random letters would be refused as unclear.
      {
        description: fc.constantFrom('Opens warehouses', 'Opens a second office abroad', 'Buys its own trucks'),
        enabled: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    single: true,
    uses: [(client, id) => client.post('/v1/runs', { signals: { any_of: [id] } })],
  },
  member: {
    path: '/v1/members',
    make: fc.record({
      name: text,
      email: serial.map((id) => `${id}@team.example`),
      role: fc.constantFrom('admin', 'member'),
      visibility: fc.constantFrom('all', 'scoped'),
    }),
    change: fc.record({ name: text, role: fc.constantFrom('admin', 'member') }, { requiredKeys: [] }),
    uses: [(client, member_id) => client.post('/v1/api-keys', { name: 'k', member_id })],
  },
  list: {
    path: '/v1/people/lists',
    make: fc.record({ name: serial }),
    uses: [(client, id) => client.post(`/v1/people/lists/${id}/members`, { add: [id], remove: ['x'] })],
  },
  destination: {
    path: '/v1/webhook-destinations',
    make: fc.record({ name: serial }),
    secret: { url: 'https://93.184.216.34/hook' },
    uses: [
      (client, id) => client.post(`/v1/webhook-destinations/${id}/rotate-secret`, {}),
      (client, id) => client.get(`/v1/webhook-destinations/${id}/deliveries`),
    ],
  },
  key: { path: '/v1/api-keys', make: fc.record({ name: text }) },
}

type Made = { kind: string; id: string; shown: Fields; isGone: boolean }
type Model = { records: Made[] }
type Real = { client: Client; member: string; before: Map<string, number> }

const FINE = [200, 201, 202]
/** Expected rejections: conflict, wrong state, plan limit. */
const BY_RULE = [402, 409, 422]

function assertShown(shown: Fields, wanted: Fields): void {
  for (const [field, value] of Object.entries(wanted)) assert.deepEqual(shown[field], value, field)
}

async function listed(client: Client, { path }: Kind): Promise<Fields[]> {
  const { status, data, text } = await client.get(`${path}?per_page=100`)
  assert.equal(status, 200, text)
  return data
}

/** The service returns exactly the records of the model. */
async function assertAgrees(model: Model, { client, before }: Real): Promise<void> {
  for (const [name, kind] of Object.entries(KINDS)) {
    const there = model.records.filter((record) => record.kind === name && !record.isGone)
    const rows = await listed(client, kind)
    if (name !== 'key') assert.equal(rows.length, there.length + (before.get(name) ?? 0), `${name}s`)
    for (const record of there) {
      const row = rows.find(({ id }) => id === record.id)
      assert.ok(row, `${name} ${record.id} is not listed`)
      assertShown(row, record.shown)
    }
  }
}

class Make implements AsyncCommand<Model, Real> {
  readonly kind: string
  readonly fields: Fields
  constructor(kind: string, fields: Fields) {
    this.kind = kind
    this.fields = fields
  }
  check = () => true
  async run({ records }: Model, { client }: Real) {
    const { path, secret } = KINDS[this.kind] as Kind
    const { status, data, text } = await client.post(path, { ...this.fields, ...secret })
    assert.equal(status, 201, text)
    assertShown(data, this.fields)
    records.push({ kind: this.kind, id: data.id, shown: { ...this.fields }, isGone: false })
  }
  toString = () => `make ${this.kind} ${JSON.stringify(this.fields)}`
}

/** An action on the nth record, whether it exists or not. */
abstract class OnRecord implements AsyncCommand<Model, Real> {
  readonly nth: number
  constructor(nth: number) {
    this.nth = nth
  }
  check = ({ records }: Readonly<Model>) => records.length > 0
  run({ records }: Model, real: Real): Promise<void> {
    const record = records[this.nth % records.length] as Made
    return this.on(record, KINDS[record.kind] as Kind, real)
  }
  abstract on(record: Made, kind: Kind, real: Real): Promise<void>
}

class Change extends OnRecord {
  readonly fields: Record<string, Fields>
  constructor(nth: number, fields: Record<string, Fields>) {
    super(nth)
    this.fields = fields
  }
  async on(record: Made, { path, change }: Kind, { client }: Real) {
    if (!change) return
    const fields = this.fields[record.kind] as Fields
    const { status, data, text } = await client.patch(`${path}/${record.id}`, fields)
    if (record.isGone) return assert.equal(status, 404, text)
    assert.equal(status, 200, text)
    Object.assign(record.shown, fields)
    assertShown(data, record.shown)
  }
  override toString = () => `change ${this.nth} ${JSON.stringify(this.fields)}`
}

class Use extends OnRecord {
  readonly which: number
  constructor(nth: number, which: number) {
    super(nth)
    this.which = which
  }
  async on(record: Made, { uses = [] }: Kind, { client, member }: Real) {
    const use = uses[this.which % Math.max(1, uses.length)]
    if (!use) return
    const { status, text } = await use(client, record.id, member)
    if (record.isGone) assert.ok([400, 404, 422].includes(status), `gone, but ${status}: ${text}`)
    else assert.ok([...FINE, ...BY_RULE].includes(status), text)
  }
  override toString = () => `use ${this.nth} (${this.which})`
}

class Delete extends OnRecord {
  async on(record: Made, { path, single }: Kind, { client }: Real) {
    const { status, text } = await client.delete(`${path}/${record.id}`)
    assert.equal(status, record.isGone ? 404 : 200, text)
    record.isGone = true
    if (single) assert.equal((await client.get(`${path}/${record.id}`)).status, 404)
  }
  override toString = () => `delete ${this.nth}`
}

/** A change, a use and two deletions concurrently: one deletion wins, and nothing fails. */
class AtOnce extends OnRecord {
  readonly fields: Record<string, Fields>
  constructor(nth: number, fields: Record<string, Fields>) {
    super(nth)
    this.fields = fields
  }
  async on(record: Made, { path, change, uses = [] }: Kind, { client, member }: Real) {
    const url = `${path}/${record.id}`
    const deletions = Promise.all([client.delete(url), client.delete(url)])
    const others = Promise.all([
      ...(change ? [client.patch(url, this.fields[record.kind])] : []),
      ...uses.slice(0, 2).map((use) => use(client, record.id, member)),
    ])
    const answers = [await deletions, await others]
    for (const { status, text } of answers.flat()) assert.ok(status < 500, text)
    const won = (answers[0] as Answer[]).filter(({ status }) => status === 200).length
    assert.equal(won, record.isGone ? 0 : 1, 'deletions that took it away')
    record.isGone = true
  }
  override toString = () => `at once ${this.nth} ${JSON.stringify(this.fields)}`
}

const NTH = fc.nat(20)
const CHANGES = fc.record(
  Object.fromEntries(Object.entries(KINDS).flatMap(([name, { change }]) => (change ? [[name, change] as const] : []))),
) as Arbitrary<Record<string, Fields>>

const COMMANDS = fc.commands<Model, Real>(
  [
    ...Object.entries(KINDS).map(([name, { make }]) => make.map((fields) => new Make(name, fields))),
    fc.tuple(NTH, CHANGES).map(([nth, fields]) => new Change(nth, fields)),
    fc.tuple(NTH, fc.nat(9)).map(([nth, which]) => new Use(nth, which)),
    NTH.map((nth) => new Delete(nth)),
    fc.tuple(NTH, CHANGES).map(([nth, fields]) => new AtOnce(nth, fields)),
  ],
  { maxCommands: 25 },
)

let steps = 0
fuzz(
  'records made, changed, used and deleted in any order are what the model says',
  { share: 1, least: 15 },
  fc.asyncProperty(COMMANDS, async (commands) => {
    const { client } = await service.stranger()
    const before = new Map<string, number>()
    for (const [name, kind] of Object.entries(KINDS)) before.set(name, (await listed(client, kind)).length)
    const member = (await client.expect(200, 'GET', '/v1/members'))[0].id
    const real = { client, member, before }
    const model: Model = { records: [] }
    await fc.asyncModelRun(() => ({ model, real }), commands as Iterable<AsyncCommand<Model, Real>>)
    await assertAgrees(model, real)
    steps += [...commands].length
  }),
  () => `; ${steps} steps`,
)
