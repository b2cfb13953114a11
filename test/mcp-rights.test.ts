import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startReceiver } from '../sandbox/receiver.ts'
import { furnish } from './support/furnished.ts'
import { type Agent, agent, agentOverHttp, type Called } from './support/mcp.ts'
import { connectMcp } from './support/mcp-client.ts'
import { ADMIN_KEY, testService } from './support/service.ts'

/**
 * What every tool, resource and prompt shows and does for a member with scoped visibility who owns nothing, for the admin
 * of another workspace, and for a key that may only read. A tool without a row fails.
 */
const MARK = 'Quillon'
const receiver = await startReceiver()
after(() => receiver[Symbol.asyncDispose]())
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })
const world = await furnish(service, {
  mark: MARK,
  owner: { client: service.admin, workspaceId: service.workspaceId },
})
const id = (path: string, at = 0) => world.records[path]?.[at] as string
const [account, active] = [id('/v1/accounts'), id('/v1/accounts', 1)]
const [person, section] = [id('/v1/people'), id('/v1/knowledge-base')]
// The account of the person is active, so that only rights can prevent a search.
await service.admin.expect(200, 'POST', `/v1/accounts/${account}/activate`)

const scoped = await service.member({ visibility: 'scoped' })
const reader = await service.member({ role: 'admin' }, { read_only: true })
const { key: strangerKey, client: stranger } = await service.stranger()
const hook = { name: 'Own', url: `${receiver.url}/hook` }
const { id: destination } = await service.admin.expect(201, 'POST', '/v1/webhook-destinations', hook)
await stranger.expect(201, 'POST', '/v1/webhook-destinations', hook)

const agents = {
  admin: await agentOverHttp(service.address, ADMIN_KEY),
  scoped: await agentOverHttp(service.address, scoped.key),
  stranger: await agentOverHttp(service.address, strangerKey),
  reader: await agentOverHttp(service.address, reader.key),
}

/** The expected outcome: the same result as for the admin, an error message, or a result without the admin's records. */
type Outcome = 'same' | RegExp | ((called: Called) => void)
type Row = { args: object; scoped: Outcome; stranger: Outcome; reader: Outcome }

const FORBIDDEN = /\(forbidden, request/
const READ_ONLY = /only read.*\(forbidden, request/s
const NOT_FOUND = /^No such.*\(not_found, request/s
const NOT_SEARCHABLE = /\(account_not_searchable, request/
const empty = (field: string) => (called: Called) => {
  assert.deepEqual(called.data[field], [])
  assert.equal(called.data.total ?? 0, 0)
}
const own = () => {}

const ROWS: Record<string, Row> = {
  search_accounts: { args: {}, scoped: 'same', stranger: empty('accounts'), reader: 'same' },
  read_account: {
    args: { account },
    scoped: ({ data }) => assert.deepEqual([data.account.name, data.people], [MARK, 0]),
    stranger: NOT_FOUND,
    reader: 'same',
  },
  whats_new: { args: { days: 365 }, scoped: 'same', stranger: empty('findings'), reader: 'same' },
  whom_to_contact: {
    args: { view: 'all' },
    scoped: empty('work_items'),
    stranger: empty('work_items'),
    reader: 'same',
  },
  close_work_item: {
    args: { account, outcome: 'contacted' },
    scoped: /has no open work item/,
    stranger: /has no open work item/,
    reader: READ_ONLY,
  },
  add_accounts: {
    args: { accounts: [{ name: 'New', domain: 'new.example' }] },
    scoped: own,
    stranger: own,
    reader: READ_ONLY,
  },
  activate_accounts: {
    args: { accounts: [active] },
    scoped: /your own accounts only.*\(forbidden\)/s,
    stranger: NOT_FOUND,
    reader: READ_ONLY,
  },
  scan_account: { args: { account, wait_seconds: 0 }, scoped: FORBIDDEN, stranger: NOT_FOUND, reader: READ_ONLY },
  discover: {
    args: { any_of: ['funding'], wait_seconds: 0 },
    scoped: own,
    stranger: ({ data }) => assert.deepEqual(data.accounts, []),
    reader: READ_ONLY,
  },
  check_run: { args: { run_id: id('/v1/runs') }, scoped: 'same', stranger: /^You have no scan/, reader: 'same' },
  find_people: {
    args: { query: 'VP Sales', accounts: [account] },
    scoped: NOT_SEARCHABLE,
    stranger: NOT_SEARCHABLE,
    reader: READ_ONLY,
  },
  reveal_email: { args: { person }, scoped: NOT_FOUND, stranger: NOT_FOUND, reader: READ_ONLY },
  push: {
    args: { to: destination, people: [person] },
    scoped: ({ data }) => assert.deepEqual([data.people.pushed, data.people.skipped], [0, 1]),
    stranger: /^No destination/,
    reader: READ_ONLY,
  },
  read_knowledge_base: {
    args: { section },
    scoped: 'same',
    stranger: /^No section/,
    reader: 'same',
  },
  edit_knowledge_base: {
    args: { action: 'change', section, title: `Title ${MARK}` },
    scoped: FORBIDDEN,
    stranger: /^No section/,
    reader: READ_ONLY,
  },
  preview_signal: {
    args: { description: 'Orders robots' },
    scoped: ({ data }) => assert.deepEqual(data.quoted, []),
    stranger: ({ data }) => assert.deepEqual([data.documents, data.quoted], [0, []]),
    reader: READ_ONLY,
  },
  create_signal: {
    args: { name: 'Drones', description: 'The company orders drones' },
    scoped: FORBIDDEN,
    stranger: own,
    reader: READ_ONLY,
  },
}

test('every tool has a row, and no tool shows more than the API', async (t) => {
  assert.deepEqual(Object.keys(ROWS).sort(), agents.admin.tools.map(({ name }) => name).sort())
  for (const [name, { args, ...outcomes }] of Object.entries(ROWS)) {
    await t.test(name, async () => {
      for (const who of ['reader', 'stranger', 'scoped'] as const) {
        const called = await agents[who].call(name, args)
        const outcome = outcomes[who]
        const context = `${who}: ${called.text}`
        assert.equal(called.isError, outcome instanceof RegExp, context)
        if (outcome instanceof RegExp) assert.match(called.text, outcome, context)
        else if (outcome === 'same')
          assert.deepEqual(shape(called), shape(await agents.admin.call(name, args)), context)
        else outcome(called)
        if (who === 'stranger') assert.ok(!JSON.stringify(called).includes(MARK), context)
      }
      const asAdmin = await agents.admin.call(name, args)
      assert.equal(asAdmin.isError, false, asAdmin.text)
    })
  }
})

/** Without timestamps, which differ between calls. */
const shape = ({ data }: Called) => ({ ...data, since: null })

test('tools respect the scope, the operations and the addresses of a key, also of a service account', async () => {
  const { id: member_id } = await service.admin.expect(201, 'POST', '/v1/service-accounts', { name: 'Agents' })
  const agentWith = async (fields: object, connect = agentOverHttp) => {
    const { key } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'agent', ...fields })
    return connect(service.address, key)
  }
  const [readAccount, change] = [{ account }, { action: 'change', section, title: `Title ${MARK}` }]
  for (const whose of [{}, { member_id }]) {
    const worker = await agentWith({ ...whose, scope: 'work' })
    await worker.expect('read_account', readAccount)
    await worker.expect('edit_knowledge_base', change)
    const reader = await agentWith({ ...whose, scope: 'read' })
    await reader.expect('read_account', readAccount)
    assert.match((await reader.call('edit_knowledge_base', change)).text, READ_ONLY)
    const lister = await agentWith({ ...whose, operations: ['listMembers'] })
    const called = await lister.call('search_accounts')
    assert.ok(called.isError && /may only call listMembers/.test(called.text), called.text)
    // At /mcp such a key is refused before any call; over stdio the API refuses each.
    const elsewhere = await agentWith({ ...whose, allowed_ips: ['10.0.0.0/8'] }, agent)
    const refusedThere = await elsewhere.call('search_accounts')
    assert.ok(refusedThere.isError && /may not be used from/.test(refusedThere.text), refusedThere.text)
  }
  const { key } = await service.admin.expect(201, 'POST', '/v1/api-keys', {
    name: 'agent',
    allowed_ips: ['10.0.0.0/8'],
  })
  await assert.rejects(connectMcp(service.address, key), /HTTP 403/)
})

test('a subscription needs the right to read accounts', async () => {
  const connect = async (operations: string[]) => {
    const { key } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'agent', operations })
    return connectMcp(service.address, key)
  }
  const filter = { resourceSubscriptions: [`bellwether://accounts/${account}`] }
  const [lister, reader] = [await connect(['listMembers']), await connect(['getAccount'])]
  await assert.rejects(lister.listen(filter), /may only call listMembers/)
  const [refusal] = await service.admin.expect(200, 'GET', '/v1/audit?action=subscribeToAccounts')
  assert.deepEqual([refusal.actor, refusal.outcome, refusal.status], ['key', 'refused', 403])
  const listening = await reader.listen(filter)
  assert.deepEqual(listening.honoredFilter, filter)
  await Promise.all([lister.close(), reader.close()])
})

test('a push from another workspace contains none of our records', async () => {
  const { data, text } = await agents.stranger.call('push', { to: 'Own', accounts: [account], people: [person] })
  assert.deepEqual([data.accounts.pushed, data.accounts.skipped, data.people.pushed, data.people.skipped], [0, 1, 0, 1])
  assert.match(text, /names no record that you can see/)
})

test('names resolve only to records that the caller may see', async () => {
  for (const [name, args] of [
    ['read_account', { account: MARK }],
    ['read_account', { account: `${MARK}.com` }],
    ['reveal_email', { person: `Mara ${MARK}` }],
    ['push', { to: `To ${MARK}`, accounts: [MARK] }],
    ['read_knowledge_base', { section: MARK }],
  ] as const) {
    const called = await agents.stranger.call(name, args)
    assert.ok(called.isError, `${name}: ${called.text}`)
    assert.ok(!called.text.includes(account) && !called.text.includes(person), called.text)
  }
  const hidden = await agents.scoped.call('reveal_email', { person: `Mara ${MARK}` })
  assert.match(hidden.text, /No person that you can see/)
})

const RESOURCES: Record<string, { uri: string; scoped: boolean; stranger: boolean }> = {
  account: { uri: `bellwether://accounts/${account}`, scoped: true, stranger: false },
  person: { uri: `bellwether://people/${person}`, scoped: false, stranger: false },
  'knowledge-base-section': { uri: `bellwether://knowledge-base/${section}`, scoped: true, stranger: false },
  signal: { uri: `bellwether://signals/${id('/v1/signals', 1)}`, scoped: true, stranger: false },
  signals: { uri: 'bellwether://signals', scoped: true, stranger: true },
}

test('every resource has a row, and is read, listed and completed only for callers that may see it', async () => {
  const { resourceTemplates } = await agents.admin.client.listResourceTemplates()
  const names = [...resourceTemplates.map(({ name }) => name), 'signals']
  assert.deepEqual(Object.keys(RESOURCES).sort(), names.sort())
  for (const [name, { uri, ...sees }] of Object.entries(RESOURCES)) {
    assert.ok((await agents.admin.read(uri)).includes(name === 'signals' ? 'funding' : MARK), name)
    assert.ok(await agents.reader.read(uri))
    for (const who of ['scoped', 'stranger'] as const) {
      const read = agents[who].read(uri)
      if (sees[who]) assert.ok(who === 'scoped' || !(await read).includes(MARK), `${who} ${name}`)
      else await assert.rejects(read, /No such|No section|No signal/)
    }
  }
  const uris = async ({ client }: Agent) => (await client.listResources()).resources.map(({ uri }) => uri)
  const all = await uris(agents.admin)
  for (const uri of [RESOURCES.account, RESOURCES.person, RESOURCES['knowledge-base-section']].map((one) => one?.uri))
    assert.ok(uri && all.includes(uri), uri)
  assert.ok((await uris(agents.scoped)).every((uri) => !uri.startsWith('bellwether://people/')))
  const shared = (await uris(agents.stranger)).filter((uri) => all.includes(uri))
  assert.deepEqual(shared, ['bellwether://signals'])

  const completed = async ({ client }: Agent, uri: string, value: string) => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri },
      argument: { name: 'id', value },
    })
    return completion.values
  }
  const accounts = 'bellwether://accounts/{id}'
  assert.ok((await completed(agents.admin, accounts, 'quill')).includes(`${MARK.toLowerCase()}.com`))
  assert.deepEqual(await completed(agents.stranger, accounts, 'quill'), [])
  assert.deepEqual(await completed(agents.admin, 'bellwether://people/{id}', 'Mara'), [person])
  assert.deepEqual(await completed(agents.scoped, 'bellwether://people/{id}', 'Mara'), [])
  assert.deepEqual(await completed(agents.admin, 'bellwether://knowledge-base/{id}', MARK), [section])
  assert.ok((await completed(agents.admin, 'bellwether://signals/{id}', 'fund')).includes('funding'))
  await assert.rejects(agents.admin.read('bellwether://accounts/%zz'))
})

const PROMPTS: Record<string, Record<string, string>> = {
  prepare_call: { account },
  draft_outreach: { account, person },
  weekly_review: { owner: service.workspaceId },
}

test('prompts include only what the caller may see', async () => {
  const { prompts } = await agents.admin.client.listPrompts()
  assert.deepEqual(prompts.map(({ name }) => name).sort(), Object.keys(PROMPTS).sort())
  const get = async ({ client }: Agent, name: string, given = PROMPTS[name] ?? {}) =>
    JSON.stringify(await client.getPrompt({ name, arguments: given }))
  for (const name of ['prepare_call', 'draft_outreach']) {
    const text = await get(agents.admin, name)
    for (const part of [`bellwether://accounts/${account}`, `bellwether://knowledge-base/${section}`, `Mara ${MARK}`])
      assert.ok(text.includes(part), `${name}: ${part}`)
    await assert.rejects(get(agents.stranger, name), /No such account/)
  }
  const call = await get(agents.scoped, 'prepare_call')
  assert.ok(call.includes(`bellwether://accounts/${account}`) && !call.includes('Mara'))
  await assert.rejects(get(agents.scoped, 'draft_outreach'), /No such person/)
  await assert.rejects(get(agents.admin, 'prepare_call', {}), /account/)
  await assert.rejects(get(agents.admin, 'weekly_review', { days: 'many' }), /days/)
  await service.admin.expect(200, 'PUT', `/v1/accounts/${account}/owner`, { owner_id: scoped.id })
  assert.ok((await get(agents.scoped, 'weekly_review', {})).includes(`Raised, says ${MARK}`))
  assert.ok(!(await get(agents.stranger, 'weekly_review', {})).includes(MARK))
  const { completion } = await agents.admin.client.complete({
    ref: { type: 'ref/prompt', name: 'prepare_call' },
    argument: { name: 'account', value: MARK.slice(0, 4) },
  })
  assert.ok(completion.values.includes(`${MARK.toLowerCase()}.com`))
})
